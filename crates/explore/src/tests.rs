//! The product against its naive twin, and the searches on systems of known size.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rely_base::{Alphabet, Budget, Id, Label, Limits, Observer, Progress, Resource, StateId};
use rely_lts::equivalence::{Equivalence, compare};
use rely_lts::{Component, ComponentId, LtsBuilder, Network, Rank};
use rely_testkit::naive::product::{self, NaiveProduct, Tuple};
use rely_testkit::networks::{self, Shape, from_transitions};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::{
    Graph, Outcome, Product, ProductCursor, SccIndex, Search, Size, StubbornSearch, Successor, System,
    Visitor, count, generate,
};

/// A transition with tuples as states; no target is the error state.
type Triple = (Tuple, Option<String>, Option<Tuple>);

/// Everything that a search of a product shows.
#[derive(Default)]
struct Recorder {
    edges: Vec<(StateId, Label, Option<StateId>)>,
    errors: BTreeSet<ComponentId>,
}

impl Visitor for Recorder {
    fn transition(&mut self, source: StateId, label: Label, target: StateId) {
        self.edges.push((source, label, Some(target)));
    }

    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        self.errors.insert(component);
        if let Some(source) = source {
            self.edges.push((source, label, None));
        }
    }
}

/// The reachable tuples without error states, the transitions and the failing components, by the search.
fn searched(product: &Product<'_>) -> (Vec<Tuple>, BTreeSet<Triple>, BTreeSet<usize>) {
    searched_as(product, product)
}

/// What [`searched`] returns, for a system whose states are those of a product.
fn searched_as(
    system: &impl System,
    product: &Product<'_>,
) -> (Vec<Tuple>, BTreeSet<Triple>, BTreeSet<usize>) {
    let mut search = Search::new(system);
    let mut recorder = Recorder::default();
    search.run(&Budget::UNLIMITED, &mut recorder).unwrap();
    let states = search.states();
    let tuple = |state: StateId| product.unpack(states.get(state));
    let name = |label: Label| label.action().map(|action| product.alphabet().name(action).to_owned());
    let triples = recorder.edges.iter().map(|&(s, l, t)| (tuple(s), name(l), t.map(tuple))).collect();
    let found = (0..states.len()).map(|i| tuple(StateId::from_index(i))).collect();
    (found, triples, recorder.errors.iter().map(|component| component.index()).collect())
}

/// What [`searched`] returns, computed by the naive twin.
fn defined(network: &Network, hide: bool) -> (BTreeSet<Tuple>, BTreeSet<Triple>, BTreeSet<usize>) {
    let naive = NaiveProduct::new(network);
    let failed = |tuple: &Tuple| product::error_in(network, tuple);
    let triples = naive
        .moves
        .iter()
        .flat_map(|(source, moves)| moves.iter().map(move |(action, target)| (source, action, target)))
        .map(|(source, action, target)| {
            let shown = action.filter(|&action| !(hide && network.is_hidden(action)));
            let name = shown.map(|action| network.alphabet().name(action).to_owned());
            (source.clone(), name, failed(target).is_none().then(|| target.clone()))
        })
        .collect();
    let proper = naive.moves.keys().filter(|tuple| failed(tuple).is_none()).cloned().collect();
    (proper, triples, naive.moves.keys().filter_map(failed).collect())
}

#[test]
fn product_is_as_defined() {
    for seed in seeds(15_000) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        for hide in [false, true] {
            let product = if hide { Product::new(&network) } else { Product::transparent(&network) };
            let (found, triples, errors) = searched(&product);
            let (expected, expected_triples, expected_errors) = defined(&network, hide);
            let distinct: BTreeSet<Tuple> = found.iter().cloned().collect();
            assert_eq!(distinct.len(), found.len(), "seed {seed}: a state was stored twice");
            assert_eq!(distinct, expected, "seed {seed}");
            assert_eq!(triples, expected_triples, "seed {seed}");
            assert_eq!(errors, expected_errors, "seed {seed}");
        }
    }
}

