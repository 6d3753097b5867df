//! The tag set: universal tags, Penn tags and dependency labels.
//!
//! Invariant: **the names are those of the treebank**, in Rust spelling (`nsubj:pass` is [`Label::NsubjPass`]).
//! Not here: their meaning for a claim, which is up to the code that reads a
//! [`DependencyTree`](crate::DependencyTree).

/// Declares an enum whose variants have treebank names, with conversions in both directions.
macro_rules! names {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = concat!("The treebank's ``` ", $text, " ```.")] $variant,)*
        }

        impl $name {
            /// Returns the treebank name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// Returns the variant with the given treebank name, if there is one.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

names! {
    /// A universal part of speech.
    Upos {
        Adj = "ADJ",
        Adp = "ADP",
        Adv = "ADV",
        Aux = "AUX",
        Cconj = "CCONJ",
        Det = "DET",
        Intj = "INTJ",
        Noun = "NOUN",
        Num = "NUM",
        Part = "PART",
        Pron = "PRON",
        Propn = "PROPN",
        Punct = "PUNCT",
        Sconj = "SCONJ",
        Sym = "SYM",
        Verb = "VERB",
        X = "X",
    }
}

names! {
    /// A part of speech after the Penn treebank: finer than [`Upos`] for verbs, pronouns and punctuation.
    Xpos {
        Add = "ADD",
        Afx = "AFX",
        Cc = "CC",
        Cd = "CD",
        CloseQuote = "''",
        Colon = ":",
        Comma = ",",
        Dollar = "$",
        Dt = "DT",
        Ex = "EX",
        Fw = "FW",
        Gw = "GW",
        Hyph = "HYPH",
        In = "IN",
        Jj = "JJ",
        Jjr = "JJR",
        Jjs = "JJS",
        Lrb = "-LRB-",
        Ls = "LS",
        Md = "MD",
        Nfp = "NFP",
        Nn = "NN",
        Nnp = "NNP",
        Nnps = "NNPS",
        Nns = "NNS",
        OpenQuote = "``",
        Pdt = "PDT",
        Pos = "POS",
        Prp = "PRP",
        PrpPoss = "PRP$",
        Rb = "RB",
        Rbr = "RBR",
        Rbs = "RBS",
        Rp = "RP",
        Rrb = "-RRB-",
        Stop = ".",
        Sym = "SYM",
        To = "TO",
        Uh = "UH",
        Vb = "VB",
        Vbd = "VBD",
        Vbg = "VBG",
        Vbn = "VBN",
        Vbp = "VBP",
        Vbz = "VBZ",
        Wdt = "WDT",
        Wp = "WP",
        WpPoss = "WP$",
        Wrb = "WRB",
    }
}

names! {
    /// The dependency relation of a token to its head.
    Label {
        Acl = "acl",
        AclRelcl = "acl:relcl",
        Advcl = "advcl",
        Advmod = "advmod",
        Amod = "amod",
        Appos = "appos",
        Aux = "aux",
        AuxPass = "aux:pass",
        Case = "case",
        Cc = "cc",
        Ccomp = "ccomp",
        Compound = "compound",
        CompoundPrt = "compound:prt",
        Conj = "conj",
        Cop = "cop",
        Csubj = "csubj",
        Dep = "dep",
        Det = "det",
        Discourse = "discourse",
        Dislocated = "dislocated",
        Expl = "expl",
        Fixed = "fixed",
        Flat = "flat",
        Goeswith = "goeswith",
        Iobj = "iobj",
        List = "list",
        Mark = "mark",
        Nmod = "nmod",
        NmodDesc = "nmod:desc",
        NmodPoss = "nmod:poss",
        NmodUnmarked = "nmod:unmarked",
        Nsubj = "nsubj",
        NsubjPass = "nsubj:pass",
        Nummod = "nummod",
        Obj = "obj",
        Obl = "obl",
        OblAgent = "obl:agent",
        OblUnmarked = "obl:unmarked",
        Orphan = "orphan",
        Parataxis = "parataxis",
        Punct = "punct",
        Reparandum = "reparandum",
        Root = "root",
        Vocative = "vocative",
        Xcomp = "xcomp",
    }
}
