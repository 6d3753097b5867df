//! The files that pages are made of: reviewed as text, and held to what the policy of the pages needs.

use std::path::Path;

fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path());
    let read = |path: &Path| std::fs::read_to_string(path).expect("text");
    entries
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), read(&path)))
        .collect()
}

#[test]
fn no_template_prints_anything_unescaped() {
    let all = files("templates");
    assert!(all.len() > 10);
    for (name, text) in &all {
        for way in ["|safe", "| safe", "|escape", "| escape", "{% filter", "{% raw", "autoescape"] {
            assert!(!text.contains(way), "{name}: {way}");
        }
    }
    for file in files("src").into_iter().chain(files("src/pages")) {
        assert!(!file.1.contains("escape = \"none\"") && !file.1.contains("MarkupDisplay"), "{}", file.0);
    }
}

#[test]
fn no_template_has_a_style_a_handler_or_an_address_elsewhere() {
    for (name, text) in files("templates").iter().chain(&files("assets")) {
        assert!(!text.contains("style=\"") && !text.contains("javascript:"), "{name}");
        for elsewhere in ["https://", "//cdn", "@import", "url(http"] {
            assert!(!text.contains(elsewhere), "{name}: {elsewhere}");
        }
        let plain = text.matches("http://").count() - text.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(plain, 0, "{name}");
        if name.ends_with(".html") {
            let handlers = text.split_whitespace().filter(|word| word.starts_with("on") && word.contains("=\""));
            assert_eq!(handlers.collect::<Vec<_>>(), Vec::<&str>::new(), "{name}");
            assert_eq!(text.matches("<script").count(), text.matches("<script nonce=\"{{").count(), "{name}");
            // Each form that changes anything, or is judged, carries the token.
            let forms = text.split("<form").skip(1).map(|form| form.split("</form>").next().unwrap_or_default());
            for form in forms.filter(|form| form.contains("method=\"post\"") && name != "in.html") {
                assert!(form.contains("name=\"token\" value=\"{{ frame.token }}\""), "{name}: {form}");
            }
        }
    }
}

#[test]
fn the_script_makes_no_markup_and_is_short() {
    let (_, script) = files("assets").into_iter().find(|(name, _)| name == "page.js").expect("the script");
    for way in
        ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", "localStorage", "import("]
    {
        assert!(!script.contains(way), "{way}");
    }
    assert_eq!(script.matches("fetch(").count(), script.matches("fetch('/fresh')").count());
    assert!(script.lines().count() <= 250);
}