/// Everything that a search reports, in order.
#[derive(Default, PartialEq, Debug)]
struct Log(Vec<String>);

impl Visitor for Log {
    fn discovered(&mut self, state: StateId, words: &[u64]) {
        self.0.push(format!("{state:?} is {words:?}"));
    }

    fn transition(&mut self, source: StateId, label: Label, target: StateId) {
        self.0.push(format!("{source:?} {label:?} {target:?}"));
    }

    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        self.0.push(format!("{source:?} {label:?} error of {component:?}"));
    }

    fn expanded(&mut self, state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        self.0.push(format!("{state:?} {words:?} has {transitions}"));
        ControlFlow::Continue(())
    }
}

/// What a textbook search shows: successors are dealt with one by one, and states are looked for in a list.
fn textbook(system: &impl System) -> Log {
    let mut log = Log::default();
    let mut cursor = system.cursor();
    let mut initial = vec![0; system.words()];
    if let Err(component) = system.initial(&mut initial) {
        log.error(None, Label::TAU, component);
        return log;
    }
    log.discovered(StateId::from_index(0), &initial);
    let mut states = vec![initial];
    let mut expanded = 0;
    while expanded < states.len() {
        let (source, words) = (StateId::from_index(expanded), states[expanded].clone());
        let mut transitions = 0;
        system.successors(&words, &mut cursor, &mut |label, successor| {
            transitions += 1;
            match successor {
                Successor::Error(component) => log.error(Some(source), label, component),
                Successor::Cut(component) => log.cut(source, label, component),
                Successor::State(next) => {
                    let known = states.iter().position(|state| state == next);
                    let target = StateId::from_index(known.unwrap_or(states.len()));
                    if known.is_none() {
                        log.discovered(target, next);
                        states.push(next.to_vec());
                    }
                    log.transition(source, label, target);
                }
            }
        });
        let _ = log.expanded(source, &words, transitions);
        expanded += 1;
    }
    log
}

#[test]
fn search_shows_what_a_textbook_search_shows() {
    let (mut compiled, mut products) = (0, 0);
    for seed in seeds(5000) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        for product in [Product::new(&network), Product::transparent(&network)] {
            let interpreted = product.clone().interpreted();
            let expected = textbook(&interpreted);
            for product in [&product, &interpreted] {
                let mut log = Log::default();
                Search::new(product).run(&Budget::UNLIMITED, &mut log).unwrap();
                assert_eq!(log, expected, "seed {seed}");
            }
            compiled += usize::from(product.is_compiled());
            products += 1;
        }
    }
    let both = compiled * 2 >= products && compiled < products;
    assert!(both || is_single_seed(), "one of the two ways was hardly tested: {compiled} of {products}");
}

/// The function that is called for each transition.
type Visit<'v> = &'v mut dyn FnMut(Label, Successor<'_>) -> ControlFlow<()>;

/// A product that enumerates successors in a way of its own.
struct Altered<'p, F> {
    product: Product<'p>,
    successors: F,
}

impl<F> System for Altered<'_, F>
where
    F: Fn(&Product<'_>, &[u64], &mut ProductCursor, Visit<'_>) -> ControlFlow<()>,
{
    type Cursor = ProductCursor;

    fn words(&self) -> usize {
        self.product.words()
    }

    fn cursor(&self) -> ProductCursor {
        self.product.cursor()
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        self.product.initial(state)
    }

    fn try_successors(
        &self,
        state: &[u64],
        cursor: &mut ProductCursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        (self.successors)(&self.product, state, cursor, visit)
    }

    fn is_end(&self, state: &[u64]) -> bool {
        self.product.is_end(state)
    }

    fn alphabet(&self) -> &Alphabet {
        self.product.alphabet()
    }
}

