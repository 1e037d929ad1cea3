//! Which question goes where, and how its words are read.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router, middleware};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::desk::{Desk, OUR_MISTAKE};
use crate::guard::guard;
use crate::page;
use crate::problem::Problem;
use crate::questions::{Questions, Search, Solve};

/// Every path of the interface, with the method that it takes and what answers. `openapi.json` describes them.
fn interface() -> [(&'static str, &'static str, MethodRouter<Arc<Room>>); 5] {
    [
        ("POST", "/api/solve", post(solve)),
        ("POST", "/api/show", post(show)),
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
pub(crate) struct Room {
    pub(crate) questions: Arc<Questions>,
    pub(crate) desk: Desk,
}

type Answer = Result<Response, Problem>;

/// All routes.
pub(crate) fn router(room: Room) -> Router {
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
        .fallback(async || Problem::new(StatusCode::NOT_FOUND, "there is nothing here: the page is at /"))
        .method_not_allowed_fallback(async || {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "use POST for questions with a body, and GET for everything else",
            )
        })
        .layer(middleware::from_fn(guard))
        .with_state(Arc::new(room))
}

async fn solve(State(room): State<Arc<Room>>, request: Request) -> Answer {
    let asked: Solve = read(request).await?;
    let search = room.questions.read_solve(&asked)?;
    if asked.stream {
        return stream(&room.desk, search);
    }
    room.desk.short(move |cancel| search.run(cancel, &|_| {}).map(json)).await
}

/// A line of JSON for every sign of life, and one for the answer.
fn stream(desk: &Desk, search: Search) -> Answer {
    // One place more, which is kept for the answer.
    let (lines, received) = mpsc::channel::<Value>(LINES + 1);
    let for_answer = lines.clone().try_reserve_owned().expect("the channel is new and has room");
    let work = move |cancel: &AtomicBool| {
        // A client that does not read gets fewer signs of life; one that is gone gets none.
        let run = || search.run(cancel, &|progress| drop(lines.try_send(progress)));
        let answer = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(Problem::ours(OUR_MISTAKE)));
        for_answer.send(answer.unwrap_or_else(|problem| problem.json()));
    };
    let until_read = desk.long(work)?;
    let text = ReceiverStream::new(received).map(move |line| {
        let _ = &until_read;
        Ok::<String, Infallible>(format!("{line}\n"))
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(text)).into_response())
}

async fn show(State(room): State<Arc<Room>>, request: Request) -> Answer {
    let asked = read(request).await?;
    let questions = Arc::clone(&room.questions);
    room.desk.short(move |_| questions.show(&asked).map(json)).await
}

async fn scramble(State(room): State<Arc<Room>>, request: Request) -> Answer {
    let asked = read(request).await?;
    let questions = Arc::clone(&room.questions);
    room.desk.short(move |cancel| questions.scramble(&asked, cancel).map(json)).await
}

async fn tables(State(room): State<Arc<Room>>) -> Answer {
    let questions = Arc::clone(&room.questions);
    room.desk.short(move |_| Ok(json(questions.tables()))).await
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("../openapi.json")).into_response()
}

fn json(value: Value) -> Response {
    Json(value).into_response()
}

/// Reads a question: JSON, of a reasonable size, sent in a reasonable time, with the keys that it should have.
async fn read<T: DeserializeOwned>(request: Request) -> Result<T, Problem> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!("expected a question with content-type: application/json, found \"{}\"", kind.escape_debug()),
        ));
    }
    let path = request.uri().path().to_owned();
    let body = timeout(TIME_TO_ASK, to_bytes(request.into_body(), MOST_BYTES)).await.map_err(|_| {
        let message = format!("the question did not arrive within {} s", TIME_TO_ASK.as_secs());
        Problem::new(StatusCode::REQUEST_TIMEOUT, message)
    })?;
    let body = body.map_err(|error| match error.to_string() {
        too_long if too_long.contains("length limit") => {
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the question has more than {MOST_BYTES} bytes"))
        }
        other => Problem::input(format!("the question was cut off: {other}")),
    })?;
    serde_json::from_slice(&body).map_err(|error| {
        Problem::input(format!("the question is not what {path} expects: {error}; see /api/openapi.json"))
    })
}
