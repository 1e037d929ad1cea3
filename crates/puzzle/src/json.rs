//! Boards within JSON, as programs send them.

use crate::parse::ParseError;

/// What an object says about a board.
pub(crate) struct Object {
    /// The board, in any notation.
    pub(crate) board: String,
    /// Its size, if that is told.
    pub(crate) size: Option<String>,
}

/// Reads an object that has a board as text or as an array.
#[cfg(feature = "json")]
pub(crate) fn object(text: &str) -> Result<Object, ParseError> {
    use serde_json::Value;
    let object: Value = serde_json::from_str(text).map_err(|error| ParseError::NotJson(error.to_string()))?;
    let board = match object.get("board") {
        Some(Value::String(text)) => text.clone(),
        Some(array @ Value::Array(_)) => array.to_string(),
        found => return Err(ParseError::NoBoard { has_key: found.is_some() }),
    };
    Ok(Object { board, size: object.get("size").and_then(Value::as_str).map(str::to_owned) })
}

/// Refuses an object: nothing here can read it.
#[cfg(not(feature = "json"))]
pub(crate) fn object(_text: &str) -> Result<Object, ParseError> {
    Err(ParseError::NotJson("this program was built without the feature json of tilebase-puzzle".to_owned()))
}

/// Reads a string in quotation marks.
#[cfg(feature = "json")]
pub(crate) fn string(text: &str) -> Option<String> {
    serde_json::from_str(text).ok()
}

/// No string can be read.
#[cfg(not(feature = "json"))]
pub(crate) fn string(_text: &str) -> Option<String> {
    None
}
