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
use tilebase::puzzle::quoted;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::analysers::Puzzle;
use crate::error::{ApiError, Result};
use crate::guard::guard;
use crate::handlers::{Analyse, CensusOf, Handlers, Question, Scramble, Search, Show, Solve, puzzle_of};
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
    /// Waits until the analyser of a puzzle is there. What goes wrong is said by whoever uses it.
    async fn prepare(&self, client: Client, puzzle: &Puzzle) -> Result<()> {
        if self.handlers.analysers.is_ready(puzzle) {
            return Ok(());
        }
        let (handlers, puzzle) = (Arc::clone(&self.handlers), *puzzle);
        let prepare = move |_: &AtomicBool| {
            let _ = handlers.analysers.get(&puzzle);
            Ok(())
        };
        self.workers.preparing.done(client, prepare).await
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
        return stream(&state.workers, search);
    }
    answer(&state, client, search).await
}

/// Answers at once where a moment is enough, and where clients take turns otherwise.
async fn answer(state: &AppState, client: Client, question: impl Question) -> Answer {
    if let Some(puzzle) = question.puzzle_to_prepare() {
        state.prepare(client, &puzzle).await?;
    }
    let question = Arc::new(question);
    let first = Arc::clone(&question);
    if let Some(answer) = state.workers.quick.done(client, move |cancel| first.answer_quickly(cancel)).await? {
        return Ok(json(answer));
    }
    state.workers.slow.done(client, move |cancel| question.answer(cancel).map(json)).await
}

/// A line of JSON for every sign of life, and one for the answer.
fn stream(workers: &Workers, search: Search) -> Answer {
    // One place more, which is kept for the answer.
    let (lines, received) = mpsc::channel::<Value>(LINES + 1);
    let for_answer = lines.clone().try_reserve_owned().expect("the channel is new and empty");
    let work = move |cancel: &AtomicBool| {
        // A client that does not read gets fewer signs of life; one that is gone gets none.
        let run = || search.run(cancel, &|progress| drop(lines.try_send(progress)));
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
    if analysis.parity.is_solvable() {
        state.prepare(client, &puzzle_of(&analysis)).await?;
    }
    let handlers = Arc::clone(&state.handlers);
    state.workers.quick.done(client, move |_| handlers.show(analysis).map(json)).await
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
    let Some(puzzle) = Handlers::puzzle_of_scramble(&asked) else {
        return state.workers.quick.done(client, move |cancel| handlers.scramble(&asked, cancel).map(json)).await;
    };
    state.prepare(client, &puzzle).await?;
    state.workers.slow.done(client, move |cancel| handlers.scramble(&asked, cancel).map(json)).await
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