/// A product that holds a lock of its own while it enumerates successors, as a system with a cache does.
fn busy<'p>(product: Product<'p>) -> impl System + use<'p> {
    let cache = RefCell::new(());
    let successors =
        move |product: &Product<'_>, state: &[u64], cursor: &mut ProductCursor, visit: Visit<'_>| {
            let _busy = cache.borrow_mut();
            product.try_successors(state, cursor, &mut |label, successor| visit(label, successor))
        };
    Altered { product, successors }
}

/// A wrong product: of several transitions with the same label it shows only the first.
fn first_choice<'p>(product: Product<'p>) -> impl System + use<'p> {
    let successors = |product: &Product<'_>, state: &[u64], cursor: &mut ProductCursor, visit: Visit<'_>| {
        let mut last = None;
        product.try_successors(state, cursor, &mut |label, successor| match last.replace(label) {
            Some(same) if same == label => ControlFlow::Continue(()),
            _ => visit(label, successor),
        })
    };
    Altered { product, successors }
}

/// Records what a search reports, and calls the system whenever a state was expanded.
struct Asking<'s, S>(&'s S, Log);

impl<S: System> Visitor for Asking<'_, S> {
    fn discovered(&mut self, state: StateId, words: &[u64]) {
        self.1.discovered(state, words);
    }

    fn transition(&mut self, source: StateId, label: Label, target: StateId) {
        self.1.transition(source, label, target);
    }

    fn expanded(&mut self, state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        let mut count = 0;
        self.0.successors(words, &mut self.0.cursor(), &mut |_, _| count += 1);
        assert_eq!(count, transitions);
        self.1.expanded(state, words, transitions)
    }
}

#[test]
fn states_with_many_transitions_are_expanded_in_order() {
    // After `go`, one action of 11 components that have two ways to take it; a clock ticks before and after it.
    let chooser = Arc::new(from_transitions(3, &[(0, "go", 1), (1, "a", 1), (1, "a", 2), (2, "b", 2)]));
    let clock = from_transitions(4, &[(0, "tick", 1), (1, "tick", 2), (0, "go", 3), (3, "tock", 3)]);
    let part = |i: usize| Component::new(format!("C{i}"), Arc::clone(&chooser));
    let clock = Component::new("T", clock);
    let network = Network::new([clock].into_iter().chain((0..11).map(part)).collect());
    let product = Product::new(&network);
    let busy = busy(product.clone());
    let mut asking = Asking(&busy, Log::default());
    Search::new(&busy).run(&Budget::UNLIMITED, &mut asking).unwrap();
    assert!(asking.1.0.iter().any(|line| line.ends_with("has 2049")), "no state has many transitions");
    assert!(asking.1 == textbook(&product));
}

/// Counts how often the budget is checked.
struct Patience(AtomicUsize);

impl Observer for Patience {
    fn observe(&self, _progress: &Progress) -> Option<Resource> {
        self.0.fetch_add(1, Ordering::Relaxed);
        None
    }
}

#[test]
fn observer_is_asked_now_and_then() {
    let network = counters(6, 6);
    let product = Product::new(&network);
    let expected = 6usize.pow(6) / Budget::INTERVAL;
    let (counting, searching) = (Patience(AtomicUsize::new(0)), Patience(AtomicUsize::new(0)));
    count(&product, &Budget::new(Limits::default(), Some(&counting))).unwrap();
    Search::new(&product).run(&Budget::new(Limits::default(), Some(&searching)), &mut ()).unwrap();
    for asked in [counting.0.into_inner(), searching.0.into_inner()] {
        assert!((expected..3 * expected + 50).contains(&asked), "asked {asked} times, not {expected}");
    }
}

#[test]
fn move_may_change_every_bit() {
    // 64 lamps of one bit each, switched together.
    let lamp =
        |i: usize| Component::new(format!("L{i}"), from_transitions(2, &[(0, "on", 1), (1, "off", 0)]));
    let network = Network::new((0..64).map(lamp).collect());
    let product = Product::new(&network);
    assert!(product.is_compiled());
    let size = count(&product, &Budget::UNLIMITED).unwrap();
    assert_eq!(size, Size { states: 2, transitions: 2, error_reachable: false, cut: None });
}

