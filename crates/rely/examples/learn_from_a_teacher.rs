//! Learns the language of a teacher of your own: here, the sequences of calls that a door accepts, which nobody has written
//! down. The teacher tries words on the door, and compares conjectures with it on all short words.

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use rely::learn::{ActionId, Dfa, Id, Settings, Teacher, Word, learn};

/// The calls, in the order of their numbers.
const CALLS: [&str; 3] = ["lock", "unlock", "open"];

/// A door: what it is now. Once it has been misused it stays so.
#[derive(Clone, Copy, PartialEq)]
enum Door {
    Locked,
    Unlocked,
    Misused,
}

impl Door {
    fn after(self, call: ActionId) -> Self {
        match (self, CALLS[call.index()]) {
            (Self::Locked, "unlock") | (Self::Unlocked, "open") => Self::Unlocked,
            (Self::Unlocked, "lock") => Self::Locked,
            _ => Self::Misused,
        }
    }
}

struct DoorTeacher {
    questions: usize,
}

impl Teacher for DoorTeacher {
    type Place = Door;
    type Stop = std::convert::Infallible;

    fn start(&mut self) -> Result<Door, Self::Stop> {
        Ok(Door::Locked)
    }

    fn step(&mut self, from: &Door, letter: ActionId) -> Result<Door, Self::Stop> {
        self.questions += 1;
        Ok(from.after(letter))
    }

    fn accepts(&mut self, place: &Door) -> Result<bool, Self::Stop> {
        Ok(*place != Door::Misused)
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Self::Stop> {
        let mut words: Vec<Word> = vec![Vec::new()];
        for _ in 0..4 {
            for word in &words {
                let door = word.iter().fold(Door::Locked, |door, &call| door.after(call));
                if hypothesis.accepts(word) != (door != Door::Misused) {
                    return Ok(vec![word.clone()]);
                }
            }
            let longer = |word: &Word| {
                let word = word.clone();
                (0..CALLS.len()).map(move |call| [&word[..], &[ActionId::from_index(call)]].concat())
            };
            words = words.iter().flat_map(longer).collect();
        }
        Ok(Vec::new())
    }
}

fn main() {
    let mut teacher = DoorTeacher { questions: 0 };
    let Ok(learned) = learn(&Settings::default(), CALLS.len(), &mut teacher, None);
    println!("{} states, {} steps asked for", learned.hypothesis.state_count(), teacher.questions);
    assert_eq!(learned.hypothesis.state_count(), 3);
}
