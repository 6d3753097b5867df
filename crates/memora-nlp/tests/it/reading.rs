//! What the embedded model says: sentences with the tags, heads and labels they are read with.
//!
//! A golden: it says what is said, which need not be right. The last sentence is misread, and is there to be noticed
//! when it no longer is.

use memora_nlp::{DependencyParser, DependencyTree, tokenize_treebank};

fn read(sentence: &str) -> DependencyTree<'_> {
    let words: Vec<&str> =
        tokenize_treebank(sentence, &[]).into_iter().filter_map(|token| sentence.get(token)).collect();
    DependencyParser::embedded().parse(&words)
}

/// Each token as `word/UPOS/XPOS/head/label`; the root's head is `-`.
fn check(sentence: &str, expected: &str) {
    let tree = read(sentence);
    let shown = |i| {
        let head = tree.head(i).map_or("-".to_owned(), |head| head.to_string());
        let (upos, xpos, label) = (tree.upos(i).name(), tree.xpos(i).name(), tree.label(i).name());
        format!("{}/{upos}/{xpos}/{head}/{label}", tree.word(i))
    };
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!((0..tree.len()).map(shown).collect::<Vec<_>>(), expected, "{sentence}");
}

#[test]
fn sentences_are_read_as_when_the_model_was_measured() {
    check(
        "Anna prefers Postgres because it is boring.",
        "Anna/PROPN/NNP/1/nsubj prefers/VERB/VBZ/-/root Postgres/PROPN/NNP/1/obj because/SCONJ/IN/6/mark \
         it/PRON/PRP/6/nsubj is/AUX/VBZ/6/cop boring/ADJ/JJ/1/advcl ./PUNCT/./1/punct",
    );
    check(
        "The contract expires in March 2026.",
        "The/DET/DT/1/det contract/NOUN/NN/2/nsubj expires/VERB/VBZ/-/root in/ADP/IN/4/case March/PROPN/NNP/2/obl \
         2026/NUM/CD/4/nmod:unmarked ./PUNCT/./2/punct",
    );
    check(
        "We don't support Windows anymore.",
        "We/PRON/PRP/3/nsubj do/AUX/VBP/3/aux n't/PART/RB/3/advmod support/VERB/VB/-/root Windows/PROPN/NNP/3/obj \
         anymore/ADV/RB/3/advmod ./PUNCT/./3/punct",
    );
    check(
        "Switched serialization to MessagePack.",
        "Switched/VERB/VBD/-/root serialization/NOUN/NN/0/obj to/ADP/IN/3/case MessagePack/PROPN/NNP/0/obl \
         ./PUNCT/./0/punct",
    );
    check(
        "The server was moved to Berlin by the ops team.",
        "The/DET/DT/1/det server/NOUN/NN/3/nsubj:pass was/AUX/VBD/3/aux:pass moved/VERB/VBN/-/root \
         to/ADP/IN/5/case Berlin/PROPN/NNP/3/obl by/ADP/IN/9/case the/DET/DT/9/det ops/PRON/PRP$/9/compound \
         team/NOUN/NN/3/obl:agent ./PUNCT/./3/punct",
    );
    check(
        "They began to rebuild the index and deleted the old one.",
        "They/PRON/PRP/1/nsubj began/VERB/VBD/-/root to/PART/TO/3/mark rebuild/VERB/VB/1/xcomp the/DET/DT/5/det \
         index/NOUN/NN/3/obj and/CCONJ/CC/7/cc deleted/VERB/VBD/1/conj the/DET/DT/10/det old/ADJ/JJ/10/amod \
         one/NOUN/NN/7/obj ./PUNCT/./1/punct",
    );
    check(
        "Her manager said that the budget had been cut.",
        "Her/PRON/PRP$/1/nmod:poss manager/NOUN/NN/2/nsubj said/VERB/VBD/-/root that/SCONJ/IN/8/mark \
         the/DET/DT/5/det budget/NOUN/NN/8/nsubj:pass had/AUX/VBD/8/aux been/AUX/VBN/8/aux:pass \
         cut/VERB/VBN/2/ccomp ./PUNCT/./2/punct",
    );
    check(
        "Who owns the billing service?",
        "Who/PRON/WP/1/nsubj owns/VERB/VBZ/-/root the/DET/DT/4/det billing/NOUN/NN/4/compound \
         service/NOUN/NN/1/obj ?/PUNCT/./1/punct",
    );
    check(
        "If the cache is cold, the first query takes about 3.5 s.",
        "If/SCONJ/IN/4/mark the/DET/DT/2/det cache/NOUN/NN/4/nsubj is/AUX/VBZ/4/cop cold/ADJ/JJ/9/advcl \
         ,/PUNCT/,/4/punct the/DET/DT/8/det first/ADJ/JJ/8/amod query/NOUN/NN/9/nsubj takes/VERB/VBZ/-/root \
         about/ADV/RB/11/advmod 3.5/NUM/CD/12/nummod s/PART/POS/9/obj ./PUNCT/./9/punct",
    );
    check(
        "The team that built Atlas left in June.",
        "The/DET/DT/1/det team/NOUN/NN/5/nsubj that/PRON/WDT/3/nsubj built/VERB/VBD/1/acl:relcl \
         Atlas/PROPN/NNP/3/obj left/VERB/VBD/-/root in/ADP/IN/7/case June/PROPN/NNP/5/obl ./PUNCT/./5/punct",
    );
    check(
        "met with anna, she's leaving acme in june",
        "met/VERB/VBD/-/root with/ADP/IN/2/case anna/PROPN/NNP/0/obl ,/PUNCT/,/0/punct she/PRON/PRP/6/nsubj \
         's/AUX/VBZ/6/aux leaving/VERB/VBG/0/advcl acme/NOUN/NN/6/obj in/ADP/IN/9/case june/PROPN/NNP/6/obl",
    );
    check(
        "Photos taken before 2019 were lost.",
        "Photos/NOUN/NNS/5/nsubj:pass taken/VERB/VBN/0/acl before/ADP/IN/3/case 2019/NUM/CD/1/obl \
         were/AUX/VBD/5/aux:pass lost/VERB/VBN/-/root ./PUNCT/./5/punct",
    );
    check(
        "Rust, which we chose in 2021, has no garbage collector.",
        "Rust/NOUN/NN/4/compound ,/PUNCT/,/4/punct which/PRON/WDT/4/obj we/PRON/PRP/4/nsubj \
         chose/VERB/VBD/8/nsubj in/ADP/IN/6/case 2021/NUM/CD/4/obl ,/PUNCT/,/4/punct has/VERB/VBZ/-/root \
         no/DET/DT/11/det garbage/NOUN/NN/11/compound collector/NOUN/NN/8/obj ./PUNCT/./8/punct",
    );
}