#[test]
fn search_of_many_states_is_complete_and_small() {
    // There are enough states for different ones to have equal tags now and then.
    let network = networks::philosophers(7);
    let product = Product::new(&network);
    let mut search = Search::new(&product);
    search.run(&Budget::UNLIMITED, &mut ()).unwrap();
    assert_eq!((search.states().len(), search.transitions()), (279_934, 1_726_256));
    let per_state = search.bytes() as f64 / search.states().len() as f64;
    assert!(per_state < 15.0, "{per_state} bytes per state");
}

#[test]
fn wrong_products_are_noticed() {
    let (mut nondeterminism, mut priority) = (0, 0);
    for seed in 0..300 {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let (_, expected, _) = defined(&network, true);
        let product = Product::new(&network);
        nondeterminism += usize::from(searched_as(&first_choice(product.clone()), &product).1 != expected);
        // Where everything has the same priority there is none.
        let equal = network.clone().with_priority(Rank::High, |_| false);
        priority += usize::from(searched(&Product::new(&equal)).1 != expected);
    }
    assert!(nondeterminism > 10 && priority > 10, "{nondeterminism} {priority}");
}

/// A transition between numbered states.
type NumberedTriple = (usize, Option<String>, usize);

/// The explicit product by the naive twin, with the states numbered in a given order.
fn merged(network: &Network, order: &[Tuple]) -> (BTreeSet<NumberedTriple>, Size, Option<usize>) {
    let (_, triples, errors) = defined(network, true);
    let end = order.iter().position(|tuple| product::is_terminated(network, tuple));
    let mut number = BTreeMap::new();
    for tuple in order {
        let next = number.values().copied().collect::<BTreeSet<usize>>().len();
        let known =
            end.filter(|_| product::is_terminated(network, tuple)).and_then(|end| number.get(&order[end]));
        number.insert(tuple.clone(), known.copied().unwrap_or(next));
    }
    let states = number.values().copied().collect::<BTreeSet<usize>>().len();
    let transitions: BTreeSet<_> = triples
        .into_iter()
        .map(|(source, name, target)| {
            (number[&source], name, target.map_or(states, |target| number[&target]))
        })
        .collect();
    let size =
        Size { states, transitions: transitions.len(), error_reachable: !errors.is_empty(), cut: None };
    (transitions, size, end.map(|end| number[&order[end]]))
}

#[test]
fn generated_lts_is_as_defined() {
    let mut merging = 0;
    for seed in seeds(15_000) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let product = Product::new(&network);
        let (order, _, _) = searched(&product);
        let (transitions, size, end) = merged(&network, &order);
        let lts = generate(&network, &Budget::UNLIMITED).unwrap();
        let name = |label: Label| label.action().map(|action| lts.alphabet().name(action).to_owned());
        let generated: BTreeSet<_> =
            lts.transitions().map(|t| (t.source.index(), name(t.label), t.target.index())).collect();
        assert_eq!(generated, transitions, "seed {seed}");
        assert_eq!(count(&product, &Budget::UNLIMITED), Ok(size), "seed {seed}");
        assert_eq!(lts.proper_state_count(), size.states, "seed {seed}");
        assert_eq!(lts.error().is_some(), size.error_reachable, "seed {seed}");
        assert_eq!(lts.end().map(|end| end.index()), end, "seed {seed}");
        assert_eq!(lts.alphabet(), &network.visible_alphabet(), "seed {seed}");
        merging += usize::from(size.states < order.len());
    }
    assert!(merging > 10 || is_single_seed(), "merging of end states was hardly tested: {merging}");
}

#[test]
fn traces_are_shortest_runs() {
    for seed in seeds(1000) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let naive = NaiveProduct::new(&network);
        let product = Product::transparent(&network);
        let mut search = Search::new(&product);
        search.run(&Budget::UNLIMITED, &mut ()).unwrap();
        for state in (0..search.states().len()).map(StateId::from_index) {
            let trace = search.trace_to(state);
            let mut tuple = naive.initial.clone();
            for step in &trace {
                let next = product.unpack(search.states().get(step.target));
                assert!(naive.moves[&tuple].contains(&(step.label.action(), next.clone())), "seed {seed}");
                tuple = next;
            }
            assert_eq!(trace.len(), naive.distance[&tuple], "seed {seed}");
        }
    }
}

