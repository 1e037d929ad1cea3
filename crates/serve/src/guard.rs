//! Refuses what another site made a browser ask, and keeps the page to itself.
//!
//! A server on the loopback address can be reached by every page that its user's browser shows. Three things keep other pages
//! from driving it:
//!
//! * **Host.** A name that an attacker lets point to 127.0.0.1 makes his page and our server one site for the browser. So `Host`
//!   must be `localhost` or an address, which no attacker can give to his page.
//! * **Origin.** Browsers say which site asks, or at least whether it is another one (`Sec-Fetch-Site`). It must be this one.
//! * **Content type.** Requests are JSON, and say so; a browser lets no other site send that without asking us first, and we
//!   do not answer that.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tilebase::puzzle::quoted;

use crate::error::{ApiError, Result};
use crate::page;

/// The page loads nothing from elsewhere, runs no script that is not ours, and is shown in no other page.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let (script, style) = (page::mark_of(page::START), page::mark_of(page::STYLE));
    let policy = format!(
        "default-src 'none'; script-src 'self' {script}; style-src {style}; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    policy.try_into().expect("a policy is ASCII")
});

const HEADERS: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Lets pass what comes from our own page, or from a program, and sets the headers of the answer.
pub(crate) async fn guard(request: Request, next: Next) -> Response {
    let is_question = request.uri().path().starts_with("/api/");
    let mut response = match check(request.headers(), request.uri().authority().map(Authority::as_str), is_question) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    response.headers_mut().extend(HEADERS.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

/// Checks who is asked, and who asks. A target may name the server as well (`GET http://localhost:1515/`).
fn check(headers: &HeaderMap, target: Option<&str>, is_question: bool) -> Result<()> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let refused = |why: String| Err(ApiError::new(StatusCode::FORBIDDEN, why));
    // Of two, somebody between us and the browser may have believed the other one.
    if [header::HOST, header::ORIGIN].iter().any(|name| headers.get_all(name).iter().count() > 1) {
        return refused("the question has two Hosts or two Origins: expected one".to_owned());
    }
    if target.is_some_and(|target| !target.eq_ignore_ascii_case(host)) {
        return refused("the question's target is another server than its Host: ask for the path alone".to_owned());
    }
    if !is_ours(host) {
        let host = quoted(host);
        return refused(format!("{host} is not this server: use localhost or its address, such as 127.0.0.1"));
    }
    let other_origin =
        headers.get(header::ORIGIN).is_some_and(|origin| origin.as_bytes() != format!("http://{host}").as_bytes());
    // Our page says same-origin, and somebody who types an address none; a link to the page may be anywhere.
    let other_site = headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none");
    if other_origin || (is_question && other_site) {
        return refused("another site asks: only this server's own page may".to_owned());
    }
    Ok(())
}

/// Whether a host, with or without a port, is `localhost` or an address.
fn is_ours(host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    let is_address = || match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => name.parse::<Ipv4Addr>().is_ok(),
    };
    port.is_none_or(|port| port.parse::<u16>().is_ok()) && (name.eq_ignore_ascii_case("localhost") || is_address())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_localhost_and_addresses_are_ours() {
        for host in
            ["localhost", "localhost:1515", "LocalHost:80", "127.0.0.1:1515", "[::1]:1515", "[::1]", "192.0.2.7"]
        {
            assert!(is_ours(host), "{host}");
        }
        for host in
            ["", "example.org", "localhost.example.org:1515", "127.0.0.1.example.org", "[::1", "::1", "localhost:x"]
        {
            assert!(!is_ours(host), "{host}");
        }
    }
}
