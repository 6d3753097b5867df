//! Notes that want to be more than text: whatever stands in them stands on the page as text.

use crate::client::Served;

const SCRIPT: &str = "<script>alert(1)</script>";
const IMAGE: &str = "\"><img src=x onerror=alert(1)>";

fn notes() -> Vec<(String, String)> {
    let text = format!(
        "---\naliases: ['{IMAGE}']\ntags: [x]\nstatus: '{SCRIPT}'\n---\n# {SCRIPT} {IMAGE}\n\nKestrel works at {SCRIPT} since 2024.\n\n\
         - Kestrel owns <a href=\"javascript:alert(1)\">drift</a> {IMAGE}\n- [x](javascript:alert(2)) is what Kestrel likes.\n\n\
         ![](https://evil.test/pixel.png) Kestrel lives in {{{{ frame.token }}}} {{% raw %}}.\n\n</pre></li></ol></section>{SCRIPT}\n\
         Kestrel stands under &lt;b&gt; and \u{202e}reversed\u{202c}.\n"
    );
    vec![
        ("Kestrel.md".to_owned(), text),
        (
            "odd/a&b ' onload=alert(1) <b>.md".to_owned(),
            format!("# Odd\n\nThe heron stands beside {IMAGE} since 2023.\n"),
        ),
        ("Heron.md".to_owned(), "---\nprivacy: secret\n---\n# Heron\n\nThe heron is <b>grey</b>.\n".to_owned()),
    ]
}

#[test]
fn whatever_stands_in_a_note_is_text_on_every_page() {
    let notes = notes();
    let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let served = Served::deciding(&notes);
    let client = served.enter();
    let note = client.get_indexed("/note/Kestrel.md");
    assert_eq!(note.status, 200);
    let claims = note.body.split("href=\"/claim/").skip(1).filter_map(|rest| rest.split('"').next());
    let claims: Vec<String> = claims.map(|id| format!("/claim/{id}")).collect();
    assert!(claims.len() > 3, "{}", note.body);
    let hostile = "%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    let mut pages: Vec<String> = [
        "/note/Kestrel.md",
        "/note/Kestrel.md?as=cloud",
        "/note/odd/a%26b%20'%20onload%3Dalert(1)%20%3Cb%3E.md",
        "/?q=Kestrel",
        "/?q=Where+does+Kestrel+work%3F",
        "/?q=Where+does+Kestrel+work%3F&as=cloud",
        "/?q=heron",
        "/entity/Kestrel",
        "/review",
        "/privacy",
        "/health",
        "/memory",
        "/prompt?q=Where+does+Kestrel+work%3F",
    ]
    .map(str::to_owned)
    .into();
    for asked in [
        "/?q=",
        "/?as=cloud&q=",
        "/prompt?q=",
        "/entity/",
        "/claim/",
        "/note/",
        "/?q=x&folder=",
        "/?q=x&as_of=",
        "/?q=x&tag=",
        "/memory?about=x&done=",
        "/memory?done=x&about=",
        "/review?done=x&about=",
        "/review?about=x&done=",
        "/review?kind=",
    ] {
        pages.push(format!("{asked}{hostile}"));
    }
    pages.extend(claims);
    let (mut seen, mut bodies) = (0, Vec::new());
    for page in &pages {
        let reply = client.get(page);
        assert!(reply.status < 500, "{page}: {reply:?}");
        bodies.push((page.clone(), reply.body));
    }
    let pasted = format!("text={}", "Kestrel+works+at+%3Cscript%3Ealert(1)%3C%2Fscript%3E+%5B%5BKestrel%5D%5D.");
    bodies.push(("/verify".to_owned(), client.post("/verify", &pasted).body));
    for (page, body) in &bodies {
        assert_no_markup_of_notes(page, body);
        seen += body.matches("alert(1)").count();
    }
    assert!(seen > 20, "the words themselves are shown: {seen}");
}

/// No tag, attribute or address on a page but those that templates make.
fn assert_no_markup_of_notes(page: &str, body: &str) {
    for tag in body.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        if tag.starts_with('/') {
            continue;
        }
        let name = tag.split([' ', '\n', '/']).find(|part| !part.is_empty()).unwrap_or_default();
        assert!(
            !["img", "iframe", "object", "embed", "base", "b>", "video", "audio"].contains(&name),
            "{page}: <{tag}>"
        );
        assert!(name != "script" || tag.contains("nonce=\""), "{page}: <{tag}>");
        // Outside of values, no attribute runs anything.
        let bare: String = tag.split('"').step_by(2).collect();
        for attribute in bare.split_whitespace() {
            assert!(!attribute.starts_with("on") && !attribute.starts_with("style"), "{page}: <{tag}>");
        }
        for value in tag.split("href=\"").skip(1) {
            let address = value.split('"').next().unwrap_or_default();
            let ours = address.starts_with('/') || address.starts_with('#') || address.starts_with('?');
            assert!(ours || address.starts_with("obsidian://open?"), "{page}: {address}");
            assert!(!address.starts_with("//"), "{page}: {address}");
        }
        for value in tag.split("src=\"").skip(1) {
            assert!(value.starts_with("/a/"), "{page}: <{tag}>");
        }
    }
}