/// Whether one state reaches another, for all pairs, by closing the relation step by step.
fn reach(graph: &Graph) -> Vec<Vec<bool>> {
    let n = graph.state_count();
    let mut reach = vec![vec![false; n]; n];
    for state in graph.states() {
        reach[state.index()][state.index()] = true;
        for edge in graph.edges(state) {
            reach[state.index()][edge.target.index()] = true;
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
        }
    }
    reach
}

#[test]
fn components_are_the_classes_of_mutual_reachability() {
    for seed in seeds(1000) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let product = Product::new(&network);
        let (graph, _) = Graph::explore(&product, &Budget::UNLIMITED).unwrap();
        if graph.state_count() > 60 {
            continue;
        }
        let reach = reach(&graph);
        let scc = SccIndex::new(&graph, |_, _| true, &Budget::UNLIMITED, 0).unwrap();
        for a in graph.states() {
            for b in graph.states() {
                let (i, j) = (a.index(), b.index());
                assert_eq!(scc.of(a) == scc.of(b), reach[i][j] && reach[j][i], "seed {seed}");
                assert!(!reach[i][j] || scc.of(a) >= scc.of(b), "seed {seed}: order of components");
            }
        }
    }
}

/// Counters that run side by side: `base` states each, all independent.
fn counters(n: usize, base: usize) -> Network {
    let counter = |i: usize| {
        let tick = format!("tick.{i}");
        let transitions: Vec<_> = (0..base).map(|s| (s, tick.as_str(), (s + 1) % base)).collect();
        Component::new(format!("C{i}"), from_transitions(base, &transitions))
    };
    Network::new((0..n).map(counter).collect())
}

#[test]
fn independent_counters_multiply() {
    let network = counters(5, 5);
    let size = count(&Product::new(&network), &Budget::UNLIMITED).unwrap();
    assert_eq!(size, Size { states: 3125, transitions: 5 * 3125, error_reachable: false, cut: None });
}

#[test]
fn philosophers_have_their_known_sizes() {
    for (n, states, transitions) in [(2, 36, 64), (7, 279_934, 1_726_256)] {
        let size = count(&Product::new(&networks::philosophers(n)), &Budget::UNLIMITED).unwrap();
        assert_eq!(size, Size { states, transitions, error_reachable: false, cut: None }, "{n} philosophers");
    }
}

#[test]
fn many_components_take_many_words() {
    // 40 × 3 bits do not fit one word; one counter at a time may move once.
    let once: Vec<Component> = (0..40)
        .map(|i| {
            let transitions = [(0, "go", 4), (4, &*format!("tick.{i}"), 0)];
            Component::new(format!("C{i}"), from_transitions(5, &transitions))
        })
        .collect();
    let turns: Vec<String> = (0..40).map(|i| format!("tick.{i}")).collect();
    let mut order: Vec<(usize, &str, usize)> = vec![(0, "go", 1)];
    order.extend(turns.iter().enumerate().map(|(i, turn)| (i + 1, turn.as_str(), (i + 2) % 41)));
    let scheduler = Component::new("S", from_transitions(41, &order));
    let network = Network::new(once.into_iter().chain([scheduler]).collect());
    let product = Product::new(&network);
    assert_eq!(product.words(), 2);
    let size = count(&product, &Budget::UNLIMITED).unwrap();
    assert_eq!(size, Size { states: 41, transitions: 41, error_reachable: false, cut: None });
}

