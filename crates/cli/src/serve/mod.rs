//! `rely serve`: the page, with the engine of this program instead of the one in the browser.
//!
//! **Problem.** The engine in the browser has one thread and little memory. The same page can ask this program; but a program
//! that answers on a port can be asked by every page that the browser shows, whoever wrote it.
//!
//! **Idea.** The port is one of the loopback interface. What is asked has to come with a token that is made anew each time and
//! is known from the link only; it stands behind `#`, so that it is never sent with a request for a page. The name of the host
//! has to be the one in the link, so that no other name can be made to lead here, and what a browser says about the page that
//! asks has to be this one. The page itself may load nothing from elsewhere.
//!
//! One question is answered at a time. `/stop` ends it.

mod files;
mod http;
mod token;

use std::collections::BTreeMap;
use std::io::BufReader;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use rely_ide::Desk;
use rely_session::Project;
use serde_json::json;

use crate::args::Serve;
use crate::context::{Context, Exit};
use crate::memory;
use crate::question::Question;
use http::{Answer, Request};

/// How long a question may take where no limit was given.
const PATIENCE: Duration = Duration::from_secs(600);

/// How long one waits for a request to come in.
const WAIT: Duration = Duration::from_secs(10);

/// What all connections share.
struct Shared {
    /// Where it listens, as it stands in the link.
    host: String,
    token: String,
    desk: Mutex<Desk>,
    /// How often it was said that the question is to be given up.
    stops: AtomicU64,
    patience: Duration,
    /// What the page begins with, as JSON.
    start: String,
}

pub(crate) fn run(context: &Context, verb: &Serve) -> anyhow::Result<Exit> {
    let start = match &verb.file {
        None => json!({}),
        Some(path) => {
            let project = context.open_one(path)?;
            let name =
                path.file_name().map_or(project.name().to_owned(), |it| it.to_string_lossy().into_owned());
            json!({"name": name, "text": project.text(), "others": view_beside(path)})
        }
    };
    let listener = TcpListener::bind(("127.0.0.1", verb.port)).context("the port cannot be opened")?;
    let host = format!("127.0.0.1:{}", listener.local_addr()?.port());
    let token = token::new()?;
    context.print(&format!("http://{host}/#token={token}\n"))?;
    context.remark("open this link in a browser; Ctrl-C ends");
    let shared = Arc::new(Shared {
        host,
        token,
        desk: Mutex::default(),
        stops: AtomicU64::new(0),
        patience: context.global.timeout.unwrap_or(PATIENCE),
        start: start.to_string(),
    });
    // Whoever waits for a connection is woken now and then, to see whether somebody has pressed Ctrl-C.
    listener.set_nonblocking(true)?;
    while !context.watch.is_interrupted() {
        match listener.accept() {
            Ok((stream, _)) => begin(stream, &shared),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    Ok(Exit::Success)
}

/// The view of a model and its picture, by their names, where they lie beside the model.
fn view_beside(model: &Path) -> BTreeMap<String, String> {
    let read = |name: &str| std::fs::read_to_string(model.with_file_name(name)).ok();
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    let name = rely_session::view_of(&name);
    let Some(view) = read(&name) else { return BTreeMap::new() };
    let file = Project::new(name.as_str(), view.as_str(), Box::new(|_| Err("no imports".into())));
    let picture = rely_session::picture_of(&file);
    let picture = picture.and_then(|name| Some((name.clone(), read(&name)?)));
    [(name, view)].into_iter().chain(picture).collect()
}

/// Answers one connection, in a thread with room for deep texts. Where there is no thread the connection is closed.
fn begin(stream: TcpStream, shared: &Arc<Shared>) {
    let shared = Arc::clone(shared);
    let stack = memory::stack(crate::STACK);
    let _ = std::thread::Builder::new().name("answer".to_owned()).stack_size(stack).spawn(move || {
        // A browser that does not wait for the answer has no use for it.
        let _ = converse(&stream, &shared);
    });
}

fn converse(stream: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(WAIT))?;
    stream.set_write_timeout(Some(WAIT))?;
    let answer = match Request::read(&mut BufReader::new(stream)) {
        Ok(request) => shared.answer(&request),
        Err(_) => Answer::refusal(400, "this is no request"),
    };
    let mut stream = stream;
    answer.write(&mut stream)
}

impl Shared {
    fn answer(&self, request: &Request) -> Answer {
        if !self.is_for_us(request) {
            return Answer::refusal(403, "this address is not served to you");
        }
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", path) => {
                files::file(path).unwrap_or_else(|| Answer::refusal(404, "there is no such page"))
            }
            ("POST", path) => {
                let has_token =
                    request.header("x-rely-token").is_some_and(|it| token::is_same(it, &self.token));
                match path {
                    _ if !has_token => Answer::refusal(403, "the link of this page is not the right one"),
                    "/call" => self.call(&request.body),
                    "/start" => Answer::json(self.start.clone()),
                    "/stop" => {
                        self.stops.fetch_add(1, Ordering::Relaxed);
                        Answer::json("{}".to_owned())
                    }
                    _ => Answer::refusal(404, "there is no such page"),
                }
            }
            _ => Answer::refusal(405, "this cannot be done here"),
        }
    }

    /// Whether a request names this program and comes from its page, or from no page.
    fn is_for_us(&self, request: &Request) -> bool {
        let is_host = request.header("host") == Some(self.host.as_str());
        let own = format!("http://{}", self.host);
        let is_own_page = request.header("origin").is_none_or(|origin| origin == own);
        let is_same_site =
            request.header("sec-fetch-site").is_none_or(|it| matches!(it, "same-origin" | "none"));
        is_host && is_own_page && is_same_site
    }

    fn call(&self, body: &[u8]) -> Answer {
        let Ok(message) = std::str::from_utf8(body) else {
            return Answer::refusal(400, "the message is no text");
        };
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        match Question::begin(self.patience, &self.stops).ask(&mut desk, message) {
            Ok(answer) => Answer::json(answer),
            Err(reason) => Answer::json(json!({"error": reason}).to_string()),
        }
    }
}
