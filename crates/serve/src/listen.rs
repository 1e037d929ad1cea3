//! Accepts connections.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tilebase::TableSource;
use tokio::runtime;
use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::SearchLimits;
use crate::analysers::AnalyserCache;
use crate::connection::{Connection, closed};
use crate::handlers::Handlers;
use crate::routes::{AppState, router};
use crate::workers::{Client, Workers};

/// The most open connections. Others wait.
const MOST_CONNECTIONS: usize = 512;

/// The most time that a connection may be open without a question, or take to send the head of one.
const TIME_FOR_HEAD: Duration = Duration::from_secs(10);

const MOST_BYTES_OF_HEAD: usize = 16 * 1024;

/// The wait after a connection could not be accepted, for example because too many files are open.
const PAUSE: Duration = Duration::from_millis(50);

/// A server that is bound to an address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Binds an address. With port 0 the system chooses a free one.
    ///
    /// # Errors
    /// When the address is in use, or is not an address of this machine.
    pub fn bind(address: SocketAddr) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address })
    }

    /// The address that the server is bound to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until the program ends.
    ///
    /// # Errors
    /// When the system allows no threads or timers.
    pub fn run(self, source: TableSource, limits: SearchLimits) -> io::Result<()> {
        // This thread handles all connections; the workers' threads do everything that takes time. Tokio panics when a thread of its own
        // cannot start, and is no faster with any: a small question takes 0.05 to 0.07 ms with two and with none (`bench serve`).
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let workers = Workers::new(limits.threads.get())?;
            let analysers = Arc::new(AnalyserCache::new(source, Arc::clone(&workers.preparing)));
            let router = router(AppState { handlers: Arc::new(Handlers { analysers, limits }), workers });
            let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(TIME_FOR_HEAD).max_buf_size(MOST_BYTES_OF_HEAD);
            http.half_close(true);
            loop {
                let place = Arc::clone(&places).acquire_owned().await.expect("the semaphore is never closed");
                let Ok((stream, client)) = listener.accept().await else {
                    sleep(PAUSE).await;
                    continue;
                };
                // Answers are small, and clients wait for them.
                let _ = stream.set_nodelay(true);
                let stream = Arc::new(stream);
                let io = TokioIo::new(Connection::new(Arc::clone(&stream)));
                let router = TowerToHyperService::new(router.clone());
                let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
                    request.extensions_mut().insert(Client(client.ip()));
                    router.call(request)
                });
                let served = http.serve_connection(io, answer);
                tokio::spawn(async move {
                    // An error ends the connection; there is no client left to report it to.
                    tokio::select! {
                        _ = served => {}
                        () = closed(&stream) => {}
                    }
                    drop(place);
                });
            }
        })
    }
}
