//! Files on a web server. This is the only place of the whole tree that uses the network on its own account.

use std::io::{self, ErrorKind, Read};
use std::time::Duration;

use ureq::http::{HeaderMap, Method, Request, Response, StatusCode, Uri, header, uri::Scheme};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, Error, Proxy, ResponseExt};

use super::source::Answer;
use super::{DEFAULT_TIMEOUT, SourceError, ViaProxy};

/// How often a server may send us elsewhere.
const MOST_REDIRECTIONS: u32 = 5;

/// The variables that name proxies, in the order in which the client looks at them.
const PROXIES: [&str; 6] = ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/// The variables that name files and directories of certificates, instead of those of the system.
const CERTIFICATES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// A directory on a web server.
#[derive(Clone, Debug)]
pub(super) struct Web {
    base: Uri,
    agent: Agent,
    timeout: Duration,
    roots: RootCerts,
    proxy: ViaProxy,
}

impl Web {
    /// The directory of an address. No connection is made yet.
    pub(super) fn new(address: &str) -> Result<Web, SourceError> {
        let wrong = || SourceError::Address(address.to_owned());
        let base: Uri = address.parse().map_err(|_| wrong())?;
        if base.host().is_none_or(str::is_empty) {
            return Err(wrong());
        }
        let is_set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
        let is_wrong = |name: &&str| std::env::var(name).is_ok_and(|value| Proxy::new(&value).is_err());
        // The client would pass over it in silence, and connect without a proxy.
        if let Some(name) = PROXIES.into_iter().filter(is_set).find(is_wrong) {
            return Err(SourceError::Proxy(name));
        }
        let proxy = Proxy::try_from_env().filter(|proxy| !proxy.is_no_proxy(&base));
        let proxy = ViaProxy(proxy.map(|proxy| format!("{}:{}", proxy.host(), proxy.port())));
        let roots = root_certificates();
        let agent = agent(&base, DEFAULT_TIMEOUT, &roots);
        Ok(Web { base, agent, timeout: DEFAULT_TIMEOUT, roots, proxy })
    }

    /// The same, giving up on connections that bring nothing for this long.
    pub(super) fn with_timeout(self, timeout: Duration) -> Web {
        Web { agent: agent(&self.base, timeout, &self.roots), timeout, ..self }
    }

    /// The address of a file.
    fn address(&self, file: &str) -> String {
        let scheme = self.base.scheme_str().unwrap_or_default();
        let authority = self.base.authority().map_or("", |authority| authority.as_str());
        let query = self.base.query().map(|query| format!("?{query}")).unwrap_or_default();
        format!("{scheme}://{authority}{}{file}{query}", self.directory())
    }

    /// The same for people: without a password, or what else is nobody's business.
    pub(super) fn shown(&self, file: &str) -> String {
        let scheme = self.base.scheme_str().unwrap_or_default();
        let port = self.base.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{scheme}://{}{port}{}{file}", self.base.host().unwrap_or_default(), self.directory())
    }

    fn directory(&self) -> String {
        format!("{}/", self.base.path().trim_end_matches('/'))
    }

    /// What the server says of a file, without sending it.
    pub(super) fn look_up(&self, file: &str) -> Result<Answer, SourceError> {
        let response = self.send(Method::HEAD, file, 0, None)?;
        match response.status() {
            StatusCode::OK => Ok(Answer { from: 0, total: length(response.headers()), version: None }),
            // It may be there all the same.
            StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED => {
                Ok(Answer { from: 0, total: None, version: None })
            }
            other => Err(refused(other)),
        }
    }

    /// What the server says of a file, and then its bytes from one of them on. From the first one, if the server sends only whole
    /// files, or the file is no longer of this version.
    pub(super) fn get(
        &self,
        file: &str,
        from: u64,
        version: Option<&str>,
    ) -> Result<(Answer, impl Read + use<>), SourceError> {
        let response = self.send(Method::GET, file, from, version)?;
        let headers = response.headers();
        let version = text(headers, header::ETAG).filter(|tag| tag.starts_with('"')).map(str::to_owned);
        let answer = match response.status() {
            StatusCode::OK => Answer { from: 0, total: length(headers), version },
            StatusCode::PARTIAL_CONTENT => {
                let range = text(headers, header::CONTENT_RANGE).and_then(Range::parse);
                let first = range.and_then(|range| range.first).ok_or(SourceError::Status(206))?;
                let rest = length(headers).and_then(|rest| rest.checked_add(first));
                Answer { from: first, total: range.and_then(|range| range.total).or(rest), version }
            }
            StatusCode::RANGE_NOT_SATISFIABLE if from > 0 => {
                let total = text(headers, header::CONTENT_RANGE).and_then(Range::parse).and_then(|range| range.total);
                return Err(SourceError::PastTheEnd(total));
            }
            other => return Err(refused(other)),
        };
        Ok((answer, response.into_body().into_reader()))
    }

