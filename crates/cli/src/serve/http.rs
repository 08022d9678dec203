//! As much of HTTP/1.1 as a page on the same computer needs: one request a connection.

use std::io::{BufRead, Error, ErrorKind, Read, Write};

/// The longest head of a request, in bytes.
const LONGEST_HEAD: u64 = 16 << 10;

/// The longest body of a request, in bytes: a text and what is asked about it.
const LONGEST_BODY: usize = 64 << 20;

/// A request.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) method: String,
    /// The path, without what follows `?`.
    pub(super) path: String,
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// Reads a request.
    pub(super) fn read(input: &mut impl BufRead) -> std::io::Result<Self> {
        let wrong = || Error::from(ErrorKind::InvalidData);
        let mut head = input.take(LONGEST_HEAD);
        let line = line(&mut head)?;
        let mut words = line.split(' ');
        let (Some(method), Some(target), Some("HTTP/1.1" | "HTTP/1.0")) =
            (words.next(), words.next(), words.next())
        else {
            return Err(wrong());
        };
        let path = target.split('?').next().unwrap_or_default();
        let mut request = Self { method: method.to_owned(), path: path.to_owned(), ..Self::default() };
        loop {
            let line = self::line(&mut head)?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').ok_or_else(wrong)?;
            request.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        if request.header("transfer-encoding").is_some() {
            return Err(wrong());
        }
        let length = request.header("content-length").map_or(Ok(0), str::parse).map_err(|_| wrong())?;
        if length > LONGEST_BODY {
            return Err(wrong());
        }
        // What is not there does not take memory.
        input.take(length as u64).read_to_end(&mut request.body)?;
        if request.body.len() < length { Err(wrong()) } else { Ok(request) }
    }

    /// The value of a header, by its name in small letters; nothing if it is there twice.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        let first = values.next()?;
        values.next().is_none().then_some(first.1.as_str())
    }
}

/// A line of the head, without its end.
fn line(head: &mut impl BufRead) -> std::io::Result<String> {
    let mut line = Vec::new();
    head.read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    String::from_utf8(line).map_err(|_| ErrorKind::InvalidData.into())
}

/// An answer.
pub(super) struct Answer {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

/// What the page may do: load what is served here, and ask here.
const POLICY: &str = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

impl Answer {
    /// A file.
    pub(super) fn file(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, kind, body: body.into() }
    }

    /// A value.
    pub(super) fn json(body: String) -> Self {
        Self::file("application/json", body)
    }

    /// That there is no answer.
    pub(super) fn refusal(status: u16, reason: &str) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: format!("{reason}\n").into_bytes() }
    }

    pub(super) fn write(&self, output: &mut impl Write) -> std::io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            _ => "Method Not Allowed",
        };
        let head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nContent-Security-Policy: {POLICY}\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Cache-Control: no-store\r\nConnection: close\r\n\r\n",
            self.status,
            self.kind,
            self.body.len()
        );
        output.write_all(head.as_bytes())?;
        output.write_all(&self.body)?;
        output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::io::Result<Request> {
        Request::read(&mut text.as_bytes())
    }

    #[test]
    fn requests_are_read() {
        let request =
            read("POST /call?x=1 HTTP/1.1\r\nHost: a\r\nX-Rely-Token:  t \r\nContent-Length: 3\r\n\r\nabcd");
        let request = request.expect("well-formed");
        assert_eq!((&*request.method, &*request.path, &*request.body), ("POST", "/call", &b"abc"[..]));
        assert_eq!(request.header("x-rely-token"), Some("t"));
        assert_eq!(request.header("origin"), None);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in [
            "",
            "GET /",
            "GET / HTTP/1.1",
            "GET / HTTP/2\r\n\r\n",
            "GET / HTTP/1.1\r\nnonsense\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
        assert!(read(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000))).is_err());
        let twice = read("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").expect("well-formed");
        assert_eq!(twice.header("host"), None);
    }
}
