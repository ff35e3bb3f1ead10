//! The program on loopback: TLS, reviews, bad bodies, another certificate while it runs, and its end.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use super::faults_of;
use crate::place::root;

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An authority of certificates for `localhost`.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no name is a fine list");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("there is randomness");
        Authority(CertifiedIssuer::self_signed(params, key).expect("an authority signs itself"))
    }

    /// Writes a new pair, the key last.
    fn sign(&self, folder: &Path) {
        let key = KeyPair::generate().expect("there is randomness");
        let params = CertificateParams::new(["localhost".to_owned()]).expect("localhost is a name");
        let certificate = params.signed_by(&key, &self.0).expect("the authority signs");
        std::fs::write(folder.join("tls.crt"), certificate.pem()).expect("a file is written");
        std::fs::write(folder.join("tls.key"), key.serialize_pem()).expect("a file is written");
    }

    /// A client that trusts this authority alone.
    fn client(&self) -> Arc<ClientConfig> {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        Arc::new(builder.expect("ring has the versions").with_root_certificates(roots).with_no_client_auth())
    }
}

/// The program while it runs.
struct Program {
    child: Child,
    log: BufReader<std::process::ChildStderr>,
    port: u16,
}

impl Program {
    fn start(folder: &Path, flags: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tidegate-webhook"))
            .args(["--listen", "127.0.0.1:0", "--reload-every", "0.05"])
            .arg("--tls-cert")
            .arg(folder.join("tls.crt"))
            .arg("--tls-key")
            .arg(folder.join("tls.key"))
            .args(flags)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let log = BufReader::new(child.stderr.take().expect("it is piped"));
        let mut program = Program { child, log, port: 0 };
        let line = program.says("listening on https://127.0.0.1:");
        let port = line.rsplit("https://127.0.0.1:").next().and_then(|rest| rest.split([',', '\n']).next());
        program.port = port.and_then(|port| port.parse().ok()).expect("a port");
        program
    }

    /// The next line of the log that holds a text.
    fn says(&mut self, text: &str) -> String {
        let mut all = String::new();
        loop {
            let mut line = String::new();
            let read = self.log.read_line(&mut line).expect("the log is text");
            assert!(read > 0, "it ended before it said `{text}`: {all}");
            if line.contains(text) {
                return line;
            }
            all.push_str(&line);
        }
    }

    fn connect(&self, client: &Arc<ClientConfig>) -> StreamOwned<ClientConnection, TcpStream> {
        let socket = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        socket.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        let name = ServerName::try_from("localhost").expect("a name");
        let connection = ClientConnection::new(client.clone(), name).expect("a client");
        StreamOwned::new(connection, socket)
    }

