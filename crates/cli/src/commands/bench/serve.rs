//! `tilebase bench serve`

use std::fmt;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};
use tilebase::progress::threads::{on_threads, spawn};
use tilebase::puzzle::{Board, Goal, Random};
use tilebase_serve::{SearchLimits, Server};

use crate::commands::serve::source;
use crate::{Exit, Failure, Result, Session};

/// Ask the server for solutions from many clients at once
///
/// Starts a server on the loopback address, with the strongest tables that are there, and lets clients ask for shortest
/// solutions of random boards of the 15-puzzle, each a board after the other over one connection. Server and clients share
/// the machine. Then one client asks about a board next to the goal, over and over, before and after a number of
/// malformed questions.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase generate 7-8 && tilebase bench serve --clients 8 --boards 8000")]
pub(crate) struct Serve {
    /// How many clients
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=256))]
    clients: u32,
    /// How many boards in all
    #[arg(long, value_name = "N", default_value_t = 8000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    boards: u32,
    /// How many malformed questions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    malformed: u32,
    /// Which boards
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
}

/// Longer than any board of the 15-puzzle takes with the tables of the program.
const TIME_FOR_BOARD: Duration = Duration::from_secs(60);

/// How often the board next to the goal is asked about.
const EASY: usize = 1000;

impl Serve {
    pub(super) fn run(&self, session: &Session) -> Result {
        let failed = |error: io::Error| Failure::new(format!("the server on this machine cannot be used: {error}"));
        let server = Server::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).map_err(failed)?;
        let address = server.address();
        let threads = NonZeroUsize::new(session.threads()).unwrap_or(NonZeroUsize::MIN);
        let limits = SearchLimits::new(threads, TIME_FOR_BOARD);
        let tables = source(session);
        let serve = move || drop(server.run(tables, limits));
        spawn("server", serve).map_err(|_| failed(io::Error::other("no thread can start")))?;

        let goal = Goal::BlankLast.board_of(None)?;
        let mut random = Random::new(self.seed);
        let boards: Vec<Board> = (0..self.boards).map(|_| random.solvable_board(&goal)).collect();
        // The first board waits for the tables.
        let first = Client::connect(address).and_then(|mut client| client.solve(&boards[0])).map_err(failed)?;

        let bar = session.progress_bar(u64::from(self.boards), "{wide_bar} {pos} of {len} boards  {elapsed}");
        let jobs = Mutex::new(boards.iter());
        let took: Mutex<Vec<f64>> = Mutex::default();
        let started = Instant::now();
        let client = || -> io::Result<()> {
            let mut client = Client::connect(address)?;
            loop {
                let Some(board) = jobs.lock().expect("no client panics").next() else { return Ok(()) };
                let milliseconds = client.milliseconds_to_solve(board)?;
                took.lock().expect("no client panics").push(milliseconds);
                bar.inc(1);
            }
        };
        let results: Vec<io::Result<()>> = on_threads(self.clients as usize, &client);
        let seconds = started.elapsed().as_secs_f64();
        bar.finish_and_clear();
        results.into_iter().collect::<io::Result<()>>().map_err(failed)?;

        let easy = random.walk(&goal, 1);
        let before = Times::of_easy(address, &easy).map_err(failed)?;
        for number in 0..self.malformed {
            send_malformed(address, number, &mut random).map_err(failed)?;
        }
        let after = Times::of_easy(address, &easy).map_err(failed)?;

        let took = Times::new(took.into_inner().expect("no client panics"));
        let rate = took.0.len() as f64 / seconds;
        let tables = first["tables"].as_str().unwrap_or_default();
        let Serve { boards, clients, malformed, .. } = self;
        let json = json!({
            "boards": boards, "clients": clients, "tables": tables, "seconds": seconds, "boards_per_second": rate,
            "median_milliseconds": took.part(0.5), "p99_milliseconds": took.part(0.99),
            "max_milliseconds": took.part(1.0), "malformed": malformed,
            "easy_median_milliseconds": { "before": before.part(0.5), "after": after.part(0.5) },
            "easy_p99_milliseconds": { "before": before.part(0.99), "after": after.part(0.99) },
        });
        let all =
            format!("{boards} boards from {clients} clients in {seconds:.2} s, tables {tables}: {rate:.0} a second");
        let easy =
            format!("a board next to the goal: {before}\nthe same after {malformed} malformed questions: {after}");
        session.tell(json, format!("{all}; {took}\n{easy}"))?;
        Ok(Exit::Done)
    }
}