    fn send(
        &self,
        method: Method,
        file: &str,
        from: u64,
        version: Option<&str>,
    ) -> Result<Response<Body>, SourceError> {
        // What is packed on the way has other lengths and ranges.
        let mut request =
            Request::builder().method(method).uri(self.address(file)).header("accept-encoding", "identity");
        if from > 0 {
            request = request.header(header::RANGE, format!("bytes={from}-"));
            if let Some(version) = version {
                request = request.header(header::IF_RANGE, version);
            }
        }
        let request = request.body(()).map_err(|error| self.error(error.into()))?;
        let response = self.agent.run(request).map_err(|error| self.error(error))?;
        let history = response.get_redirect_history().unwrap_or_default();
        let is_secure = |address: &Uri| address.scheme() == Some(&Scheme::HTTPS);
        match history.windows(2).find(|step| is_secure(&step[0]) && !is_secure(&step[1])) {
            Some(step) => Err(SourceError::Downgrade(step[1].host().unwrap_or_default().to_owned())),
            None => Ok(response),
        }
    }

    /// What an error means that was met while a body was read.
    pub(super) fn error_of_reading(&self, error: io::Error) -> SourceError {
        self.error(error.into())
    }

    fn error(&self, error: Error) -> SourceError {
        match error {
            Error::Timeout(_) => SourceError::TimedOut(self.timeout),
            Error::TooManyRedirects => SourceError::Redirections(MOST_REDIRECTIONS),
            Error::RequireHttpsOnly(address) => {
                let host = address.parse::<Uri>().ok().and_then(|address| Some(address.host()?.to_owned()));
                SourceError::Downgrade(host.unwrap_or_default())
            }
            Error::Io(error) => match error.kind() {
                ErrorKind::ConnectionRefused
                | ErrorKind::HostUnreachable
                | ErrorKind::NetworkUnreachable
                | ErrorKind::AddrNotAvailable => SourceError::Connect(error, self.proxy.clone()),
                // What TLS refuses comes as this.
                ErrorKind::InvalidData => SourceError::NotSecure(error),
                _ => SourceError::Io(error),
            },
            other => SourceError::Client(other.into(), self.proxy.clone()),
        }
    }
}

/// A client for an address.
fn agent(base: &Uri, timeout: Duration, roots: &RootCerts) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .https_only(base.scheme() == Some(&Scheme::HTTPS))
        .max_redirects(MOST_REDIRECTIONS)
        .save_redirect_history(true)
        .timeout_resolve(Some(timeout))
        .timeout_connect(Some(timeout))
        .timeout_recv_response(Some(timeout))
        .timeout_per_read(Some(timeout))
        .timeout_per_write(Some(timeout))
        .tls_config(TlsConfig::builder().root_certs(roots.clone()).build())
        .user_agent(concat!("tilebase/", env!("CARGO_PKG_VERSION")));
    config.build().into()
}

/// The certificates that the system trusts; where it has none, as in small containers, Mozilla's, which are part of the program.
fn root_certificates() -> RootCerts {
    let of_system = rustls_native_certs::load_native_certs().certs;
    let are_chosen = CERTIFICATES.iter().any(|name| std::env::var_os(name).is_some());
    if of_system.is_empty() && !are_chosen {
        return RootCerts::WebPki;
    }
    of_system.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).into()
}

/// What a status means that brings no file. Some servers say "forbidden" of files that are not there.
fn refused(status: StatusCode) -> SourceError {
    match status {
        StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::FORBIDDEN => SourceError::Absent(Some(status.as_u16())),
        other => SourceError::Status(other.as_u16()),
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn length(headers: &HeaderMap) -> Option<u64> {
    text(headers, header::CONTENT_LENGTH)?.trim().parse().ok()
}

/// The value of `Content-Range`, such as `bytes 100-199/200`, `bytes 100-199/*` or `bytes */200`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    first: Option<u64>,
    total: Option<u64>,
}

impl Range {
    fn parse(text: &str) -> Option<Range> {
        let (range, total) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
        let first = if range == "*" { None } else { Some(range.split_once('-')?.0.trim().parse().ok()?) };
        let total = if total == "*" { None } else { Some(total.trim().parse().ok()?) };
        Some(Range { first, total })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_beside_each_other_whatever_the_address_ends_with() {
        for (address, whole, shown) in [
            ("http://example.org", "http://example.org/f", "http://example.org/f"),
            ("http://example.org/t", "http://example.org/t/f", "http://example.org/t/f"),
            ("https://example.org:8/a/t/", "https://example.org:8/a/t/f", "https://example.org:8/a/t/f"),
            (
                "http://me:secret@example.org/t?key=1",
                "http://me:secret@example.org/t/f?key=1",
                "http://example.org/t/f",
            ),
            ("http://[::1]:8000/", "http://[::1]:8000/f", "http://[::1]:8000/f"),
        ] {
            let web = Web::new(address).unwrap();
            assert_eq!((web.address("f").as_str(), web.shown("f").as_str()), (whole, shown));
        }
    }

    #[test]
    fn ranges_are_read_and_nonsense_is_not() {
        let range = |first, total| Some(Range { first, total });
        assert_eq!(Range::parse("bytes 100-199/200"), range(Some(100), Some(200)));
        assert_eq!(Range::parse("bytes 100-199/*"), range(Some(100), None));
        assert_eq!(Range::parse("bytes */200"), range(None, Some(200)));
        for wrong in
            ["", "bytes", "bytes 1-2", "bytes x-2/3", "lines 1-2/3", "bytes 1/3", "bytes 1-2/x", "bytes -1-2/3"]
        {
            assert_eq!(Range::parse(wrong), None, "{wrong}");
        }
    }
}
