//! Secure connections, and what is not.

use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::server::Stream;
use super::{Asked, FILES, Reply, Server, good, nibble};
use crate::common::{Home, Ran, files, json};

fn certificate(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/it/tables/fetching/certificates", name].iter().collect()
}

/// A server that speaks TLS, and its address.
fn secure(reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> (Server, String) {
    let chain = vec![CertificateDer::from_pem_file(certificate("server.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(certificate("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = Arc::new(config.with_single_cert(chain, key).unwrap());
    let wrap = move |stream: TcpStream| -> Box<dyn Stream> {
        Box::new(StreamOwned::new(ServerConnection::new(config.clone()).unwrap(), stream))
    };
    let server = Server::over(Arc::new(wrap), reply);
    let address = server.address().replace("http:", "https:");
    (server, address)
}

/// Fetches, trusting the certificates of a file.
fn fetch(home: &Home, from: &str, trusted: &str) -> Ran {
    let name = nibble();
    let mut command =
        home.command(&["tables", "fetch", &name, "--from", from, "--out", "t", "--json", "--retries", "1"]);
    Ran::new(command.env("SSL_CERT_FILE", certificate(trusted)).output().unwrap())
}

fn fetched(home: &Home, from: &str) {
    let ran = fetch(home, from, "authority.pem");
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(json(&ran.stdout)["bytes"], FILES[&nibble()].len());
    assert!(std::fs::read(home.join("t").join(nibble())).unwrap() == FILES[&nibble()]);
}

#[test]
fn secure_servers_are_fetched_from_and_go_on_after_a_break() {
    let (server, address) =
        secure(|asked| if asked.is_first_get() { good(asked).cut_after(9000) } else { good(asked) });
    fetched(&Home::new(), &address);
    assert_eq!(server.gets(), [None, Some(9000)]);
}

#[test]
fn servers_that_nobody_vouches_for_are_refused() {
    let (server, address) = secure(good);
    let home = Home::new();
    // Whom the system trusts; whom a file has, and one that is not there; and a name that the certificate does not have.
    let name = nibble();
    let by_system = home.run(&["tables", "fetch", &name, "--from", &address]);
    let wrong_file = fetch(&home, &address, "server.key");
    let no_file = fetch(&home, &address, "nothing.pem");
    let other_name = fetch(&home, &address.replace("127.0.0.1", "localhost"), "authority.pem");
    for ran in [by_system, wrong_file, no_file, other_name] {
        assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("the connection is not secure (invalid peer certificate"), "{}", ran.stderr);
        assert!(ran.stderr.contains("SSL_CERT_FILE"), "{}", ran.stderr);
    }
    assert!(server.asked().is_empty() && files(home.path()).is_empty());
}

#[test]
fn nobody_is_led_from_a_secure_server_to_one_that_is_not() {
    fn redirects_to(address: &str) -> impl Fn(&Asked) -> Reply + Send + Sync + use<> {
        let address = address.to_owned();
        move |asked| Reply::new(302, b"").with("Location", &format!("{address}{}", asked.file))
    }
    let plain = Server::new(good);
    let (_down, down_address) = secure(redirects_to(&plain.address()));
    let home = Home::new();
    // At once, and by a detour.
    let detour = Server::new(redirects_to(&down_address));
    for from in [down_address, detour.address()] {
        let ran = fetch(&home, &from, "authority.pem");
        assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("the server sent us from https to http (127.0.0.1)"), "{}", ran.stderr);
        assert!(plain.gets().is_empty() && files(home.path()).is_empty());
    }
    let (_secure, address) = secure(good);
    let up = Server::new(redirects_to(&address));
    fetched(&home, &up.address());
}

#[test]
fn servers_that_speak_something_else_are_given_up() {
    let (plain, (_server, address)) = (Server::new(good), secure(good));
    for from in [plain.address().replace("http:", "https:"), address.replace("https:", "http:")] {
        let home = Home::new();
        let ran = fetch(&home, &from, "authority.pem");
        assert!(ran.code == 2 && ran.stderr.contains(&format!("error: {from}manifest.jsonl: ")), "{}", ran.stderr);
        assert!(files(home.path()).is_empty());
    }
}
