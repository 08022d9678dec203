//! Sharing the allowed time between several questions.
//!
//! Problem: with several questions and a limit on time, all answers that can be found within the limit are wanted.
//! Asked one after the other, a question that takes too long leaves no time for those after it, however easy they
//! are.
//!
//! Idea: rounds. In each round every open question is asked again with an equal share of the time of the round; the
//! first round has little time, the next one more, and the last all that is left. So easy questions are answered in
//! the first round, and hard ones share the rest. A single question gets all the time at once.
//!
//! Why it is cheap: a question is asked in vain only in rounds whose shares are shorter than it takes, and the shares
//! grow. So all questions together take at most two and a half times as long as asking each once, and a single
//! question no longer. Without a limit on time there is one round, and every question is asked once, in order.

use rely_base::Budget;

/// The first rounds each get a fraction of the time that is left: one sixteenth, then one quarter. The last gets the rest.
const ROUNDS: [usize; 2] = [16, 4];

/// Asks questions, given by their numbers, in rounds. `ask` gets its share of the budget, and returns whether the
/// question is settled, so that more time would be of no use. Every question is asked at least once. Returns the
/// questions that are not settled when the time is over.
///
/// # Errors
/// The error of a question, which ends all rounds.
pub(crate) fn in_turns<E>(
    questions: impl IntoIterator<Item = usize>,
    budget: Budget<'_>,
    mut ask: impl FnMut(usize, Budget<'_>) -> Result<bool, E>,
) -> Result<Vec<usize>, E> {
    let mut open: Vec<usize> = questions.into_iter().collect();
    let mut rounds = ROUNDS.into_iter();
    while !open.is_empty() {
        let parts = if open.len() == 1 { 1 } else { rounds.next().unwrap_or(1) };
        let round = budget.share_of_time(parts);
        let asked = std::mem::take(&mut open);
        for (number, &question) in asked.iter().enumerate() {
            if !ask(question, round.share_of_time(asked.len() - number))? {
                open.push(question);
            }
        }
        if budget.is_out_of_time() {
            break;
        }
    }
    Ok(open)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use rely_base::{Limits, Observer, Progress, Resource};
    use rely_testkit::rng::{Rng, seeds};

    use super::*;

    /// A clock that advances with the work done.
    struct Clock(AtomicU64);

    /// How many units of work the time allows.
    const TIME: u64 = 1_000_000;

    impl Observer for Clock {
        fn observe(&self, _: &Progress) -> Option<Resource> {
            None
        }

        fn time_used(&self) -> Option<f64> {
            Some(self.0.load(Ordering::Relaxed) as f64 / TIME as f64)
        }
    }

    /// Asks questions that take these numbers of units: the order in which they were answered, those that were not,
    /// and the time.
    fn asked(work: &[u64]) -> (Vec<usize>, Vec<usize>, u64) {
        let clock = Clock(AtomicU64::new(0));
        let budget = Budget::new(Limits::default(), Some(&clock));
        let mut answered = Vec::new();
        let open = in_turns(0..work.len(), budget, |question, share| {
            let mut left = work[question];
            while left > 0 && !share.is_out_of_time() {
                clock.0.fetch_add(1, Ordering::Relaxed);
                left -= 1;
            }
            answered.extend((left == 0).then_some(question));
            Ok::<bool, ()>(left == 0)
        });
        (answered, open.expect("no question fails"), clock.0.into_inner())
    }

    #[test]
    fn a_slow_question_leaves_time_to_the_others() {
        assert_eq!(asked(&[2 * TIME, 100]).0, [1]);
        assert_eq!(asked(&[2 * TIME, 100]).1, [0]);
        assert_eq!(asked(&[2 * TIME, 2 * TIME, TIME / 5, 5]).0, [3, 2]);
        // A single question gets all the time, and so does the last one that is left.
        assert_eq!(asked(&[TIME - 1]).0, [0]);
        assert_eq!(asked(&[TIME * 9 / 10, 5, 5, 5]).0, [1, 2, 3, 0]);
        // All questions are asked, even without any time.
        let mut count = 0;
        let none = Clock(AtomicU64::new(TIME));
        let open = in_turns(0..3, Budget::new(Limits::default(), Some(&none)), |_, share| {
            assert!(share.is_out_of_time());
            count += 1;
            Ok::<bool, ()>(false)
        });
        assert_eq!((open, count), (Ok(vec![0, 1, 2]), 3));
    }

    #[test]
    fn rounds_cost_little() {
        for seed in seeds(200) {
            let mut rng = Rng::new(seed);
            let work: Vec<u64> = (0..1 + rng.below(6)).map(|_| 1 << rng.below(19)).collect();
            let sum: u64 = work.iter().sum();
            let (answered, open, time) = asked(&work);
            assert_eq!(answered.len() + open.len(), work.len(), "seed {seed}");
            // A set of questions that takes at most half of the time is answered completely.
            assert!(open.is_empty() || 2 * sum > TIME, "seed {seed}: {work:?} in {time}");
            assert!(open.is_empty() == (answered.len() == work.len()), "seed {seed}");
            assert!(time <= TIME.min(5 * sum / 2) + work.len() as u64, "seed {seed}: {work:?} in {time}");
        }
    }

    #[test]
    fn without_a_limit_every_question_is_asked_once_in_order() {
        let mut asked = Vec::new();
        let open = in_turns([2, 0, 1], Budget::UNLIMITED, |question, _| {
            asked.push(question);
            Ok::<bool, ()>(true)
        });
        assert_eq!((asked, open), (vec![2, 0, 1], Ok(Vec::new())));
        assert_eq!(in_turns([1, 2], Budget::UNLIMITED, |question, _| Err::<bool, usize>(question)), Err(1));
    }
}
