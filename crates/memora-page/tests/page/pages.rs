//! What the pages show, and that they write nothing.

use memora_testkit::TreeSnapshot;

use crate::client::{NOTES, Served, every_page};

fn decode(html: &str) -> String {
    let mut text = html.to_owned();
    for (entity, character) in [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")] {
        text = text.replace(entity, character);
    }
    text
}

#[test]
fn every_page_is_there_and_none_writes_into_the_vault() {
    let served = Served::deciding(NOTES);
    let before = TreeSnapshot::take(served.vault());
    let client = served.enter();
    for path in every_page(&client) {
        let reply = client.get(&path);
        let missing = ["/note/nowhere.md", "/claim/no", "/claim/7h3kq0v9x2ma", "/entity/Nobody", "/nowhere"];
        let expect = if missing.contains(&path.as_str()) { 404 } else { 200 };
        assert_eq!(reply.status, expect, "{path}: {}", reply.body);
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
        assert_eq!(reply.body.matches("<h1").count(), 1, "{path}");
        assert!(reply.body.contains("<main id=\"main\">") && reply.body.contains("<html lang=\"en\">"), "{path}");
    }
    assert_eq!(client.post("/verify", "text=Anna+works+at+Tidewell+%5B%5BAnna%5D%5D.").status, 200);
    let difference = before.difference(&TreeSnapshot::take(served.vault()));
    assert!(difference.is_empty(), "{difference}");
}

