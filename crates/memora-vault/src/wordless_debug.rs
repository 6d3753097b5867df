//! `Debug` for what holds words of notes: sizes and ids, never the words.

/// Implements `Debug` for types: each prints its name, and in brackets what is given for it, which has none of its words.
///
/// ```
/// struct Said(String);
///
/// memora_vault::wordless_debug! {
///     Said(said): "{} bytes", said.0.len();
/// }
///
/// assert_eq!(format!("{:?}", Said("secret".to_owned())), "Said(6 bytes)");
/// ```
#[macro_export]
macro_rules! wordless_debug {
    ($($name:ident($this:ident): $format:literal $(, $value:expr)+;)+) => {
        $(
            impl std::fmt::Debug for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    let $this = self;
                    write!(f, concat!(stringify!($name), "(", $format, ")") $(, $value)+)
                }
            }
        )+
    };
}
