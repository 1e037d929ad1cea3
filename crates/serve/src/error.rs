//! Why a request is not answered.

use std::fmt;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// What a question gives.
pub(crate) type Result<T, E = ApiError> = std::result::Result<T, E>;

/// Why a question is not answered: a status, and what was expected, what came, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError { status, message: message.into() }
    }

    /// Something is wrong on this side.
    pub(crate) fn ours(message: impl fmt::Display) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message.to_string())
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn json(&self) -> Value {
        json!({ "error": self.message })
    }
}

impl<E: std::error::Error> From<E> for ApiError {
    /// Something is wrong with the question; the same words as on the command line.
    fn from(error: E) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, error.to_string())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.json())).into_response()
    }
}
