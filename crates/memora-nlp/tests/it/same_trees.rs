//! The same trees as when the model was measured, over ten thousand sentences: for changes of speed alone.
//!
//! The sentences are chains of words out of the text below: after each word comes one of those that follow it there, so
//! that what is near each other is language, and no two sentences are alike. A tenth of the words is misspelt, so that
//! unknown ones occur too.

use memora_nlp::{DependencyParser, tokenize_treebank};

const SENTENCES: usize = 10_000;

/// blake3 over head, tags, label, margin and agreement of every token, as the parser said when this was written.
const TREES: &str = "8307625bd93a57346e0b62f5accc0cc4a21fc00ade4a29b486dc0e911e384ac9";

const TEXT: &str = "
Anna prefers Postgres because it is boring, and nobody on the team disagrees with her. The contract expires in March
2026, so we have to renew it before the end of January. We don't support Windows anymore; the last release that did was
4.2.1. They began to rebuild the index and deleted the old one. The server was moved to Berlin by the ops team, which
had not asked for it. If the budget is approved, the project starts on Monday. \"I never said that,\" she told the
reporter after the meeting. The fastest way to learn a language is to speak it with people who know it well. My brother's
dog, an old beagle called Max, sleeps under the table all day. Neither the manager nor her deputy has signed the form
yet. What matters most is that the data stays where it was written. He gave the students a list of books to read over
the summer. There are three reasons why this plan won't work: cost, time, and people. In 1998 the company employed about
12,500 workers in 14 countries. You should have told me earlier that the train was late. Running the tests takes longer
than writing the code, although both are necessary. The museum, built in 1887, was closed for repairs until last week.
See https://example.org/notes for more details, or write to me@example.org. The price rose from $40 to $55 per unit
within six months. Having finished the report, Tom went home and slept. It is not clear whether the new rules apply to
small shops. Some think the map is wrong, others that the road has moved. Coffee, tea and cakes are served from 3 to
5 p.m. in the garden. Please open the window and let the cat out. She made him promise to call his mother every Sunday.
The more you practise, the better you get. Only two of the five engines that were tested met the standard. This
function returns the first element of a sorted list, or nothing if the list is empty. As soon as the rain stopped, the
children ran into the street. Nobody knows who wrote the letter or when. The well-known author of several cook-books
lives near the river. I'd rather walk than take the bus, which is always full. Could you send me the figures for the
second quarter? The committee, after long debate, rejected both proposals. Users who forget their password can reset it
on the login page. It was the noise that woke me up, not the light. Our goal: to halve the number of errors by 2030.
";

/// A generator of numbers that are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end
    }
}

fn misspell(word: &str, numbers: &mut Numbers) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = numbers.below(letters.len());
    letters.rotate_left(at);
    letters.into_iter().collect()
}

fn sentence(words: &[&str], numbers: &mut Numbers) -> String {
    let mut at = numbers.below(words.len());
    let mut chain: Vec<String> = Vec::new();
    let length = 3 + numbers.below(38);
    while chain.len() < length {
        let word = words[at];
        chain.push(if numbers.below(10) == 0 { misspell(word, numbers) } else { word.to_owned() });
        let follow: Vec<usize> = (0..words.len()).filter(|other| words[*other] == word).collect();
        at = (follow[numbers.below(follow.len())] + 1) % words.len();
    }
    chain.join(" ")
}

#[test]
fn ten_thousand_sentences_have_the_trees_they_had() {
    let words: Vec<&str> = TEXT.split_whitespace().collect();
    let mut numbers = Numbers(17);
    let mut hasher = blake3::Hasher::new();
    for _ in 0..SENTENCES {
        let sentence = sentence(&words, &mut numbers);
        let tokens: Vec<&str> =
            tokenize_treebank(&sentence, &[]).into_iter().filter_map(|token| sentence.get(token)).collect();
        let tree = DependencyParser::embedded().parse(&tokens);
        for i in 0..tree.len() {
            let head = tree.head(i).map_or(u64::MAX, |head| head as u64);
            hasher.update(&head.to_le_bytes());
            hasher
                .update(format!("{} {} {}", tree.upos(i).name(), tree.xpos(i).name(), tree.label(i).name()).as_bytes());
            hasher.update(&tree.margin(i).to_le_bytes());
            hasher.update(&[u8::from(tree.has_agreed_head(i))]);
        }
    }
    assert_eq!(hasher.finalize().to_hex().as_str(), TREES);
}
