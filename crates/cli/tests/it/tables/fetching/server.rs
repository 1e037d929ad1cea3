//! A web server on the loopback address that does what it is told, well or badly.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Whoever stalls does so for at most this long, so that no test hangs.
const MOST_STALLED: Duration = Duration::from_secs(20);

/// A request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Asked {
    pub(super) method: String,
    pub(super) file: String,
    pub(super) headers: BTreeMap<String, String>,
    /// How many requests of this method for this file came before.
    pub(super) earlier: usize,
}

impl Asked {
    /// The first byte that is asked for, if not the whole file is.
    pub(super) fn from(&self) -> Option<usize> {
        self.headers.get("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
    }

    pub(super) fn is_head(&self) -> bool {
        self.method == "HEAD"
    }

    /// Whether it is the first request for the bytes of a file other than the manifest.
    pub(super) fn is_first_get(&self) -> bool {
        self.method == "GET" && self.earlier == 0 && self.file != "manifest.jsonl"
    }
}

/// What is said to it.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    /// Whether the length of the body is said.
    has_length: bool,
    /// After how many bytes of the body it breaks off.
    cut: Option<usize>,
    /// After how many bytes of the body it stalls, until the other side is gone.
    stall: Option<usize>,
}

impl Reply {
    pub(super) fn new(status: u16, body: &[u8]) -> Reply {
        Reply { status, headers: Vec::new(), body: body.to_vec(), has_length: true, cut: None, stall: None }
    }

    pub(super) fn missing() -> Reply {
        Reply::new(404, b"nothing of that name")
    }

    /// A file of a version, as a good server sends it: from the byte on that is asked for, if the version is still the same.
    pub(super) fn file(asked: &Asked, bytes: &[u8], version: &str) -> Reply {
        let reply = Reply::whole(bytes).with("ETag", version);
        match asked.from() {
            Some(from) if asked.headers.get("if-range").is_none_or(|tag| tag == version) => reply.cut_before(from),
            _ => reply,
        }
    }

    pub(super) fn whole(bytes: &[u8]) -> Reply {
        Reply::new(200, bytes)
    }

    /// The same file without what stands before a byte.
    pub(super) fn cut_before(mut self, from: usize) -> Reply {
        let total = self.body.len();
        if from >= total {
            self.body.clear();
            return Reply { status: 416, ..self }.with("Content-Range", &format!("bytes */{total}"));
        }
        self.body.drain(..from);
        Reply { status: 206, ..self }.with("Content-Range", &format!("bytes {from}-{}/{total}", total - 1))
    }

    pub(super) fn with(mut self, name: &'static str, value: &str) -> Reply {
        self.headers.retain(|(other, _)| *other != name);
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(super) fn without(mut self, name: &str) -> Reply {
        self.headers.retain(|(other, _)| *other != name);
        self
    }

    pub(super) fn without_length(self) -> Reply {
        Reply { has_length: false, ..self }
    }

    pub(super) fn cut_after(self, bytes: usize) -> Reply {
        Reply { cut: Some(bytes), ..self }
    }

    pub(super) fn stalled_after(self, bytes: usize) -> Reply {
        Reply { stall: Some(bytes), ..self }
    }

    fn send(&self, is_head: bool, stream: &mut (impl Read + Write), ended: &AtomicBool) -> io::Result<()> {
        let mut headers = self.headers.clone();
        if self.has_length && !headers.iter().any(|(name, _)| *name == "Content-Length") {
            headers.push(("Content-Length", self.body.len().to_string()));
        }
        let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("HTTP/1.1 {} Told\r\nConnection: close\r\n{}\r\n", self.status, headers.concat());
        stream.write_all(head.as_bytes())?;
        if is_head {
            return stream.flush();
        }
        let end = self.cut.or(self.stall).map_or(self.body.len(), |end| end.min(self.body.len()));
        stream.write_all(&self.body[..end])?;
        stream.flush()?;
        if self.stall.is_some() {
            let started = Instant::now();
            // The other side has nothing more to say; when it is gone, reading ends.
            while started.elapsed() < MOST_STALLED && !ended.load(Ordering::Relaxed) {
                match stream.read(&mut [0]) {
                    Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
                    _ => break,
                }
            }
        }
        Ok(())
    }
}

type Handler = dyn Fn(&Asked) -> Reply + Send + Sync;

/// The server, until it is dropped.
pub(super) struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
    ended: Arc<AtomicBool>,
}

impl Server {
    pub(super) fn new(reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Server {
        Server::over(Arc::new(|stream| Box::new(stream)), reply)
    }

    /// A server that speaks over something else than bare connections.
    pub(super) fn over(
        wrap: Arc<dyn Fn(TcpStream) -> Box<dyn Stream> + Send + Sync>,
        reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server =
            Server { port: listener.local_addr().unwrap().port(), asked: Arc::default(), ended: Arc::default() };
        let (asked, ended, reply) = (server.asked.clone(), server.ended.clone(), Arc::new(reply) as Arc<Handler>);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                let (asked, ended, reply, wrap) = (asked.clone(), ended.clone(), reply.clone(), wrap.clone());
                std::thread::spawn(move || {
                    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
                    let closing = stream.try_clone().unwrap();
                    // Whoever asks may be gone at any time.
                    let _ = answer(wrap(stream), &asked, &*reply, &ended);
                    let _ = closing.shutdown(Shutdown::Both);
                });
            }
        });
        server
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// All requests so far.
    pub(super) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// From which bytes on the files were asked for, the manifest left out.
    pub(super) fn gets(&self) -> Vec<Option<usize>> {
        let asked = self.asked();
        let gets = asked.iter().filter(|asked| asked.method == "GET" && asked.file != "manifest.jsonl");
        gets.map(Asked::from).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // It waits for the next one who asks.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

/// A connection.
pub(super) trait Stream: Read + Write {}

impl<S: Read + Write> Stream for S {}

fn answer(mut stream: Box<dyn Stream>, all: &Mutex<Vec<Asked>>, reply: &Handler, ended: &AtomicBool) -> io::Result<()> {
    let mut lines = Vec::new();
    let mut reader = BufReader::with_capacity(1, &mut stream);
    loop {
        let mut line = String::new();
        let started = Instant::now();
        while let Err(error) = reader.read_line(&mut line) {
            let waits = matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut);
            if !waits || started.elapsed() > MOST_STALLED {
                return Err(error);
            }
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let Some((first, headers)) = lines.split_first() else { return Ok(()) };
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let headers = headers.iter().filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    let file = path.rsplit('/').next().unwrap_or_default();
    let asked = {
        let mut all = all.lock().unwrap();
        let earlier = all.iter().filter(|other| other.method == method && other.file == file).count();
        all.push(Asked { method: method.to_owned(), file: file.to_owned(), headers, earlier });
        all.last().unwrap().clone()
    };
    reply(&asked).send(asked.is_head(), &mut stream, ended)
}