#[test]
fn the_model_in_the_program_is_the_one_described() {
    let model = include_bytes!("../../assets/memora-en-parse.bin");
    assert_eq!(model.len(), 6_289_487);
    assert_eq!(blake3::hash(model).to_string(), "54f73f35f696905a625bbbe7bca516a43c6ff9531e0786d6cba01f41cc419c3c");
}

#[test]
fn a_tree_answers_in_both_directions() {
    let tree = read("The server was moved to Berlin by the ops team.");
    assert_eq!(tree.len(), 11);
    assert_eq!(tree.children(3), [1, 2, 5, 9, 10]);
    assert_eq!((tree.word(5), tree.lower(5)), ("Berlin", "berlin"));
    assert!(tree.margin(0) > 0.0 && tree.has_agreed_head(0));
}

#[test]
fn an_index_from_outside_is_answered_with_nothing() {
    let tree = read("Anna left.");
    for i in [3, 4, usize::MAX] {
        assert_eq!((tree.word(i), tree.lower(i), tree.head(i), tree.children(i)), ("", "", None, [].as_slice()));
        assert_eq!((tree.margin(i), tree.has_agreed_head(i)), (0.0, false));
        assert_eq!((tree.upos(i).name(), tree.xpos(i).name(), tree.label(i).name()), ("X", "FW", "dep"));
    }
    assert!(DependencyParser::embedded().parse(&[]).is_empty());
}
