//! The files of the page, which are part of the program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

pub(crate) struct File {
    /// Where it is.
    pub(crate) path: &'static str,
    kind: &'static str,
    content: &'static str,
}

/// What the first paint needs, and is therefore put into the page itself: a browser takes longer with files of their own, even
/// from the same machine (docs/page.md).
pub(crate) const STYLE: &str = include_str!("../page/style.css");
pub(crate) const START: &str = include_str!("../page/start.js");

/// The page, with the style and the script in the place of the elements that name them.
static INDEX: LazyLock<String> = LazyLock::new(|| {
    [
        (r#"<link rel="stylesheet" href="/style.css">"#, format!("<style>{STYLE}</style>")),
        (r#"<script src="/start.js"></script>"#, format!("<script>{START}</script>")),
    ]
    .iter()
    .fold(include_str!("../page/index.html").to_owned(), |page, (named, within)| {
        assert_eq!(page.matches(named).count(), 1, "the page names it once: {named}");
        page.replace(named, within)
    })
});

/// How a policy names a style or a script that may stand within a page.
pub(crate) fn mark_of(content: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(content)))
}

macro_rules! scripts {
    ($($name:ident)*) => {
        [$(File {
            path: concat!("/", stringify!($name), ".js"),
            kind: "text/javascript; charset=utf-8",
            content: include_str!(concat!("../page/", stringify!($name), ".js")),
        }),*]
    };
}

const ICON: File = File { path: "/icon.svg", kind: "image/svg+xml", content: include_str!("../page/icon.svg") };

/// The scripts of the page beside the first one. Those of the lesson are asked for when it is opened.
const SCRIPTS: &[File] = &scripts! {
    address announce board colours controls copy distance dom estimates frame game gestures heuristics insight known layers
    lesson lessonmodels lessonparts lessonview lessonwords main metric metricchoice newboard notation note player question review reviewpanel reviewwords
    score searches server solutions tables tabs tiles timeline views words
};

pub(crate) fn files() -> impl Iterator<Item = &'static File> {
    static FIRST: LazyLock<[File; 2]> =
        LazyLock::new(|| [File { path: "/", kind: "text/html; charset=utf-8", content: &INDEX }, ICON]);
    FIRST.iter().chain(SCRIPTS)
}

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
        let within = ["/style.css", "/start.js"];
        let served: BTreeSet<String> = files().map(|file| file.path).chain(within).map(str::to_owned).collect();
        assert_eq!(served, there);
    }

    #[test]
    fn the_page_has_its_style_and_its_first_script_within() {
        let page = files().next().unwrap().content;
        assert!(
            page.contains(&format!("<style>{STYLE}</style>")) && page.contains(&format!("<script>{START}</script>"))
        );
        for content in [STYLE, START] {
            assert!(!content.contains("</") && !content.contains("<!--"), "it would end too early, or too late");
            assert!(!content.contains('\r'), "browsers hash it with other line ends");
        }
    }

    #[test]
    fn marks_are_those_of_the_policys_specification() {
        // The example of <https://www.w3.org/TR/CSP2/#script-src-hash-usage>.
        let mark = mark_of("alert('Hello, world.');");
        assert_eq!(mark, "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
    }
}
