//! What reading holds to, whatever it is given.

use memora_nlp::{DependencyParser, DependencyTree, TOKENS_MAX, Upos, Xpos};
use proptest::prelude::*;

/// A tree has one root, no arc crosses another, and no way up goes round.
fn check(tree: &DependencyTree<'_>) {
    let count = tree.len();
    let roots = (0..count).filter(|i| tree.head(*i).is_none()).count();
    assert_eq!(roots, usize::from(count > 0), "one root");
    let arcs: Vec<(usize, usize)> =
        (0..count).filter_map(|i| tree.head(i).map(|head| (i.min(head), i.max(head)))).collect();
    for (left, right) in &arcs {
        assert!(right < &count);
        let crossed = |(l, r): &(usize, usize)| left < l && l < right && right < r;
        assert!(!arcs.iter().any(crossed), "no arcs cross");
    }
    for i in 0..count {
        let steps = std::iter::successors(Some(i), |i| tree.head(*i)).take(count + 1).count();
        assert!(steps <= count, "every way ends at the root");
        assert!(tree.children(i).iter().all(|child| tree.head(*child) == Some(i)));
        assert!(tree.children(i).is_sorted());
        assert!(tree.margin(i) >= 0.0);
        assert_eq!(tree.lower(i), tree.word(i).to_lowercase());
    }
    assert_eq!((0..count).map(|i| tree.children(i).len()).sum::<usize>(), count.saturating_sub(1));
}

proptest! {
    #[test]
    fn any_words_have_a_tree(words in proptest::collection::vec(r"\PC{0,8}|the|of|[A-Z][a-z]+s|,|\.", 0..40)) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let tree = DependencyParser::embedded().parse(&words);
        prop_assert_eq!(tree.len(), words.len());
        check(&tree);
    }
}

#[test]
fn a_sentence_is_read_up_to_its_bound() {
    for word in ["the", "", ",", "and", "Á\u{301}\u{200d}🏳️", "\0", "İİİ"] {
        let tree = DependencyParser::embedded().parse(&[word; 10_000]);
        assert_eq!(tree.len(), TOKENS_MAX);
        check(&tree);
    }
    let long = "ß".repeat(100_000);
    check(&DependencyParser::embedded().parse(&[&long, "is", &long]));
}

#[test]
fn reading_again_gives_the_same() {
    let words = ["Anna", "moved", "the", "cache", "."];
    let heads = |tree: &DependencyTree<'_>| (0..tree.len()).map(|i| (tree.head(i), tree.label(i))).collect::<Vec<_>>();
    let first = heads(&DependencyParser::embedded().parse(&words));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert_eq!(heads(&DependencyParser::embedded().parse(&words)), first));
        }
    });
}

#[test]
fn a_kept_parse_is_that_of_these_words_and_these_tags() {
    let model = include_bytes!("../../assets/memora-en-parse.bin");
    let used = DependencyParser::load(model).expect("the model of the program");
    let given: [&[(usize, Upos, Xpos)]; 2] = [&[], &[(1, Upos::Noun, Xpos::Nn)]];
    let sentences = [vec!["They", "run", "it"], vec!["They", "run", "i", "t"], vec!["Theyrun", "it"], vec![]];
    let once: Vec<String> = sentences
        .iter()
        .map(|words| {
            let new = DependencyParser::load(model).expect("the model of the program");
            format!("{:?}", given.map(|given| new.parse_with_tags(words, given)))
        })
        .collect();
    for _ in 0..2 {
        let again: Vec<String> = sentences
            .iter()
            .map(|words| format!("{:?}", given.map(|given| used.parse_with_tags(words, given))))
            .collect();
        assert_eq!(again, once);
    }
    assert_ne!(
        format!("{:?}", used.parse(&sentences[0])),
        format!("{:?}", used.parse_with_tags(&sentences[0], given[1]))
    );
}

#[test]
fn a_model_that_was_cut_short_or_goes_on_is_none() {
    let model = include_bytes!("../../assets/memora-en-parse.bin");
    for end in [0, 7, 8, 9, 500, 400_000, 2_000_000, model.len() - 1] {
        assert!(DependencyParser::load(model.get(..end).unwrap_or_default()).is_err(), "cut at {end}");
    }
    let longer = [model.as_slice(), b"x"].concat();
    assert!(DependencyParser::load(&longer).is_err());
}