#[test]
fn limits_end_the_search() {
    let network = counters(6, 8);
    let product = Product::new(&network);
    let limited = |limits: Limits| count(&product, &Budget::new(limits, None)).unwrap_err();
    let states = limited(Limits { states: Some(1000), bytes: None });
    assert_eq!((states.resource, states.states), (Resource::States, 1000));
    let memory = limited(Limits { states: None, bytes: Some(1 << 20) });
    assert_eq!(memory.resource, Resource::Memory);
    assert!(memory.states > 10_000, "{memory}");
    let enough = Limits { states: Some(1 << 18), bytes: Some(1 << 24) };
    assert_eq!(count(&product, &Budget::new(enough, None)).unwrap().states, 1 << 18);
}

/// Records the largest number of bytes that is reported, and stops an analysis that reports more than a limit.
struct Bytes {
    most: AtomicUsize,
    stop: usize,
}

impl Observer for Bytes {
    fn observe(&self, progress: &Progress) -> Option<Resource> {
        self.most.fetch_max(progress.bytes, Ordering::Relaxed);
        (progress.bytes > self.stop).then_some(Resource::Time)
    }
}

#[test]
fn looking_for_what_was_put_off_counts_and_can_be_stopped() {
    const STATES: usize = 20_000;
    let network = counters(1, STATES);
    let product = Product::transparent(&network);
    let run = |limits: Limits, stop: usize| {
        let (most, mut search) = (AtomicUsize::new(0), StubbornSearch::new(&product));
        let observer = Bytes { most, stop };
        let end = search.run(&Budget::new(limits, Some(&observer)), &mut ());
        (end.map_err(|exhausted| exhausted.resource), search.bytes(), observer.most.into_inner())
    };
    let (end, states, most) = run(Limits::default(), usize::MAX);
    assert_eq!(end, Ok(Outcome::Complete));
    assert!(most >= states + 20 * STATES, "{most} bytes were told of, {states} are the states'");
    let (end, ..) = run(Limits { states: None, bytes: Some(most - 1) }, usize::MAX);
    assert_eq!(end, Err(Resource::Memory));
    let (end, ..) = run(Limits::default(), most - 1);
    assert_eq!(end, Err(Resource::Time));
    let (end, ..) = run(Limits { states: None, bytes: Some(most) }, usize::MAX);
    assert_eq!(end, Ok(Outcome::Complete));
}

#[test]
fn state_with_endless_choices_is_left_when_the_budget_is_used_up() {
    // One action of 60 components that each have two ways to take it: 2⁶⁰ transitions.
    let component =
        |i: usize| Component::new(format!("C{i}"), from_transitions(2, &[(0, "a", 0), (0, "a", 1)]));
    let network = Network::new((0..60).map(component).collect());
    let budget = Budget::new(Limits { states: Some(100_000), bytes: None }, None);
    let exhausted = count(&Product::new(&network), &budget).unwrap_err();
    assert_eq!((exhausted.resource, exhausted.states), (Resource::States, 100_000));
}

#[test]
fn network_that_starts_in_error() {
    let mut builder = LtsBuilder::new(Alphabet::new());
    builder.error_state();
    let error = Component::new("E", builder.build());
    let network = Network::new(vec![error]);
    let size = count(&Product::new(&network), &Budget::UNLIMITED).unwrap();
    assert_eq!(size, Size { states: 0, transitions: 0, error_reachable: true, cut: None });
    let lts = generate(&network, &Budget::UNLIMITED).unwrap();
    assert_eq!((lts.proper_state_count(), lts.error()), (0, Some(lts.initial())));
}

#[test]
fn condensing_gives_a_strongly_bisimilar_product() {
    let mut smaller = 0;
    for seed in seeds(2000) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let condensed = network.condensed(&Budget::UNLIMITED).expect("there is no limit");
        smaller += usize::from(condensed.potential() < network.potential());
        let product = |network| generate(network, &Budget::UNLIMITED).expect("there is no limit");
        let same = compare(&product(&network), &product(&condensed), Equivalence::Strong, &Budget::UNLIMITED);
        assert_eq!(same, Ok(true), "seed {seed}");
    }
    assert!(smaller > 0 || is_single_seed(), "some component has bisimilar states");
}
