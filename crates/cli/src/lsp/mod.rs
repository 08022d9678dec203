//! `rely lsp`: a server for editors that speak the language server protocol, over standard input and output.
//!
//! **Two speeds.** What stands in the text is answered at once: after each edit the text is read again and what is wrong is
//! published. Verdicts take longer; they are looked for when a file is saved or a lens is clicked, in a thread of their own, and
//! can be cancelled. What was found about an earlier text is shown as stale until it is asked again.
//!
//! **Order.** One thread owns all texts. It reads messages in the order in which they come, and what other threads have found
//! as a message among them. Several edits that wait are all made before anything is published about them.
//!
//! **Faults.** A message that makes no sense is answered with an error or passed over. A mistake in this program that ends the
//! handling of one message does not end the server.

mod answers;
mod checks;
mod edits;
mod protocol;
mod server;
mod view;

use std::io::{BufReader, Write};
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::Context as _;
use lsp_server::{Message, RequestId};

use crate::context::{Context, Exit};
use checks::Found;
use server::{Next, Server};

/// What the server is woken by.
pub(crate) enum Event {
    /// A message of the editor.
    Message(Message),
    /// What a thread has found.
    Found(Found),
    /// The answer to a message of a view.
    Viewed(RequestId, Result<String, String>),
    /// Nothing more will come.
    End,
}

pub(crate) fn run(context: &Context) -> anyhow::Result<Exit> {
    let (events, received) = channel();
    let reader = events.clone();
    std::thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read(&reader))
        .context("no thread can be started")?;
    let mut server = Server::new(&context.global, events);
    let exit = serve(&mut server, &received)?;
    server.stop();
    Ok(exit)
}

/// Passes messages on until there are no more.
fn read(events: &Sender<Event>) {
    let mut input = BufReader::new(std::io::stdin());
    loop {
        let event = match Message::read(&mut input) {
            Ok(Some(message)) => Event::Message(message),
            // What is no message cannot be passed over: nobody knows where the next one begins.
            Ok(None) | Err(_) => Event::End,
        };
        let is_end = matches!(event, Event::End);
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}

fn serve(server: &mut Server, received: &Receiver<Event>) -> anyhow::Result<Exit> {
    while let Ok(event) = received.recv() {
        let mut event = Some(event);
        // Whatever waits is looked at before anything is published.
        while let Some(next) = event.take() {
            match server.handle(next) {
                Next::GoOn => {}
                Next::End(exit) => {
                    send(server)?;
                    return Ok(exit);
                }
            }
            event = received.try_recv().ok();
        }
        server.publish();
        send(server)?;
    }
    Ok(Exit::Success)
}

/// Writes what the server has to say.
fn send(server: &mut Server) -> anyhow::Result<()> {
    let mut output = std::io::stdout().lock();
    for message in server.take_messages() {
        message.write(&mut output).context("the editor does not listen any more")?;
    }
    output.flush().context("the editor does not listen any more")
}
