//! The files of the page, which are part of the program.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A file of the page.
pub(crate) struct File {
    /// Where it is.
    pub(crate) path: &'static str,
    kind: &'static str,
    content: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! script {
    ($name:literal) => {
        File { path: concat!("/", $name), kind: SCRIPT, content: include_str!(concat!("../page/", $name)) }
    };
}

/// All files of the page.
pub(crate) const FILES: &[File] = &[
    File { path: "/", kind: "text/html; charset=utf-8", content: include_str!("../page/index.html") },
    File { path: "/style.css", kind: "text/css; charset=utf-8", content: include_str!("../page/style.css") },
    File { path: "/icon.svg", kind: "image/svg+xml", content: include_str!("../page/icon.svg") },
    script!("address.js"),
    script!("announce.js"),
    script!("board.js"),
    script!("colours.js"),
    script!("controls.js"),
    script!("copy.js"),
    script!("distance.js"),
    script!("dom.js"),
    script!("game.js"),
    script!("gestures.js"),
    script!("heuristics.js"),
    script!("insight.js"),
    script!("known.js"),
    script!("main.js"),
    script!("newboard.js"),
    script!("notation.js"),
    script!("note.js"),
    script!("player.js"),
    script!("score.js"),
    script!("server.js"),
    script!("solutions.js"),
    script!("start.js"),
    script!("tables.js"),
    script!("tabs.js"),
    script!("tiles.js"),
    script!("timeline.js"),
    script!("words.js"),
];

impl File {
    /// The file, or word that the browser's copy is the same.
    pub(crate) fn answer(&self, known: Option<&str>) -> Response {
        let mut hasher = DefaultHasher::new();
        self.content.hash(&mut hasher);
        let mark = format!("\"{:x}\"", hasher.finish());
        let headers: [(HeaderName, String); 3] = [
            (header::CONTENT_TYPE, self.kind.to_owned()),
            (header::CACHE_CONTROL, "no-cache".to_owned()),
            (header::ETAG, mark.clone()),
        ];
        if known == Some(mark.as_str()) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        (headers, self.content).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/page")).unwrap();
        let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let there: BTreeSet<String> = names.map(|name| format!("/{name}").replace("/index.html", "/")).collect();
        let served: BTreeSet<String> = FILES.iter().map(|file| file.path.to_owned()).collect();
        assert_eq!(served, there);
    }
}
