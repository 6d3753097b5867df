//! What is said when ONNX Runtime or its model is not there, or not what it should be.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use memora_embed::{FastEmbedder, RuntimePaths, RuntimeUnavailable};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

fn write(path: PathBuf, text: &str) -> PathBuf {
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("it can be made");
    fs::write(&path, text).expect("a file can be written");
    path
}

/// A data folder that looks complete, though nothing in it is what it should be.
fn complete(data: &Path) {
    write(RuntimePaths::library_in(data), "no library");
    for name in RuntimePaths::MODEL_FILES {
        write(RuntimePaths::model_in(data).join(name), "no model");
    }
}

fn in_data(data: &Path) -> RuntimePaths {
    RuntimePaths { data: Some(data.to_owned()), ..RuntimePaths::default() }
}

#[track_caller]
fn absent(places: &RuntimePaths) -> RuntimeUnavailable {
    FastEmbedder::probe(places).err().expect("there is no embedder")
}

#[test]
fn without_any_place_the_library_is_nowhere() {
    let absent = absent(&RuntimePaths::default());
    assert!(matches!(&absent, RuntimeUnavailable::Library { looked } if looked.is_empty()));
    assert_eq!(absent.to_string(), "ONNX Runtime's library is nowhere: no place for it is known");
}

#[test]
fn the_library_is_looked_for_in_order() {
    let data = folder();
    let [first, second] = ["a", "b"].map(|name| data.path().join(name));
    let mut places =
        RuntimePaths { library: Some(first.clone()), ort_dylib_path: Some(second.clone()), ..in_data(data.path()) };
    let third = RuntimePaths::library_in(data.path());
    let missing = absent(&places);
    assert!(
        matches!(&missing, RuntimeUnavailable::Library { looked } if *looked == [first.clone(), second.clone(), third])
    );
    let said = missing.to_string();
    assert!(said.contains(&format!("not at {}, nor at {}, nor at ", first.display(), second.display())), "{said}");

    // An empty variable names nothing, and a folder is no library.
    places.ort_dylib_path = Some(PathBuf::new());
    places.library = Some(data.path().to_owned());
    let missing = absent(&places);
    assert!(matches!(&missing, RuntimeUnavailable::Library { looked } if looked.len() == 2), "{missing}");
}

#[test]
fn a_relative_path_is_refused() {
    for path in ["libonnxruntime.so", "./libonnxruntime.so"] {
        let relative = absent(&RuntimePaths { library: Some(path.into()), ..RuntimePaths::default() });
        assert!(
            matches!(&relative, RuntimeUnavailable::Relative { path: refused } if refused == Path::new(path)),
            "{relative}"
        );
    }
    let data = folder();
    complete(data.path());
    let relative = absent(&RuntimePaths { model: Some("model".into()), ..in_data(data.path()) });
    assert!(matches!(relative, RuntimeUnavailable::Relative { .. }), "{relative}");
}

#[test]
fn a_model_that_was_asked_for_is_not_replaced_by_another() {
    let data = folder();
    complete(data.path());
    let other = data.path().join("other");
    let missing = absent(&RuntimePaths { model: Some(other.clone()), ..in_data(data.path()) });
    assert!(matches!(&missing, RuntimeUnavailable::Model { looked } if *looked == [other.clone()]), "{missing}");

    let library = RuntimePaths { library: Some(RuntimePaths::library_in(data.path())), ..RuntimePaths::default() };
    assert_eq!(absent(&library).to_string(), "the model is nowhere: no place for it is known");
}

#[test]
fn a_missing_file_of_the_model_is_named() {
    for name in RuntimePaths::MODEL_FILES {
        let data = folder();
        complete(data.path());
        let file = RuntimePaths::model_in(data.path()).join(name);
        fs::remove_file(&file).expect("it was there");
        let missing = absent(&in_data(data.path()));
        assert!(matches!(&missing, RuntimeUnavailable::ModelFile { path, .. } if *path == file), "{missing}");
    }
}

#[test]
fn a_file_that_is_no_library_is_an_error_and_no_panic() {
    let data = folder();
    complete(data.path());
    // Again, because a failure must not stay in the way of a library that is installed meanwhile.
    for _ in 0..2 {
        let unusable = absent(&in_data(data.path()));
        assert!(matches!(&unusable, RuntimeUnavailable::LibraryUnusable { path, .. } if path.starts_with(data.path())));
        assert!(unusable.source().is_some());
    }
}