    /// The code and the body of one request, on a connection of its own.
    fn ask(&self, client: &Arc<ClientConfig>, head: &str, body: &str) -> std::io::Result<(u16, String)> {
        let mut stream = self.connect(client);
        let length = body.len();
        write!(
            stream,
            "{head} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        read_answer(&mut stream)
    }

    /// A connection that has a place, and stays open.
    fn hold(&self, client: &Arc<ClientConfig>) -> StreamOwned<ClientConnection, TcpStream> {
        let begun = Instant::now();
        loop {
            let mut stream = self.connect(client);
            let mut byte = [0; 1];
            let asked = stream.write_all(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
            if asked.and_then(|()| stream.read_exact(&mut byte)).is_ok() {
                return stream;
            }
            assert!(begun.elapsed() < PATIENCE, "no place becomes free");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn signal(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill is there").success());
    }

    fn end(mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is a child") {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_answer(stream: &mut impl std::io::Read) -> std::io::Result<(u16, String)> {
    let mut text = String::new();
    match stream.read_to_string(&mut text) {
        // a server that closes without a farewell of TLS is fine once it has answered
        Err(error) if text.is_empty() => return Err(error),
        _ => {}
    }
    let code = text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    Ok((code, text.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned())))
}

fn recorded(case: &str) -> (String, String) {
    let read = |end: &str| std::fs::read_to_string(root().join(format!("golden/webhook/{case}.{end}.json")));
    (read("request").expect("a case"), read("answer").expect("a case"))
}

#[test]
fn reviews_go_through_tls_and_come_back_as_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = Authority::new();
    authority.sign(folder.path());
    let program = Program::start(folder.path(), &[]);
    let client = authority.client();
    for case in ["mixed-versions", "one-fails", "headers-travel"] {
        let (request, answer) = recorded(case);
        let (code, body) = program.ask(&client, "POST /convert", &request).expect("an answer");
        assert_eq!(code, 200, "{body}");
        assert_eq!(faults_of(&request, &body), Vec::<String>::new());
        let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
        assert_eq!(parsed(&body), parsed(&answer), "{case}");
    }
    for (head, body, code) in [
        ("GET /livez", "", 200),
        ("GET /readyz", "", 200),
        ("GET /convert", "", 405),
        ("GET /other", "", 404),
        ("POST /convert", "", 400),
        ("POST /convert", "{\"kind\":", 400),
        ("POST /convert", "{\"kind\":\"Review\",\"apiVersion\":\"v1\"}", 400),
        ("POST /convert", &"[".repeat(100_000), 400),
    ] {
        let (given, body) = program.ask(&client, head, body).expect("an answer");
        assert_eq!(given, code, "{head}: {body}");
        if code == 400 {
            assert!(body.contains("\"kind\":\"Status\"") && body.contains("\"code\":400"), "{body}");
        }
    }
    let (_, metrics) = program.ask(&client, "GET /metrics", "").expect("an answer");
    for line in [
        "tidegate_webhook_reviews_total{result=\"success\"} 2",
        "tidegate_webhook_reviews_total{result=\"failed\"} 1",
        "tidegate_webhook_reviews_total{result=\"refused\"} 4",
        "tidegate_webhook_objects_total 5",
        "tidegate_webhook_in_flight_reviews 0",
    ] {
        assert!(metrics.lines().any(|given| given == line), "{line} in\n{metrics}");
    }
}

#[test]
fn limits_are_answered_with_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = Authority::new();
    authority.sign(folder.path());
    let flags = ["--max-body-bytes", "100000", "--max-objects", "3", "--timeout", "0.5", "--max-connections", "4"];
    let mut program = Program::start(folder.path(), &flags);
    let client = authority.client();
    let (request, _) = recorded("mixed-versions");
    let (code, body) = program.ask(&client, "POST /convert", &request).expect("an answer");
    assert_eq!(code, 200);
    assert!(body.contains("the review has 4 objects, and at most 3 are taken"), "{body}");
    program.says("not converted: the review has 4 objects");
    let (code, body) = program.ask(&client, "POST /convert", &" ".repeat(100_001)).expect("an answer");
    assert_eq!(code, 413, "{body}");
    assert!(body.contains("--max-body-bytes"), "{body}");

    // a body that does not say how long it is
    let mut stream = program.connect(&client);
    write!(stream, "POST /convert HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
        .expect("sent");
    for _ in 0..11 {
        // the server may have turned away already
        let _ = write!(stream, "2710\r\n{}\r\n", " ".repeat(10_000));
    }
    let _ = write!(stream, "0\r\n\r\n");
    assert_eq!(read_answer(&mut stream).expect("an answer").0, 413);

    // a body that does not come
    let mut slow = program.connect(&client);
    write!(slow, "POST /convert HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10\r\n\r\n").expect("sent");
    slow.flush().expect("sent");
    assert_eq!(read_answer(&mut slow).expect("an answer").0, 408);
    drop((stream, slow));

    // more connections than there are places; those before may take a moment to end
    let held: Vec<_> = (0..4).map(|_| program.hold(&client)).collect();
    assert!(program.ask(&client, "GET /livez", "").is_err(), "the fifth is closed");
    drop(held);
}

#[test]
fn a_new_certificate_is_served_and_a_broken_one_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (Authority::new(), Authority::new());
    first.sign(folder.path());
    let mut program = Program::start(folder.path(), &[]);
    let (old, new) = (first.client(), second.client());
    assert!(program.ask(&new, "GET /livez", "").is_err(), "nobody has signed for the other authority");

    std::fs::write(folder.path().join("tls.crt"), "torn").expect("a file is written");
    let line = program.says("the certificate changed and stays as it was");
    assert!(line.contains("tls.crt holds no certificate"), "{line}");
    assert_eq!(program.ask(&old, "GET /readyz", "").expect("the old one serves").0, 200);

    second.sign(folder.path());
    program.says("the certificate changed: new connections get the new one");
    assert_eq!(program.ask(&new, "GET /readyz", "").expect("the new one serves").0, 200);
    assert!(program.ask(&old, "GET /livez", "").is_err(), "the old one is gone");
}

#[test]
fn it_ends_well_on_a_signal_and_lets_what_runs_come_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = Authority::new();
    authority.sign(folder.path());
    let mut program = Program::start(folder.path(), &["--plain-listen", "127.0.0.1:0", "--drain", "1"]);
    let client = authority.client();
    let (request, _) = recorded("one-fails");
    let (head, tail) = request.split_at(request.len() / 2);
    let mut stream = program.connect(&client);
    let length = request.len();
    write!(stream, "POST /convert HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n{head}").expect("sent");
    stream.flush().expect("sent");
    program.signal();
    program.says("stopping");
    // while it drains it serves, and tells whoever balances load to go elsewhere
    assert_eq!(program.ask(&client, "GET /readyz", "").expect("it still serves").0, 503);
    std::thread::sleep(Duration::from_millis(1200));
    stream.write_all(tail.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer, and a farewell");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("\"convertedObjects\":"), "{answer}");
    assert!(answer.to_lowercase().contains("\r\nconnection: close\r\n"), "{answer}");
    program.says("stopped");
    assert_eq!(program.end().code(), Some(0));
}

#[test]
fn what_cannot_be_served_is_said_and_is_no_success() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |flags: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_tidegate-webhook")).args(flags).output().expect("it starts");
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    let absent = folder.path().join("no.crt");
    let absent = absent.to_str().expect("UTF-8");
    let (code, said) = run(&["--tls-cert", absent, "--tls-key", absent]);
    assert_eq!(code, Some(3));
    assert!(said.contains("no.crt cannot be read"), "{said}");
    assert_eq!(run(&[]).0, Some(2));
    assert_eq!(run(&["--tls-cert", absent]).0, Some(2));
    assert_eq!(run(&["manifests", "--image", "a b"]).0, Some(2));
}
