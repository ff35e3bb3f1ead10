//! One connection that asks without a pause.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

/// What all connections do.
pub(crate) struct Load {
    pub(crate) port: u16,
    pub(crate) client: Arc<ClientConfig>,
    pub(crate) good: String,
    /// Whether the server converts, or echoes.
    pub(crate) converts: bool,
    pub(crate) until: Instant,
}

/// What came of it.
#[derive(Default)]
pub(crate) struct Sent {
    /// Of every request with a good body, from its first byte to the last of its answer.
    pub(crate) millis: Vec<f64>,
    /// Requests with a bad body.
    pub(crate) bad: usize,
    pub(crate) errors: Vec<String>,
}

impl Sent {
    pub(crate) fn add(&mut self, other: Sent) {
        self.millis.extend(other.millis);
        self.bad += other.bad;
        self.errors.extend(other.errors);
    }
}

type Stream = StreamOwned<ClientConnection, TcpStream>;

/// Asks until time is up.
pub(crate) fn drive(load: &Load) -> Sent {
    let mut sent = Sent::default();
    while Instant::now() < load.until {
        if let Err(error) = connection(load, &mut sent) {
            sent.errors.push(error.to_string());
        }
    }
    sent
}

/// One connection, for 500 requests.
fn connection(load: &Load, sent: &mut Sent) -> io::Result<()> {
    let socket = TcpStream::connect(("127.0.0.1", load.port))?;
    socket.set_nodelay(true)?;
    socket.set_read_timeout(Some(Duration::from_secs(30)))?;
    let name = ServerName::try_from("localhost").expect("a name");
    let mut stream =
        StreamOwned::new(ClientConnection::new(load.client.clone(), name).map_err(io::Error::other)?, socket);
    for nth in 0..500 {
        if Instant::now() >= load.until {
            break;
        }
        let is_bad = nth % 50 == 9;
        let cut = load.good.len() / 2;
        let body = if is_bad { &load.good[..cut] } else { &load.good };
        let begun = Instant::now();
        let (code, answer) = ask(&mut stream, body)?;
        let took = begun.elapsed();
        let right = match (load.converts, is_bad) {
            (true, true) => code == 400 && answer.contains("\"kind\":\"Status\""),
            (true, false) => {
                code == 200 && answer.contains("\"status\":\"Success\"") && answer.contains("\"weight\":1000")
            }
            (false, _) => code == 200 && answer == body,
        };
        if !right {
            sent.errors.push(format!("{code}: {}", answer.chars().take(200).collect::<String>()));
        }
        match is_bad {
            true => sent.bad += 1,
            false => sent.millis.push(took.as_secs_f64() * 1e3),
        }
    }
    Ok(())
}

fn ask(stream: &mut Stream, body: &str) -> io::Result<(u16, String)> {
    let head = format!("POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(&[head.as_bytes(), body.as_bytes()].concat())?;
    let mut bytes = Vec::new();
    let mut chunk = [0; 16 << 10];
    loop {
        let read = stream.read(&mut chunk)?;
        if read == 0 {
            return Err(io::Error::other("closed in the middle"));
        }
        bytes.extend_from_slice(&chunk[..read]);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
        let length = length.ok_or_else(|| io::Error::other("no length"))?;
        if bytes.len() >= end + 4 + length {
            let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
            return Ok((code, String::from_utf8_lossy(&bytes[end + 4..end + 4 + length]).into_owned()));
        }
    }
}
