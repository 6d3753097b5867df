//! Into which pieces the model in the program cuts a text, and which words it leaves out.
//!
//! What is expected here was compared with Hugging Face's tokenizers (0.23) and the same vocabulary; only
//! [`private_characters_make_a_word_unknown`] is another choice. A case that changes means that vectors change: then
//! `RULES` in `src/static_embedder.rs` counts up.

use memora_embed::StaticEmbedder;

#[track_caller]
fn check(text: &str, expect: &str) {
    assert_eq!(StaticEmbedder::embedded().pieces(text).join(" "), expect);
}

#[test]
fn english_is_cut_into_words_and_pieces() {
    check("unaffable embeddings tokenizer", "una ##ffa ##ble em ##bed ##ding ##s token ##izer");
    check("don't re-index v1.2.3 a_b", "don ' t re - index v ##1 . 2 . 3 a _ b");
    check("“quoted” – dash… it’s", "“ quoted ” – dash … it ’ s");
    check("€5 £6 20°C x² ½", "€ ##5 £ ##6 20 ##° ##c x ##² ½");
}

#[test]
fn there_are_no_special_pieces() {
    check("[CLS] [SEP] [unused1] ##ing", "[ cl ##s ] [ sep ] [ unused ##1 ] # # ing");
}

#[test]
fn accents_go_however_they_are_written() {
    check("Crème brûlée à la Noël", "cr ##eme br ##ule ##e a la noel");
    check("Cre\u{300}me bru\u{302}le\u{301}e", "cr ##eme br ##ule ##e");
    check("Z\u{351}\u{36b}\u{343}\u{36a}\u{302}\u{363}algo", "za ##l ##go");
    check("Łódź Øresund Đorđe", "łodz ø ##res ##und đ ##or ##đ ##e");
    check("Kelvin \u{212a} Å \u{212b}", "kelvin k a a");
    check("\u{37e}\u{1fef}", "; `");
    check("ᾳ ᾼ", "α α");
}

#[test]
fn lower_case_is_taken_character_by_character() {
    check("Straße GROẞ Fuß", "st ##raße gr ##o ##ß fu ##ß");
    check("İstanbul ISPARTA ılık", "istanbul is ##par ##ta ı ##l ##ı ##k");
    // Without the final form of sigma.
    check("ΟΔΥΣΣΕΥΣ", "ο ##δ ##υ ##σ ##σ ##ε ##υ ##σ");
    check("Москва Йод", "м ##о ##с ##к ##в ##а и ##о ##д");
}

#[test]
fn han_stands_alone_and_other_scripts_do_not() {
    check("日本語のテスト", "日 本 語 の ##テ ##ス ##ト");
    check("北京，上海。", "北 京 ， 上 海 。");
    check("a北b", "a 北 b");
    check("カタカナ が", "カ ##タ ##カ ##ナ か");
    check("한국어", "ᄒ ##ᅡ ##ᆫ ##ᄀ ##ᅮ ##ᆨ ##ᄋ ##ᅥ");
    check("、。「」", "、 。 「 」");
    // Beside compatibility ideographs and those beyond 16 bits, words end too.
    check("a\u{2f801}b\u{20000}c\u{2b820}d\u{3400}e", "a b c d e");
    check("豈", "");
}

#[test]
fn marks_without_width_go_and_others_stay() {
    check("हिन्दी", "ह ##ि ##न ##द ##ी");
    check("مَرْحَبًا", "م ##ر ##ح ##ب ##ا");
    check("ภาษาไทย น้ำ", "");
    check("a\u{20dd}b", "");
}

#[test]
fn an_unknown_character_makes_its_word_unknown_and_no_other() {
    check("👨\u{200d}👩\u{200d}👧 family", "family");
    check("❤\u{fe0f} love", "love");
    check("thumbs👍up now", "now");
    check("1\u{fe0f}\u{20e3} one", "one");
    check("🇩🇪", "");
    check("ǅungla ①②Ⓐ ª", "ª");
    check("〆切", "");
}

#[test]
fn private_characters_make_a_word_unknown() {
    // Hugging Face takes them away; the model's README says control and format characters only.
    check("\u{e0b0}icon beside", "beside");
    check("x\u{f0001}y", "");
}

#[test]
fn what_cannot_be_seen_is_white_space_or_nothing() {
    check("no\u{a0}break thin\u{2009}space\u{3000}wide next\u{2028}line", "no break thin space wide next line");
    check("tab\there\r\nthere", "tab here there");
    check("vertical\u{b}tab\u{c}feed\u{85}next", "vertical ##ta ##bf ##eed ##ne ##xt");
    check("nul\0bell\u{7}\u{fffd}gone", "nu ##lb ##ell ##gon ##e");
    check("soft\u{ad}hyphen", "soft ##hy ##ph ##en");
    check("zero\u{200b}width\u{2060}joined\u{feff}", "zero ##wi ##dt ##h ##jo ##ined");
    check("\u{200f}right\u{200e} to \u{202e}over\u{202c}ride", "right to over ##ride");
}

#[test]
fn full_width_and_ligatures_are_not_taken_apart() {
    check("Ｆｕｌｌ　Ｗｉｄｔｈ！", "！");
    check("ﬁnd ﬂow oﬃce", "ﬁ ##nd ﬂ ##ow");
}

#[test]
fn a_long_word_is_left_out() {
    let pieces = |text: &str| StaticEmbedder::embedded().pieces(text).len();
    assert!(pieces(&"a".repeat(100)) > 0);
    assert_eq!(pieces(&"a".repeat(101)), 0);
    // Counted after decomposing and taking marks away, and in characters.
    assert!(pieces(&"\u{1ea5}".repeat(100)) > 0);
    assert_eq!(pieces(&"\u{1ea5}".repeat(101)), 0);
    check(&format!("before {} after", "long".repeat(100_000)), "before after");
}

#[test]
fn nothing_has_no_pieces() {
    for text in ["", " ", "\n\t\u{3000}", "\u{200b}", "\u{301}", "\0", "\u{10ffff}"] {
        check(text, "");
    }
}
