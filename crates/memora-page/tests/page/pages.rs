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
    let marks = note.split("<mark>").skip(1).filter_map(|rest| rest.split("</mark>").next());
    let marked = decode(&marks.collect::<Vec<_>>().join("\n"));
    let file = served.fixture.read("Anna.md");
    assert_eq!(Some(marked.as_str()), file.get(number("start")..number("end")));
    // Once the bytes change, nothing is marked in their place.
    served.fixture.write("Anna.md", file.replace("Tidewell", "Aldersea"));
    let note = client.get_indexed(path).body;
    assert!(!note.contains("<mark>") && note.contains("have changed since"), "{note}");
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
    for elsewhere in ["127.0.0.2", "::1"] {
        assert!(std::net::TcpStream::connect((elsewhere, served.port)).is_err(), "{elsewhere}");
    }
}
