//! The paths of the interface, and how questions are parsed.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router, middleware};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tilebase::Analysis;
use tilebase::puzzle::quoted;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::analysers::{Asked, Puzzle};
use crate::error::{ApiError, Result};
use crate::guard::guard;
use crate::handlers::{
    Analyse, CensusOf, Handlers, Prepared, Question, Scramble, Search, Show, Solve, TimeLeft, puzzle_of,
};
use crate::page;
use crate::workers::{Client, OUR_MISTAKE, Workers};

/// Every path of the interface, with its method and handler. `openapi.json` describes them.
fn interface() -> [(&'static str, &'static str, MethodRouter<Arc<AppState>>); 7] {
    [
        ("POST", "/api/solve", post(solve)),
        ("POST", "/api/show", post(show)),
        ("POST", "/api/analyse", post(analyse)),
        ("POST", "/api/census", post(census)),
        ("POST", "/api/scramble", post(scramble)),
        ("GET", "/api/tables", get(tables)),
        ("GET", "/api/openapi.json", get(openapi)),
    ]
}

/// The method and path of every question.
pub fn routes() -> Vec<(&'static str, &'static str)> {
    interface().into_iter().map(|(method, path, _)| (method, path)).collect()
}

/// The most bytes of a question.
const MOST_BYTES: usize = 16 * 1024;

/// The most time that a client may take to send one.
const TIME_TO_ASK: Duration = Duration::from_secs(10);

/// The most lines of progress that wait for a client to read them. Further lines are dropped.
const LINES: usize = 16;

/// The state that all routes share.
pub(crate) struct AppState {
    pub(crate) handlers: Arc<Handlers>,
    pub(crate) workers: Workers,
}

impl AppState {
    /// Waits until the analyser of a puzzle is ready, within a question's time. If it is late, it is made all the same, for later
    /// questions. Without a puzzle no analyser is needed.
    async fn prepare(&self, client: Client, puzzle: Option<Puzzle>, time: &TimeLeft) -> Result<Prepared> {
        let Some(puzzle) = puzzle else { return Ok(Prepared::NotNeeded) };
        let mut result = match self.handlers.analysers.ask(client, &puzzle)? {
            Asked::Ready(analyser) => return Ok(Prepared::Ready(analyser)),
            Asked::Preparing(result) => result,
        };
        let Ok(made) = timeout(time.now(), result.wait_for(Option::is_some)).await else {
            return Ok(Prepared::TooLate);
        };
        match made.map_err(|_| ApiError::ours(OUR_MISTAKE))?.as_ref() {
            Some(Ok(analyser)) => Ok(Prepared::Ready(Arc::clone(analyser))),
            Some(Err(error)) => Err(ApiError::ours(error)),
            None => Err(ApiError::ours(OUR_MISTAKE)),
        }
    }

    /// Waits for the analyser that a question needs.
    async fn prepare_for(&self, client: Client, question: &impl Question) -> Result<Prepared> {
        self.prepare(client, question.puzzle_to_prepare(), question.time_left()).await
    }
}

type Answer = Result<Response>;

pub(crate) fn router(state: AppState) -> Router {
    let mut router = Router::new();
    for (_, path, answer) in interface() {
        router = router.route(path, answer);
    }
    for file in page::files() {
        let answer = move |headers: HeaderMap| async move {
            file.answer(headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok()))
        };
        router = router.route(file.path, get(answer));
    }
    router
        .fallback(async || ApiError::new(StatusCode::NOT_FOUND, "there is nothing here: the page is at /"))
        .method_not_allowed_fallback(async || {
            ApiError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "use POST for questions with a body, and GET for everything else",
            )
        })
        .layer(middleware::from_fn(guard))
        .with_state(Arc::new(state))
}

async fn solve(State(state): State<Arc<AppState>>, request: Request) -> Answer {
    let client = client_of(&request);
    let asked: Solve = read(request).await?;
    let search = state.handlers.read_solve(&asked)?;
    if asked.stream {
        let prepared = state.prepare_for(client, &search).await;
        return stream(&state.workers, search, prepared);
    }
    answer(&state, client, search).await
}