#[test]
fn an_answer_stands_beside_its_evidence_whose_mark_is_the_bytes_of_the_file() {
    let served = Served::start(NOTES);
    let client = served.enter();
    let answer = client.get_indexed("/?q=Where+does+Anna+work%3F").body;
    let link = answer.split_once("class=\"passage\" href=\"").expect("a place").1.split('"').next().unwrap_or_default();
    let link = decode(link);
    assert!(link.starts_with("/note/Anna.md?start=") && link.contains("&hash="), "{link}");
    let number = |key: &str| -> usize {
        let rest = link.split_once(&format!("{key}=")).expect("a number").1;
        rest.split('&').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let path = link.split('#').next().expect("a path");
    let note = client.get(path).body;
    assert_eq!(note.matches("<mark id=\"mark\">").count(), 1, "the link leads to where the mark begins");
    let note = note.replace("<mark id=\"mark\">", "<mark>");
    let marks = note.split("<mark>").skip(1).filter_map(|rest| rest.split("</mark>").next());
    let marked = decode(&marks.collect::<Vec<_>>().join("\n"));
    let file = served.fixture.read("Anna.md");
    assert_eq!(Some(marked.as_str()), file.get(number("start")..number("end")));
    // Once the bytes change, nothing is marked in their place.
    served.fixture.write("Anna.md", file.replace("Tidewell", "Aldersea"));
    let note = client.get_indexed(path).body;
    assert!(!note.contains("<mark") && !note.contains(" asked\"") && note.contains("have changed since"), "{note}");
}

#[test]
fn what_a_cloud_model_is_shown_stands_beside_what_you_see() {
    let served = Served::start(NOTES);
    let client = served.enter();
    let note = client.get_indexed("/note/Anna.md").body;
    let (you, cloud) = note.split_once("class=\"cloud\"").expect("two columns");
    assert!(you.contains("6840") && you.contains(">S</b>"), "you see everything, and its band");
    assert!(cloud.contains("Tidewell") && !cloud.contains("6840") && !cloud.contains("cello"), "{cloud}");
    let secret = client.get("/note/Gr%C3%B6%C3%9Fe.md").body;
    assert!(secret.contains("aquarium") && secret.contains("not told that there is such a note"));
    for path in [
        "/note/Anna.md?as=cloud",
        "/note/Gr%C3%B6%C3%9Fe.md?as=cloud",
        "/?q=What+does+Anna+earn%3F&as=cloud",
        "/?q=What+stands+behind+the+aquarium%3F&as=cloud",
        "/prompt?q=What+does+Anna+earn%3F",
        "/?q=6840&as=cloud",
    ] {
        let body = client.get(path).body.replace("6840&#34;", "").replace("value=\"6840\"", "");
        let asked_words = ["6840", "aquarium"].iter().filter(|word| path.contains(**word)).count();
        assert!(asked_words > 0 || !body.contains("6840") && !body.contains("aquarium"), "{path}: {body}");
        assert!(!body.contains("earns 6840") && !body.contains("stands behind the aquarium."), "{path}: {body}");
        assert!(!body.contains("id=\"fresh\""), "how much is due would count guarded notes");
    }
    let whole = client.get("/note/projects/drift.md").body;
    assert!(whole.contains("is shown all of it"), "{whole}");
}

#[test]
fn no_path_leads_out_of_the_vault() {
    let served = Served::start(NOTES);
    std::fs::write(served.fixture.parent_dir().join("outside.md"), "The outside word is quokka.\n").expect("a file");
    served.fixture.write(".obsidian/app.md", "hidden");
    let client = served.enter();
    for path in [
        "/note/../outside.md",
        "/note/..%2Foutside.md",
        "/note/%2e%2e/outside.md",
        "/note//etc/passwd",
        "/note/%2Fetc%2Fpasswd",
        "/note/.obsidian/app.md",
        "/note/a%00.md",
        "/note/..%5Coutside.md",
        "/note/%ff",
        "/note/",
    ] {
        let reply = client.get(path);
        assert!([400, 404].contains(&reply.status), "{path}: {reply:?}");
        assert!(!reply.body.contains("quokka") && !reply.body.contains("root:"), "{path}");
    }
}

#[test]
fn a_text_is_judged_and_its_wrong_words_are_marked() {
    let served = Served::start(NOTES);
    let client = served.enter();
    client.get_indexed("/");
    let text = "text=Anna+works+at+Aldersea+since+May+2025+%28%5B%5BAnna%5D%5D%29.%0D%0AThe+moon+is+cheese.";
    let body = client.post("/verify", text).body;
    assert!(body.contains("<mark>Aldersea</mark>"), "{body}");
    assert!(body.contains("contradicted") || body.contains("unsupported"), "{body}");
    assert!(body.contains("uncited"), "{body}");
}

#[test]
fn what_is_kept_of_a_review_is_re_read_before_it_is_shown() {
    let notes = [("Anna.md", "# Anna\n\nAnna lives in Kiel.\n"), ("Letter.md", "# Letter\n\nAnna lives in Bremen.\n")];
    let served = Served::start(&notes);
    let client = served.enter();
    let first = client.get_indexed("/review?kind=contradiction").body;
    assert!(first.contains("lives in Kiel") && first.contains("lives in Bremen"), "{first}");
    let again = client.get("/review?kind=contradiction").body;
    assert!(again.contains("lives in Kiel") && again.contains("1 of 1"), "{again}");
    served.fixture.write("Letter.md", "# Letter\n\nAnna lives in Lisbon.\n");
    let changed = client.get("/review?kind=contradiction").body;
    assert!(!changed.contains("lives in Bremen"), "{changed}");
}

#[test]
fn it_listens_on_this_machine_alone() {
    let served = Served::start(NOTES);
    assert!(std::net::TcpStream::connect(("127.0.0.2", served.port)).is_err());
}

/// A question that was put off, and then taken back, stayed away for its thirty days.
#[test]
fn what_is_put_off_and_taken_back_is_asked_again() {
    let notes = [("Anna.md", "# Anna\n\nAnna lives in Kiel.\n"), ("Letter.md", "# Letter\n\nAnna lives in Bremen.\n")];
    let served = Served::deciding(&notes);
    let client = served.enter();
    let asked = client.get_indexed("/review?kind=contradiction").body;
    let tick = asked.split("name=\"tick\" value=\"").find(|rest| rest.starts_with("later")).expect("it can be put off");
    let tick = tick.split('"').next().expect("a value").replace(' ', "+");
    let put_off = client.post("/decide", &format!("tick={tick}&back=review&kind=contradiction"));
    let told = client.get(put_off.header("location").expect("it leads back")).body;
    assert!(
        told.contains("You put it off") && told.contains("lives in") && !told.contains("id=\"question\""),
        "{told}"
    );
    let claim =
        told.split_once("name=\"claim\" value=\"").expect("it can be undone").1.split('"').next().expect("an id");
    let undone = client.post("/decide", &format!("act=restore&claim={claim}&back=review&kind=contradiction"));
    let told = client.get(undone.header("location").expect("it leads back")).body;
    assert!(told.contains("You took back") && told.contains("id=\"question\""), "{told}");
}

#[test]
fn what_hides_or_turns_text_around_is_shown() {
    let text = "# Trap \u{202e}gnp\n\nThe key lies be\u{200b}hind the \u{202e}koob\u{202c} shelf.\n\nThe family is \u{1f469}\u{200d}\u{1f467}.\n";
    let served = Served::start(&[("Trap\u{2066}.md", text)]);
    let client = served.enter();
    for page in ["/note/Trap%E2%81%A6.md", "/?q=Where+does+the+key+lie%3F", "/privacy", "/health", "/review"] {
        let body = client.get_indexed(page).body;
        let hidden = body.chars().find(|c| matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
        assert_eq!(hidden, None, "{page}");
    }
    let note = client.get("/note/Trap%E2%81%A6.md").body;
    for named in [
        "U+202E</span>koob",
        "be<span class=\"hidden-character\">U+200B</span>hind",
        "Trap<span class=\"hidden-character\">U+2066",
    ] {
        assert!(note.contains(named), "{named} in {note}");
    }
    assert!(note.contains("<title>Trap[U+2066]") && note.contains("\u{1f469}\u{200d}\u{1f467}"), "{note}");
}

/// A link to what was said once led to a page that headed it as if it still held, and to nowhere.
#[test]
fn what_no_longer_stands_leads_to_what_stands_in_its_place() {
    let served = Served::deciding(&[("Anna.md", "# Anna\n\nAnna works at Tidewell.\n\nAnna plays the cello.\n")]);
    let client = served.enter();
    let note = client.get_indexed("/note/Anna.md").body;
    let claim = note.split_once("href=\"/claim/").expect("a claim").1.split('"').next().expect("an id").to_owned();
    served.fixture.write("Anna.md", "# Anna\n\nAnna works at Aldersea.\n\nAnna plays the cello.\n");
    client.get_indexed("/");
    let page = client.get(&format!("/claim/{claim}")).body;
    assert!(!page.contains("Why is this so?") && page.contains("This no longer stands in your notes"), "{page}");
    assert!(page.contains("href=\"/note/Anna.md\"") && page.contains("Anna works at Aldersea."), "{page}");
}

#[test]
fn what_the_user_ended_is_told_as_such() {
    let served = Served::deciding(&[("Anna.md", "# Anna\n\nAnna works at Tidewell since 2024-02-03.\n")]);
    let client = served.enter();
    let note = client.get_indexed("/note/Anna.md").body;
    let claim = note.split_once("href=\"/claim/").expect("a claim").1.split('"').next().expect("an id").to_owned();
    let before = client.get(&format!("/claim/{claim}")).body;
    assert!(!before.contains("undo what I decided"), "nothing was decided");
    let decided = client.post("/decide", &format!("act=end&claim={claim}"));
    let page = client.get(decided.header("location").expect("back")).body;
    assert!(page.contains("Anna works at Tidewell since 2024-02-03.</a>"), "the sentence is told: {page}");
    assert!(page.contains("you ended it") && page.contains("you said on 2026-01-05 that it no longer holds"), "{page}");
    assert!(!page.contains("held 2024-02-03 to 2026-01-05") && page.contains("undo what I decided"), "{page}");
}

#[test]
fn a_note_says_in_which_copy_its_guarded_words_stand_unguarded() {
    let notes = [
        ("Safe.md", "---\nprivacy: secret\n---\nThe code of the safe is written behind the clock.\n"),
        ("copies/Safe.md", "The code of the safe is written behind the clock.\n"),
        ("Other.md", "The heron is grey.\n"),
    ];
    let served = Served::start(&notes);
    let client = served.enter();
    let safe = client.get_indexed("/note/Safe.md").body;
    assert!(safe.contains("also stand, less guarded, in <a href=\"/note/copies/Safe.md\">"), "{safe}");
    assert!(!client.get("/note/copies/Safe.md").body.contains("less guarded"));
}

/// A long note stood in pages for the user and whole for a cloud model.
#[test]
fn what_a_cloud_model_is_shown_of_a_long_note_is_paged_too() {
    let lines: String = (0..2500).map(|number| format!("Line {number} stands here.\n\n")).collect();
    let text = format!("{lines}\n<!--privacy:secret-->Anna earns 6840 euros.<!--/privacy-->\n");
    let served = Served::start(&[("Long.md", &text)]);
    let client = served.enter();
    let note = client.get_indexed("/note/Long.md").body;
    let cloud = note.split_once("class=\"cloud\"").expect("two columns").1;
    assert!(
        cloud.contains("Line 900 ") && !cloud.contains("Line 1100 ") && cloud.contains("more lines</a>"),
        "{cloud}"
    );
    let first = client.get("/note/Long.md?as=cloud").body;
    assert!(first.contains("Line 900 ") && !first.contains("Line 1100 ") && first.contains("later lines"), "{first}");
    let second = client.get("/note/Long.md?as=cloud&line=2001").body;
    assert!(second.contains("Line 1100 ") && !second.contains("Line 900 ") && second.contains("earlier lines"));
    assert!(!second.contains("6840"));
}

#[test]
fn a_note_knows_the_way_back_to_the_answer_and_to_nowhere_else() {
    let served = Served::start(NOTES);
    let client = served.enter();
    client.get_indexed("/");
    let note = |referrer: &str| {
        let headers = [("Cookie", client.cookie.as_str()), ("Referer", referrer)];
        served.request("GET", "/note/Anna.md", &headers, "").body
    };
    let back = note(&format!("http://{}/?q=Where+does+Anna+work%3F", served.host));
    assert!(back.contains("class=\"back\" href=\"/?q=Where+does+Anna+work%3F\">"), "{back}");
    for other in ["http://evil.test/?q=x".to_owned(), format!("http://{}//evil.test/", served.host)] {
        assert!(!note(&other).contains("class=\"back\""), "{other}");
    }
}

#[test]
fn a_text_with_nothing_proven_does_not_read_as_supported() {
    let served = Served::start(NOTES);
    let client = served.enter();
    client.get_indexed("/");
    let body = client.post("/verify", "text=Anna+has+a+post+at+Tidewell+%5B%5BAnna%5D%5D.").body;
    assert!(body.contains("0 of 1 proven") && !body.contains("supported:"), "{body}");
    assert!(!body.contains("no number, date or name disagrees"), "{body}");
}
