//! Which question goes where, and how its words are read.

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
use tilebase::Analyser;
use tilebase::puzzle::quoted;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::analysers::Puzzle;
use crate::error::{ApiError, Result};
use crate::guard::guard;
use crate::handlers::{Analyse, CensusOf, Handlers, Prepared, Question, Scramble, Search, Show, Solve, puzzle_of};
use crate::page;
use crate::workers::{Client, OUR_MISTAKE, Workers};

/// Every path of the interface, with the method that it takes and what answers. `openapi.json` describes them.
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

/// Method and path of everything that can be asked.
pub fn routes() -> Vec<(&'static str, &'static str)> {
    interface().into_iter().map(|(method, path, _)| (method, path)).collect()
}

/// The most bytes that a question may have.
const MOST_BYTES: usize = 16 * 1024;

/// How long a client may take to send one.
const TIME_TO_ASK: Duration = Duration::from_secs(10);

/// Lines of progress that may wait for a client to read them; more are left out.
const LINES: usize = 16;

/// What all routes share.
pub(crate) struct AppState {
    pub(crate) handlers: Arc<Handlers>,
    pub(crate) workers: Workers,
}

impl AppState {
    /// Waits until the analyser of a puzzle is ready, at most for some time. `None` when it is not ready by then; once it is being made, it
    /// is made to the end, for later questions.
    async fn prepare(&self, client: Client, puzzle: &Puzzle, most: Option<Duration>) -> Result<Option<Arc<Analyser>>> {
        if let Some(ready) = self.handlers.analysers.ready(puzzle) {
            return Ok(Some(ready));
        }
        let (handlers, puzzle) = (Arc::clone(&self.handlers), *puzzle);
        let prepare = move |_: &AtomicBool| Ok(handlers.analysers.get(&puzzle));
        let made = self.workers.preparing.done(client, prepare);
        let made = match most {
            None => made.await?,
            Some(most) => match timeout(most, made).await {
                Ok(made) => made?,
                Err(_) => return Ok(None),
            },
        };
        made.map(Some).map_err(ApiError::ours)
    }

    /// The same for a question, within its time; what is needed where no search will be.
    async fn prepare_for(&self, client: Client, question: &impl Question) -> Result<Prepared> {
        let Some(puzzle) = question.puzzle_to_prepare() else { return Ok(Prepared::NotNeeded) };
        let analyser = self.prepare(client, &puzzle, Some(question.time_left().now())).await?;
        Ok(analyser.map_or(Prepared::TooLate, Prepared::Ready))
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

/// Answers at once where a moment is enough, and where clients take turns otherwise.
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

/// A line of JSON for every sign of life, and one for the answer.
fn stream(workers: &Workers, search: Search, prepared: Result<Prepared>) -> Answer {
    // One place more, which is kept for the answer.
    let (lines, received) = mpsc::channel::<Value>(LINES + 1);
    let for_answer = lines.clone().try_reserve_owned().expect("the channel is new and empty");
    let work = move |cancel: &AtomicBool| {
        // A client that does not read gets fewer signs of life; one that is gone gets none.
        let run = || search.run(&prepared.clone()?, cancel, &|progress| drop(lines.try_send(progress)));
        let answer = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(ApiError::ours(OUR_MISTAKE)));
        for_answer.send(answer.unwrap_or_else(|error| error.json()));
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
    let puzzle = puzzle_of(&analysis);
    let analyser = if analysis.parity.is_solvable() { state.prepare(client, &puzzle, None).await? } else { None };
    let handlers = Arc::clone(&state.handlers);
    state.workers.quick.done(client, move |_| handlers.show(analysis, analyser.as_deref()).map(json)).await
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
    let time = handlers.time_for_scramble();
    let Some(puzzle) = Handlers::puzzle_of_scramble(&asked) else {
        let scramble = move |cancel: &AtomicBool| Handlers::scramble(&asked, None, &time, cancel).map(json);
        return state.workers.quick.done(client, scramble).await;
    };
    let analyser = state.prepare(client, &puzzle, Some(time.now())).await?;
    let scramble = move |cancel: &AtomicBool| Handlers::scramble(&asked, analyser.as_deref(), &time, cancel).map(json);
    state.workers.slow.done(client, scramble).await
}

async fn tables(State(state): State<Arc<AppState>>, request: Request) -> Answer {
    let handlers = Arc::clone(&state.handlers);
    state.workers.quick.done(client_of(&request), move |_| Ok(json(handlers.tables()))).await
}

fn client_of(request: &Request) -> Client {
    *request.extensions().get().expect("every connection says whose it is")
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("../openapi.json")).into_response()
}

fn json(value: Value) -> Response {
    Json(value).into_response()
}

/// Reads a question: JSON, of a reasonable size, sent in a reasonable time, with the keys that it should have.
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

/// The bytes of a body, if they are not too many.
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
    use std::net::IpAddr;
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

