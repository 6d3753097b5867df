//! Prints the pieces that the model in the program knows of a text: `pieces < FILE`, a line for each line.
//!
//! For comparing with another tokenizer of the same vocabulary, and for seeing why two texts are alike.

#![expect(clippy::print_stdout, reason = "a developers' program")]

use memora_embed::StaticEmbedder;

fn main() -> std::io::Result<()> {
    let text = std::io::read_to_string(std::io::stdin())?;
    let embedder = StaticEmbedder::embedded();
    for line in text.split('\n') {
        println!("{}", embedder.pieces(line).join(" "));
    }
    Ok(())
}