/// Answers on the quick threads if a moment is enough, otherwise on those where clients take turns.
async fn answer(state: &AppState, client: Client, question: impl Question) -> Answer {
    let prepared = state.prepare_for(client, &question).await?;
    if let Prepared::TooLate = prepared {
        return question.answer_too_late().map(json);
    }
    let asked = Arc::new((question, prepared));
    let first = Arc::clone(&asked);
    let quickly = move |cancel: &AtomicBool| first.0.answer_quickly(&first.1, cancel);
    if let Some(answer) = state.workers.quick.done(client, quickly).await? {
        return Ok(json(answer));
    }
    state.workers.slow.done(client, move |cancel| asked.0.answer(&asked.1, cancel).map(json)).await
}

/// A line of JSON for each report of progress, and one for the answer.
fn stream(workers: &Workers, search: Search, prepared: Result<Prepared>) -> Answer {
    // One more place, reserved for the answer.
    let (lines, received) = mpsc::channel::<Value>(LINES + 1);
    let for_answer = lines.clone().try_reserve_owned().expect("the channel is new and empty");
    let work = move |cancel: &AtomicBool| {
        // A client that does not read gets fewer reports.
        let run = || search.run(&prepared.clone()?, cancel, &|progress| drop(lines.try_send(progress)));
        let answer = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(ApiError::ours(OUR_MISTAKE)));
        for_answer.send(answer.unwrap_or_else(|error| error.json()));
        search.free_memory();
    };
    let until_read = workers.long(work)?;
    let text = ReceiverStream::new(received).map(move |line| {
        let _ = &until_read;
        Ok::<String, Infallible>(format!("{line}\n"))
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(text)).into_response())
}

async fn show(State(state): State<Arc<AppState>>, request: Request) -> Answer {
    let client = client_of(&request);
    let analysis = Handlers::read_show(&read::<Show>(request).await?)?;
    answer_show(&state, client, analysis).await
}

async fn answer_show(state: &AppState, client: Client, analysis: Analysis) -> Answer {
    let puzzle = analysis.parity.is_solvable().then(|| puzzle_of(&analysis));
    let prepared = state.prepare(client, puzzle, &state.handlers.time_for_others()).await?;
    let handlers = Arc::clone(&state.handlers);
    state.workers.quick.done(client, move |_| handlers.show(analysis, &prepared).map(json)).await
}

async fn analyse(State(state): State<Arc<AppState>>, request: Request) -> Answer {
    let client = client_of(&request);
    let reviewing = state.handlers.read_analyse(&read::<Analyse>(request).await?)?;
    answer(&state, client, reviewing).await
}

async fn census(State(state): State<Arc<AppState>>, request: Request) -> Answer {
    let client = client_of(&request);
    let asked: CensusOf = read(request).await?;
    state.workers.quick.done(client, move |_| Handlers::census(&asked).map(json)).await
}

async fn scramble(State(state): State<Arc<AppState>>, request: Request) -> Answer {
    let client = client_of(&request);
    let asked: Scramble = read(request).await?;
    let handlers = Arc::clone(&state.handlers);
    let time = handlers.time_for_others();
    let puzzle = Handlers::puzzle_of_scramble(&asked);
    let queue = if puzzle.is_some() { &state.workers.slow } else { &state.workers.quick };
    let prepared = state.prepare(client, puzzle, &time).await?;
    let scramble = move |cancel: &AtomicBool| Handlers::scramble(&asked, prepared.analyser(), &time, cancel).map(json);
    queue.done(client, scramble).await
}

async fn tables(State(state): State<Arc<AppState>>, request: Request) -> Answer {
    let handlers = Arc::clone(&state.handlers);
    state.workers.quick.done(client_of(&request), move |_| Ok(json(handlers.tables()))).await
}

fn client_of(request: &Request) -> Client {
    *request.extensions().get().expect("every connection has its client's address")
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("../openapi.json")).into_response()
}

