//! The JSON schema of a closed set of words.

use schemars::Schema;
use serde_json::Value;

/// Turns the schema of an enum of words into `{"type": "string", "enum": […]}`.
///
/// `schemars` describes each documented variant in an object of its own, which makes the tool list of the MCP server, read
/// by a model in every conversation, several times longer.
pub fn closed_set(schema: &mut Schema) {
    let word = |variant: &Value| match (variant.get("const"), variant.get("enum")) {
        (Some(word), _) => vec![word.clone()],
        (None, Some(Value::Array(words))) => words.clone(),
        _ => Vec::new(),
    };
    let Some(Value::Array(variants)) = schema.remove("oneOf") else { return };
    schema.insert("type".to_owned(), Value::from("string"));
    schema.insert("enum".to_owned(), variants.iter().flat_map(word).collect());
}

/// Declares enums that are words in JSON: each variant is its name in snake case, and the schema lists them all.
///
/// A crate that calls it depends on `schemars`, `serde` and `strum`.
#[macro_export]
macro_rules! closed_sets {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident,)* })*) => {
        $(
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            #[derive(serde::Serialize, schemars::JsonSchema, strum::IntoStaticStr, strum::Display, strum::EnumString)]
            $(#[$doc])*
            #[serde(rename_all = "snake_case")]
            #[strum(serialize_all = "snake_case")]
            #[schemars(inline, transform = $crate::closed_set)]
            pub enum $name {
                $($(#[$variant_doc])* $variant,)*
            }

            impl $name {
                /// The word for it, as in JSON.
                #[must_use]
                pub fn as_str(self) -> &'static str {
                    self.into()
                }
            }
        )*
    };
}

#[cfg(test)]
mod tests {
    use crate::Band;

    #[test]
    fn a_band_is_one_of_three_words() {
        let schema = schemars::schema_for!(Band);
        assert_eq!(schema.get("enum"), Some(&serde_json::json!(["public", "private", "secret"])));
        assert_eq!(schema.get("type"), Some(&serde_json::json!("string")));
        assert_eq!(serde_json::to_value(Band::Private).ok(), Some("private".into()));
    }
}