/// How many milliseconds questions took, in order.
struct Times(Vec<f64>);

impl Times {
    fn new(mut milliseconds: Vec<f64>) -> Times {
        milliseconds.sort_by(f64::total_cmp);
        Times(milliseconds)
    }

    /// What a client waits for that asks about an easy board again and again.
    fn of_easy(address: SocketAddr, board: &Board) -> io::Result<Times> {
        let mut client = Client::connect(address)?;
        let times = (0..EASY).map(|_| client.milliseconds_to_solve(board));
        times.collect::<io::Result<_>>().map(Times::new)
    }

    /// The time within which such a share of the questions was answered.
    fn part(&self, share: f64) -> f64 {
        let count = self.0.len();
        self.0[((count as f64 * share) as usize).min(count - 1)]
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, most, all] = [0.5, 0.99, 1.0].map(|share| self.part(share));
        write!(f, "{median:.2} ms in the median, {most:.2} ms for 99 %, {all:.2} ms at most")
    }
}

/// Sends something that is no question, and waits until the server has closed the connection. Now and then the client goes
/// at once instead. (The server's tests send worse, and look whether anything is left of it.)
fn send_malformed(address: SocketAddr, number: u32, random: &mut Random) -> io::Result<()> {
    let head = "POST /api/solve HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n";
    let with_body = |body: &str| format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes();
    let malformed = match number % 6 {
        0 => with_body(r#"{ "board": 15 }"#),
        1 => with_body(r#"{ "board": "1 2 3 /"#),
        2 => with_body(&"[".repeat(5000)),
        3 => with_body(&" ".repeat(100_000)),
        4 => format!("{head}content-length: {}\r\n\r\n", u64::MAX).into_bytes(),
        _ => (0..500).map(|_| random.next_u64() as u8).collect(),
    };
    let mut stream = Client::connect(address)?.stream.into_inner();
    let sent = stream.write_all(&malformed);
    let answered = if number.is_multiple_of(7) { Ok(0) } else { io::copy(&mut stream, &mut io::sink()) };
    // The server may close the connection before it has read all that.
    let is_closed = |error: &io::Error| matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe);
    sent.and(answered.map(|_| ())).or_else(|error| if is_closed(&error) { Ok(()) } else { Err(error) })
}

/// A client with a connection that stays open.
struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    fn connect(address: SocketAddr) -> io::Result<Client> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIME_FOR_BOARD))?;
        Ok(Client { stream: BufReader::new(stream) })
    }

    /// How long a shortest solution takes.
    fn milliseconds_to_solve(&mut self, board: &Board) -> io::Result<f64> {
        let asked = Instant::now();
        let answer = self.solve(board)?;
        let milliseconds = asked.elapsed().as_secs_f64() * 1e3;
        if answer["optimal"] != json!(true) {
            return Err(io::Error::other(format!("it does not solve {board}: {answer}")));
        }
        Ok(milliseconds)
    }

    fn solve(&mut self, board: &Board) -> io::Result<Value> {
        let body = json!({ "board": board.to_string() }).to_string();
        let head = "POST /api/solve HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length";
        self.stream.get_mut().write_all(format!("{head}: {}\r\n\r\n{body}", body.len()).as_bytes())?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            match line.trim_end().to_ascii_lowercase().split_once(": ") {
                Some(("content-length", value)) => length = value.parse().map_err(io::Error::other)?,
                None if line == "\r\n" => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        serde_json::from_slice(&body).map_err(io::Error::other)
    }
}
