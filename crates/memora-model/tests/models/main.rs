//! Language models are asked as the engine asks them, with a scripted server at the other end.
//!
//! - `formats`: what each provider is sent, to the byte, and what is read of its replies.
//! - `whereabouts`: which model is near, which is far, which is refused.
//! - `trouble`: whatever a server does leads to an error of its own, soon, and says nothing of what was asked.

mod formats;
mod trouble;
mod whereabouts;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use memora_claim::ParsedNote;
use memora_model::{
    Completion, ConnectedModel, KeySource, LanguageModel, ModelConfig, ModelError, ModelLimits, Provider,
    RequestPreview, Url,
};
use memora_redact::{
    CloudDoor, CloudPrompt, Door, ExcerptAccess, LocalDoor, LocalPrompt, Prompt, UserQuestion, authorize_excerpts,
};
use memora_testkit::ModelServer;
use memora_vault::{Note, NotePath, PathContext};

/// Stands in the question and nowhere else.
const CANARY: &str = "Zwergpinguin";

/// The key, which stands in one header and nowhere else.
const KEY: &str = "sk-canary-0123456789";

/// No test waits for long, and none for a time that matters.
const LIMITS: ModelLimits = ModelLimits {
    connect: Duration::from_secs(5),
    answer: Duration::from_secs(5),
    tries: 3,
    pause: Duration::from_millis(1),
    pause_max: Duration::from_millis(5),
    bytes_max: 1 << 20,
};

fn url(text: &str) -> Url {
    Url::parse(text).expect("an address")
}

/// A model that the user trusts, at the server.
fn config(provider: Provider, address: &str) -> ModelConfig {
    ModelConfig {
        provider,
        url: url(address),
        name: "scripted:1b".to_owned(),
        trusted_local: true,
        key: KeySource::None,
        timeout: Duration::from_secs(5),
        tokens_max: 100,
    }
}

/// The same with a key.
fn with_key(config: ModelConfig) -> ModelConfig {
    ModelConfig { key: KeySource::Command(vec!["echo".to_owned(), KEY.to_owned()]), ..config }
}

fn untrusted(config: ModelConfig) -> ModelConfig {
    ModelConfig { trusted_local: false, ..config }
}

fn connect(config: &ModelConfig) -> Result<ConnectedModel, ModelError> {
    ConnectedModel::connect(config, &LIMITS, &AtomicBool::new(false))
}

fn question<D: Door>() -> Prompt<D> {
    Prompt::answer(&UserQuestion::new(&format!("Who keeps a {CANARY}?")), &[], &[])
}

/// A prompt whose reply is JSON.
fn extract<D: Door>(text: &str, door: &D) -> Prompt<D> {
    let path = NotePath::new("Anna.md").expect("a good path");
    let fresh = ParsedNote::new(Note::parse(path, text.to_owned(), PathContext::default()).0);
    match authorize_excerpts(&fresh, door).first() {
        Some(ExcerptAccess::Clear(excerpt)) => Prompt::extract(excerpt),
        other => panic!("{other:?}"),
    }
}

/// Asks a model whatever it may be asked.
fn ask(model: &ConnectedModel, stop: &AtomicBool) -> Result<Completion, ModelError> {
    match model {
        ConnectedModel::Local(near) => near.complete(&question::<LocalDoor>(), &mut || true, stop),
        ConnectedModel::Remote(far) => far.complete(&question::<CloudDoor>(), &mut || true, stop),
    }
}

fn request(model: &ConnectedModel, cloud: &CloudPrompt, local: &LocalPrompt) -> RequestPreview {
    match model {
        ConnectedModel::Local(near) => near.request(local),
        ConnectedModel::Remote(far) => far.request(cloud),
    }
}

/// Where each provider is at the server.
fn addresses(server: &ModelServer) -> [(Provider, String); 3] {
    let address = server.address().to_owned();
    [(Provider::Ollama, address.clone()), (Provider::OpenAi, format!("{address}/v1")), (Provider::Anthropic, address)]
}
