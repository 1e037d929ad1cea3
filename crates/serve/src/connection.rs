//! A connection that notices when its client has gone or does not read.
//!
//! hyper looks for the end of a connection only while it has read everything that the client sent: a single byte behind a
//! question keeps it from seeing that the client has gone, and the search would go on. And it waits for ever for a client to take
//! its answer. So both are looked after here, at the socket.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// How long a client may take before it reads more of an answer.
const TIME_TO_READ: Duration = Duration::from_secs(10);

/// How often a connection with unread bytes is looked at: the system wakes us for its end only if it was idle before.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

pub(crate) struct Connection {
    stream: Arc<TcpStream>,
    /// Set while the client takes nothing.
    patience: Option<Pin<Box<Sleep>>>,
}

impl Connection {
    pub(crate) fn new(stream: Arc<TcpStream>) -> Connection {
        Connection { stream, patience: None }
    }
}

/// Ends when the client has gone.
///
/// A client that has closed its side may be gone, or may have said all that it has to say and wait for its answer: the two
/// cannot be told apart before something is written. So its question goes on, at most for its time.
pub(crate) async fn closed(stream: &TcpStream) {
    loop {
        match stream.ready(Interest::READABLE | Interest::ERROR).await {
            Ok(ready) if !ready.is_write_closed() && !ready.is_error() => sleep(BETWEEN_LOOKS).await,
            _ => return,
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.stream.poll_read_ready(context))?;
            match self.stream.try_read(buffer.initialize_unfilled()) {
                Ok(read) => {
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            match self.stream.poll_write_ready(context)? {
                Poll::Ready(()) => match self.stream.try_write(bytes) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    written => {
                        self.patience = None;
                        return Poll::Ready(written);
                    }
                },
                Poll::Pending => {
                    let patience = self.patience.get_or_insert_with(|| Box::pin(sleep(TIME_TO_READ)));
                    ready!(patience.as_mut().poll(context));
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// The socket is closed when the connection is dropped, which is what follows.
    fn poll_shutdown(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
