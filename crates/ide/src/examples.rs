//! The examples that a page offers: models of the book, each with what there is to find out.

/// An example.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Example {
    /// The name of its file.
    pub name: &'static str,
    /// What there is to find out.
    pub question: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Further files, by their names: a view and its picture.
    pub others: &'static [(&'static str, &'static str)],
}

/// The view and the picture of a model, in the folder `models/views`.
macro_rules! animated {
    ($stem:literal) => {
        &[
            (
                concat!($stem, ".view.json"),
                include_str!(concat!("../../../models/views/", $stem, ".view.json")),
            ),
            (concat!($stem, ".svg"), include_str!(concat!("../../../models/views/", $stem, ".svg"))),
        ]
    };
}

/// A model of the folder `models`.
macro_rules! example {
    ($name:literal, $question:literal) => {
        example!($name, $question, &[])
    };
    ($name:literal, $question:literal, $others:expr) => {
        Example {
            name: $name,
            question: $question,
            text: include_str!(concat!("../../../models/", $name)),
            others: $others,
        }
    };
}

/// The examples, the easiest first.
pub const EXAMPLES: [Example; 13] = [
    example!("philosophers.lts", "Can five philosophers starve?", animated!("philosophers")),
    example!("mutex-writer.lts", "Which environments leave a writer undisturbed?"),
    example!("traffic-light.lts", "Does who presses the button get across?", animated!("traffic-light")),
    example!("bridge.lts", "Is a bridge with one lane safe, and fair?"),
    example!("readers-writers.lts", "Does a writer ever wait for ever?"),
    example!("client-server.lts", "What are the rules of a server that lends one thing?"),
    example!("alternating-bit.lts", "Does one bit suffice where messages are lost?"),
    example!("gas-station.lts", "Does every customer get the right change?"),
    example!("elevator.lts", "Can a car move while its doors are open?"),
    example!("token-ring.lts", "Does a token keep stations apart?"),
    example!("relay.adb", "Tasks in Ada: what do they do together?"),
    example!("door.srs", "Reactive machines: does the door obey?"),
    example!("retry.aim", "Message components: is every request answered?"),
];