fn json(value: Value) -> Response {
    Json(value).into_response()
}

/// Parses a question: JSON within the limits of size and time, with known keys only.
async fn read<T: DeserializeOwned>(request: Request) -> Result<T> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!("expected a question with content-type: application/json, found {}", quoted(kind)),
        ));
    }
    let path = request.uri().path().to_owned();
    let body = timeout(TIME_TO_ASK, collect(request.into_body())).await.map_err(|_| {
        let message = format!("the question did not arrive within {} s", TIME_TO_ASK.as_secs());
        ApiError::new(StatusCode::REQUEST_TIMEOUT, message)
    })??;
    serde_json::from_slice(&body).map_err(|error| {
        let message = format!("the question is not what {path} expects: {error}; see /api/openapi.json");
        ApiError::new(StatusCode::BAD_REQUEST, message)
    })
}

/// The bytes of a body, up to the limit.
async fn collect(body: Body) -> Result<Vec<u8>> {
    let mut chunks = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let cut_off = |error| ApiError::new(StatusCode::BAD_REQUEST, format!("the question was cut off: {error}"));
        let chunk = chunk.map_err(cut_off)?;
        if bytes.len() + chunk.len() > MOST_BYTES {
            let message = format!("the question has more than {MOST_BYTES} bytes");
            return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::num::NonZeroUsize;
    use std::sync::mpsc as channel;

    use axum::body::to_bytes;
    use serde_json::json;
    use tilebase::TableSource;
    use tilebase::lookup::Store;

    use super::*;
    use crate::SearchLimits;
    use crate::analysers::AnalyserCache;

    const BOARD: &str = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15";

    async fn body_of(response: Response) -> Value {
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    fn read_as<T: DeserializeOwned>(question: Value) -> T {
        serde_json::from_value(question).unwrap()
    }

    const CLIENT: Client = Client(IpAddr::V4(Ipv4Addr::LOCALHOST));

    fn state() -> AppState {
        let limits = SearchLimits::new(NonZeroUsize::MIN, Duration::from_secs(5));
        let workers = Workers::new(1).unwrap();
        let source = TableSource::new(Store::compiled_in());
        let analysers = Arc::new(AnalyserCache::new(source, Arc::clone(&workers.preparing)));
        AppState { handlers: Arc::new(Handlers { analysers, limits }), workers }
    }

    /// Occupies the preparing thread, as another puzzle does, until the returned sender is used or dropped.
    fn occupy_preparing(state: &AppState) -> channel::Sender<()> {
        let (begun, has_begun) = channel::channel();
        let (go, gate) = channel::channel::<()>();
        let work = move || {
            begun.send(()).unwrap();
            let _ = gate.recv();
        };
        state.workers.preparing.put(CLIENT, Box::new(work)).unwrap_or_else(|error| panic!("{}", error.json()));
        has_begun.recv().unwrap();
        go
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { timeout(Duration::from_secs(60), future).await.expect("it does not wait") })
    }

    async fn solve_within(state: &AppState, question: Value) -> Value {
        let search = state.handlers.read_solve(&read_as(question)).unwrap();
        body_of(answer(state, CLIENT, search).await.unwrap()).await
    }

    #[test]
    fn a_question_whose_time_is_over_while_another_puzzle_is_prepared_is_answered_at_once() {
        let state = state();
        let go = occupy_preparing(&state);
        block_on(async {
            let solved = solve_within(&state, json!({ "board": BOARD, "time_limit": 0 })).await;
            assert_eq!((&solved["limit"], &solved["at_least"]), (&json!("time"), &json!(9)));
            assert_eq!((&solved["solvable"], &solved["tables"]), (&json!(true), &json!("manhattan")));
            let question = json!({ "board": BOARD, "time_limit": 0, "stream": true });
            let search = state.handlers.read_solve(&read_as(question)).unwrap();
            let prepared = state.prepare_for(CLIENT, &search).await;
            let streamed = body_of(stream(&state.workers, search, prepared).unwrap()).await;
            assert_eq!(streamed["limit"], json!("time"));
            let analyse = read_as(json!({ "board": BOARD, "moves": "RRR", "time_limit": 0 }));
            let reviewing = state.handlers.read_analyse(&analyse).unwrap();
            let reviewed = body_of(answer(&state, CLIENT, reviewing).await.unwrap()).await;
            assert_eq!(reviewed["limit"], json!("time"));
            let far: Scramble = read_as(json!({ "size": "4x4", "distance": 20 }));
            let time = TimeLeft::new(Duration::ZERO);
            let prepared = state.prepare(CLIENT, Handlers::puzzle_of_scramble(&far), &time).await.unwrap();
            assert!(matches!(prepared, Prepared::TooLate));
            let refused = Handlers::scramble(&far, None, &time, &AtomicBool::new(false)).unwrap_err();
            assert!(refused.json()["error"].as_str().unwrap().starts_with("no board 20 moves from this goal"));
            drop(go);
            let solved = solve_within(&state, json!({ "board": BOARD })).await;
            assert_eq!(solved["length"], json!(9), "a question with more time waits until its puzzle is prepared");
        });
    }

    #[test]
    fn a_puzzle_is_prepared_even_if_every_question_about_it_has_no_time_to_wait() {
        let state = state();
        let go = occupy_preparing(&state);
        let question = json!({ "board": "1 2 3 / 4 5 6 / 7 0 8", "time_limit": 0 });
        block_on(async {
            for _ in 0..3 {
                assert_eq!(solve_within(&state, question.clone()).await["tables"], json!("manhattan"));
            }
            drop(go);
            while solve_within(&state, question.clone()).await["tables"] == json!("manhattan") {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
    }

    #[test]
    fn the_memory_of_all_puzzles_is_counted_after_a_long_search() {
        let mut state = state();
        let metrics = ["stm", "mtm"];
        let question = |metric: &str| json!({ "board": "1 2 3 / 4 5 6 / 7 0 8", "metric": metric });
        let puzzles = metrics.map(|metric| {
            let solved = block_on(solve_within(&state, question(metric)));
            assert_eq!(solved["length"], json!(1));
            let search = state.handlers.read_solve(&read_as(question(metric))).unwrap();
            search.puzzle_to_prepare().unwrap()
        });
        // As if the memory of both had grown.
        let limit = |state: &mut AppState| {
            let cache = Arc::get_mut(&mut state.handlers).and_then(|handlers| Arc::get_mut(&mut handlers.analysers));
            cache.map(|cache| cache.most_bytes = 1).is_some()
        };
        while !limit(&mut state) {
            std::thread::yield_now();
        }
        block_on(async {
            let search = state.handlers.read_solve(&read_as(question("stm"))).unwrap();
            let prepared = state.prepare_for(CLIENT, &search).await;
            let streamed = body_of(stream(&state.workers, search, prepared).unwrap()).await;
            assert_eq!(streamed["length"], json!(1));
            while state.handlers.analysers.len() > 1 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            assert!(state.handlers.analysers.ready(&puzzles[0]).is_some(), "it is the most recently used one");
        });
    }

    #[test]
    fn a_board_is_shown_without_heuristics_when_these_are_not_ready_in_time() {
        let mut state = state();
        Arc::get_mut(&mut state.handlers).unwrap().limits.time = Duration::from_millis(50);
        let _go = occupy_preparing(&state);
        let show = async |board: &str| {
            let analysis = Handlers::read_show(&read_as(json!({ "board": board }))).unwrap();
            body_of(answer_show(&state, CLIENT, analysis).await.unwrap()).await
        };
        block_on(async {
            let sight = show(BOARD).await;
            assert_eq!((&sight["solvable"], &sight["limit"]), (&json!(true), &json!("time")));
            assert!(sight.get("heuristics").is_none() && sight.get("views").is_none());
            let unsolvable = show("2 1 / 3 0").await;
            assert!(unsolvable.get("limit").is_none(), "nothing is missing");
        });
    }
}