    #[test]
    fn a_question_whose_time_is_over_while_another_puzzle_is_prepared_is_answered_at_once() {
        let limits = SearchLimits::new(NonZeroUsize::MIN, Duration::from_secs(5));
        let analysers = AnalyserCache::new(TableSource::new(Store::compiled_in()));
        let state = AppState { handlers: Arc::new(Handlers { analysers, limits }), workers: Workers::new(1).unwrap() };
        let client = Client(IpAddr::from([127, 0, 0, 1]));
        let (begun, has_begun) = channel::channel();
        let (go, gate) = channel::channel::<()>();
        let prepare = move |_: &AtomicBool| {
            begun.send(()).unwrap();
            gate.recv().unwrap();
            Ok(())
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let asked = async {
            let preparing = Arc::clone(&state.workers.preparing);
            tokio::spawn(async move { preparing.done(client, prepare).await });
            tokio::task::yield_now().await;
            has_begun.recv().unwrap();
            // As everything is that takes as long as the preparation of another puzzle.
            let ask = async {
                let solve = |stream: bool| json!({ "board": BOARD, "time_limit": 0, "stream": stream });
                let search = state.handlers.read_solve(&read_as(solve(false))).unwrap();
                let solved = body_of(answer(&state, client, search).await.unwrap()).await;
                assert_eq!((&solved["limit"], &solved["at_least"]), (&json!("time"), &json!(9)));
                assert_eq!((&solved["solvable"], &solved["tables"]), (&json!(true), &json!("manhattan")));
                let search = state.handlers.read_solve(&read_as(solve(true))).unwrap();
                let prepared = state.prepare_for(client, &search).await;
                let streamed = body_of(stream(&state.workers, search, prepared).unwrap()).await;
                assert_eq!(streamed["limit"], json!("time"));
                let analyse = read_as(json!({ "board": BOARD, "moves": "RRR", "time_limit": 0 }));
                let reviewing = state.handlers.read_analyse(&analyse).unwrap();
                let reviewed = body_of(answer(&state, client, reviewing).await.unwrap()).await;
                assert_eq!(reviewed["limit"], json!("time"));
                let far: Scramble = read_as(json!({ "size": "4x4", "distance": 20 }));
                let puzzle = Handlers::puzzle_of_scramble(&far).unwrap();
                let analyser = state.prepare(client, &puzzle, Some(Duration::ZERO)).await.unwrap();
                assert!(analyser.is_none());
                let time = state.handlers.time_for_scramble();
                let refused = Handlers::scramble(&far, None, &time, &AtomicBool::new(false)).unwrap_err();
                assert!(refused.json()["error"].as_str().unwrap().starts_with("no board 20 moves from this goal"));
            };
            let answered = timeout(Duration::from_secs(60), ask).await;
            go.send(()).unwrap();
            answered.expect("they do not wait");
            let search = state.handlers.read_solve(&read_as(json!({ "board": BOARD }))).unwrap();
            let solved = body_of(answer(&state, client, search).await.unwrap()).await;
            assert_eq!(solved["length"], json!(9), "a question with more time waits until its puzzle is prepared");
        };
        runtime.block_on(asked);
    }
}
