//! The order of the components in a diagram.
//!
//! Source: Aloul, Markov, Sakallah, *FORCE: a fast and easy-to-implement variable-ordering heuristic*, GLSVLSI 2003.
//!
//! Idea: components that do something together pull at one another. Each event stands where its participants are on
//! average, and each component moves to where its events are on average, again and again; the order with the smallest
//! sum of distances between the first and the last participant of an event is kept. The order decides on the size of a
//! diagram and on nothing else. Cost: O(rounds × (participants + n log n)).

/// Rounds after which the order of real systems does not get better.
const ROUNDS: usize = 64;

/// The components of a network, each once, in an order in which those that meet in an event are near to one another.
pub(super) fn order(components: usize, events: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..components).collect();
    let mut best = (span(&order, events), order.clone());
    for _ in 0..ROUNDS {
        let place = inverse(&order);
        let mut pull = vec![(0.0, 0_u32); components];
        for event in events {
            let centre =
                event.iter().map(|&component| place[component] as f64).sum::<f64>() / event.len() as f64;
            for &component in event {
                pull[component].0 += centre;
                pull[component].1 += 1;
            }
        }
        let wish = |component: usize| match pull[component] {
            (_, 0) => place[component] as f64,
            (sum, count) => sum / f64::from(count),
        };
        let before = order.clone();
        order.sort_by(|&one, &other| wish(one).total_cmp(&wish(other)));
        if order == before {
            break;
        }
        let span = span(&order, events);
        if span < best.0 {
            best = (span, order.clone());
        }
    }
    best.1
}

/// The sum, over all events, of the distance between first and last participant.
fn span(order: &[usize], events: &[Vec<usize>]) -> usize {
    let place = inverse(order);
    let span = |event: &Vec<usize>| {
        let places = || event.iter().map(|&component| place[component]);
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    };
    events.iter().map(span).sum()
}

/// The place of each component.
pub(super) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut place = vec![0; order.len()];
    for (level, &component) in order.iter().enumerate() {
        place[component] = level;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_that_was_shuffled_is_a_chain_again() {
        // 0 - 3 - 1 - 4 - 2
        let events = vec![vec![0, 3], vec![1, 3], vec![1, 4], vec![2, 4]];
        let order = order(5, &events);
        assert_eq!(span(&order, &events), 4, "{order:?}");
    }
}
