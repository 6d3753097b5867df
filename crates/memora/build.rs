//! Has the program made anew when a file of the example vault comes or goes: `memora demo` carries it along, and the macro
//! that takes it in tells cargo of the files that there are, not of new ones.

fn main() {
    println!("cargo::rerun-if-changed=vault-example");
}
