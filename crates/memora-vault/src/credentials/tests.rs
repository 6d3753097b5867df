//! Every rule both ways: what must be found, and what only looks like it.

use super::*;

/// The found texts, each with its kind, in order.
pub(super) fn found(text: &str) -> Vec<(&str, CredentialKind)> {
    find_credentials(text).into_iter().map(|(range, kind)| (text.get(range).expect("boundaries"), kind)).collect()
}

#[track_caller]
pub(super) fn check(text: &str, expect: &str, kind: CredentialKind) {
    assert_eq!(found(text), [(expect, kind)], "{text}");
}

#[track_caller]
pub(super) fn none(text: &str) {
    assert_eq!(found(text), [], "{text}");
}

#[test]
fn private_keys_to_their_end_or_to_the_end() {
    let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----";
    check(&format!("before\n{key}\nafter"), key, CredentialKind::PrivateKey);
    check("x -----BEGIN PRIVATE KEY-----\nabc é", "-----BEGIN PRIVATE KEY-----\nabc é", CredentialKind::PrivateKey);
    let pgp = "-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----";
    check(pgp, pgp, CredentialKind::PrivateKey);
    none("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----");
    none("-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----");
}

#[test]
fn tokens_of_known_forms() {
    for token in [
        "sk-live-4e7b09c2d15fa8836b20e9f7c4d1a05b8e63f2901c7d",
        "sk-ant-api03-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA-abcDEF_g",
        "sk-proj-aB3dEf6hIj9kLm2nOp5qRs8t",
        "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "gho_16C7e42F292c6912E7710c838347Ae178B4a",
        "github_pat_11ABCDEFG0aBcDeFgHiJkL_mnopqrstuvwxyz0123456789",
        "xoxb-123456789012-abcdefABCDEF",
        "AKIAIOSFODNN7EXAMPLE",
        "AIzaSyA1234567890abcdefghijklmnopqrstuvw",
        "glpat-aBcDeFgHiJkLmNoPqRs1",
        "npm_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789",
        "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    ] {
        check(&format!("pasted `{token}` here (rotate it!!)"), token, CredentialKind::Token);
        check(token, token, CredentialKind::Token);
    }
}

#[test]
fn what_only_begins_like_a_token() {
    for text in [
        "sk-learn and sk-2024 and sk-random-forest-classifier-2024-edition",
        "AKIAIOSFODNN7EXAMPLES",
        "ghp_short hf_model npm_config_registry_with_a_long_name_for_it",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi",
        "task-4e7b09c2d15fa8836b20e9f7c4d1a05b8e63f2901c7d",
        "commit bb9c026d15fa8836b20e9f7c4d1a05b8e63f2901",
        "550e8400-e29b-41d4-a716-446655440000",
    ] {
        none(text);
    }
}

#[test]
fn passwords_by_the_word_before_them() {
    for (text, value) in [
        ("- password: gullHolm-Tern58-skerry", "gullHolm-Tern58-skerry"),
        ("password: hunter", "hunter"),
        ("Passwort: geheim", "geheim"),
        ("**Password:** hunter2", "hunter2"),
        ("**Password**: hunter2", "hunter2"),
        ("Password: `gull holm; 58!` (new)", "gull holm; 58!"),
        ("[password:: hunter2]", "hunter2"),
        ("password:: hunter2", "hunter2"),
        ("DB_PASSWORD=hunter2", "hunter2"),
        ("  \"dbPassword\": \"hunter2\",", "hunter2"),
        ("pwd = 's3cret!x'", "s3cret!x"),
        ("Wifi password: Käsekuchen12", "Käsekuchen12"),
        ("Password: Xk9#mm2 changed in May", "Xk9#mm2 changed in May"),
        ("password: geheim (since May)", "geheim (since May)"),
        ("password: hunter ^block-1", "hunter ^block-1"),
        ("password: hunter2<!--/privacy--> x", "hunter2"),
        ("Password for the router: gull-Tern58", "gull-Tern58"),
        ("The wifi password is gull-Tern58", "gull-Tern58"),
        ("| Wifi password | gull-Tern58 | upstairs |", "gull-Tern58"),
        ("mot de passe : soleil", "soleil"),
        ("パスワード：hunter2です", "hunter2"),
        ("密码: abc123，别告诉别人", "abc123"),
        ("Пароль: слонёнок", "слонёнок"),
        ("API key: 9f8e7d6c5b4a", "9f8e7d6c5b4a"),
        ("api_key = \"9f8e7d6c5b4a\"", "9f8e7d6c5b4a"),
        ("GITHUB_TOKEN=9f8e7d6c5b4a", "9f8e7d6c5b4a"),
        ("client_secret: 9f8e-7d6c-5b4a", "9f8e-7d6c-5b4a"),
        ("PIN: 4711", "4711"),
        ("postgres://anna:gullholm@db.example.org/notes", "gullholm"),
    ] {
        check(text, value, CredentialKind::Password);
    }
}

#[test]
fn passwords_that_are_said() {
    for (text, value) in [
        ("The password for the server is Horse!2024", "Horse!2024"),
        ("The password for the staging server is now Horse!2024, so use it.", "Horse!2024"),
        ("My new wifi password is still gull-Tern58.", "gull-Tern58"),
        ("We changed the password to Horse!2024 today.", "Horse!2024"),
        ("Log in with the password Horse!2024", "Horse!2024"),
        ("Horse!2024 is the password for the server", "Horse!2024"),
        ("The passphrase of the backup was \u{201c}gull7holm\u{201d}.", "gull7holm"),
        ("Contraseña: Caballo!2024", "Caballo!2024"),
        ("La contraseña del servidor es Caballo!2024", "Caballo!2024"),
        ("La clave de acceso sigue siendo Caballo2024.", "Caballo2024"),
        ("Das Passwort für den Server lautet Geheim!2024.", "Geheim!2024"),
        ("Das WLAN-Passwort ist jetzt Geheim2024", "Geheim2024"),
        ("Unser Serverkennwort heißt geheim58!", "geheim58"),
        ("Le mot de passe du serveur est Azerty!2024.", "Azerty!2024"),
        ("Le nouveau mot de passe, c'est **Azerty!2024**", "Azerty!2024"),
        ("A senha do servidor é Cavalo!2024", "Cavalo!2024"),
        ("La password del server è Cavallo!2024", "Cavallo!2024"),
        ("Het wachtwoord van de server is Paard!2024", "Paard!2024"),
        ("Пароль от сервера — Лошадь!2024", "Лошадь!2024"),
        ("Пароль сервера: Horse!2024", "Horse!2024"),
        ("Hasło do serwera to Kon!2024", "Kon!2024"),
        ("密码是 Abc!2024xyz", "Abc!2024xyz"),
        ("服务器的密码是Abc!2024xyz，别忘了", "Abc!2024xyz"),
        ("密码改成 Abc!2024xyz 了", "Abc!2024xyz"),
        ("サーバーのパスワードは Uma!2024 です", "Uma!2024"),
        ("서버 비밀번호는 Mal!2024입니다", "Mal!2024"),
        ("my password for github is \"correcthorse\"", "correcthorse"),
        ("The passphrase is “correct horse battery staple”.", "correct horse battery staple"),
        ("The password to the router is kiwi-77-banana", "kiwi-77-banana"),
        ("Пароль от сервера Leto!2024", "Leto!2024"),
        ("Use Horse!2024 as the password.", "Horse!2024"),
        ("Azerty!2024 est le mot de passe du serveur", "Azerty!2024"),
        ("The token for prod is 9f8e7d6c5b4a39281706", "9f8e7d6c5b4a39281706"),
        ("The PIN of the card is 4711.", "4711"),
        ("Die PIN der Karte lautet 4711", "4711"),
        ("The password is 83920174.", "83920174"),
        ("The API key for the weather is 9f8e7d6c5b4a3", "9f8e7d6c5b4a3"),
    ] {
        check(text, value, CredentialKind::Password);
    }
}

#[test]
fn passwords_that_are_said_of_several_or_to_come() {
    for (text, value) in [
        ("The passwords are Horse!2024 and Tern58gull.", "Horse!2024"),
        ("Our passwords: gull-Tern58 and others", "gull-Tern58"),
        ("pw hunter2x", "hunter2x"),
        ("The pw is hunter2x", "hunter2x"),
        ("pw: hunter", "hunter"),
        ("anna, pass: hunter2x", "hunter2x"),
        ("DB_PASS=hunter2x", "hunter2x"),
        ("The password will be hunter2x.", "hunter2x"),
        ("The password should be hunter2x", "hunter2x"),
        ("The wifi password must be hunter2x from May", "hunter2x"),
        ("The password was changed to hunter2x", "hunter2x"),
        ("Please set the password to hunter2x.", "hunter2x"),
        ("The password has been reset to hunter2x", "hunter2x"),
        ("Log in with the password hunter2x", "hunter2x"),
        ("The PIN will be 4711", "4711"),
        ("Mijn pincode is 4711", "4711"),
        ("Das Passwort wird hunter2x", "hunter2x"),
        ("Das Passwort soll hunter2x sein", "hunter2x"),
        ("Das Passwort wurde auf hunter2x geändert", "hunter2x"),
        ("Die Passwörter sind hunter2x und gull7holm", "hunter2x"),
        ("Das Paßwort ist hunter2x", "hunter2x"),
        ("Meine Karten-PIN lautet 4711", "4711"),
        ("Le mot de passe sera hunter2x", "hunter2x"),
        ("Le mot de passe doit être hunter2x", "hunter2x"),
        ("La contraseña será hunter2x", "hunter2x"),
        ("La contraseña fue cambiada a hunter2x", "hunter2x"),
        ("Las contraseñas son hunter2x y gull7holm", "hunter2x"),
        ("A senha será hunter2x", "hunter2x"),
        ("A senha deve ser hunter2x", "hunter2x"),
        ("La password sarà hunter2x", "hunter2x"),
        ("Het wachtwoord wordt hunter2x", "hunter2x"),
        ("密码换成hunter2x了", "hunter2x"),
        ("新密码设为 hunter2x", "hunter2x"),
        ("Mot de passe : soleil", "soleil"),
        ("La phrase secrète est « trois hiboux mangent »", " trois hiboux mangent "),
        ("Lösenord: sommar", "sommar"),
        ("La clave de la caja es 40-17-93.", "40-17-93"),
    ] {
        let found = found(text);
        assert_eq!(found.first(), Some(&(value, CredentialKind::Password)), "{text}");
    }
}

#[test]
fn passwords_however_their_letters_are_written() {
    for (text, value) in [
        ("contrasen\u{303}a: Caballo!2024", "Caballo!2024"),
        ("La contrasen\u{303}a del servidor es Caballo!2024", "Caballo!2024"),
        ("pass\u{ad}word: hunter2", "hunter2"),
        ("The pass\u{200b}word for it is Horse\u{2060}!2024.", "Horse\u{2060}!2024"),
        ("Ｐａｓｓｗｏｒｄ： ｈｕｎｔｅｒ２", "ｈｕｎｔｅｒ２"),
        ("ﾊﾟｽﾜｰﾄﾞ：hunter2です", "hunter2"),
    ] {
        check(text, value, CredentialKind::Password);
    }
    check("IBAN DE89\u{200b}370400440532013000…", "DE89\u{200b}370400440532013000", CredentialKind::Iban);
    none("Ｐａｓｓｗｏｒｄ… forgotten");
}

#[test]
fn what_is_said_of_passwords() {
    for text in [
        "The password for the server is in the safe",
        "The password for user42 is in the safe.",
        "The password of web01 is the same as that of web02",
        "Passwort vergessen",
        "Das Passwort für den Server ist im Tresor, Fach 12.",
        "Das Passwort ist abgelaufen.",
        "Das Passwort für web01 kennt nur Anna.",
        "The password manager is KeePass2",
        "The password policy is ISO27001 compliant",
        "The password is 12 characters long",
        "The password is case-sensitive, and so is the PIN",
        "The password was changed on 2024-03-12",
        "La contraseña del servidor está en la caja 12",
        "La clave es dormir 8 horas",
        "Le mot de passe est dans le coffre 3.",
        "Mot de passe oublié ?",
        "A senha é pessoal e não muda desde 2019.",
        "密码是什么？",
        "密码是 8 位",
        "パスワードは必要です",
        "The password is on page A12.",
        "PIN: on the fridge; the pin is round",
        "Does the password to server01 work?",
        "The password is \"required\"",
        "The password for the Fritz!Box is with Anna.",
        "The password of Anna2 was changed on 12.03.2024",
        "The password is written on page 12 of the notebook.",
        "Пароль от сервера в сейфе",
        "비밀번호는 금고에 있습니다",
    ] {
        none(text);
    }
}

#[test]
fn long_random_bodies_behind_any_prefix() {
    for key in ["acme_live_9fK2mQ7xTz4LpW8vRn3BcY6d", "qx-8d7f6g5h4j3k2l1m9n8b7v6c", "zz_key_4kT9wqLm2ZpX7vBn5RcY8dHs"]
    {
        check(&format!("It is {key}, rotate it."), key, CredentialKind::Token);
    }
    for text in [
        "task-4e7b09c2d15fa8836b20e9f7c4d1a05b8e63f2901c7d",
        "sha512-9fK2mQ7xTz4LpW8vRn3BcY6d9fK2mQ7xTz4LpW8vRn3BcY6d",
        "see https://example.org/d/doc_9fK2mQ7xTz4LpW8vRn3BcY6d",
        "the file export_9fK2mQ7xTz4LpW8vRn3BcY6d.png",
        "a 550e8400-e29b-41d4-a716-446655440000 b",
        "my_VeryLongClassNameOf2024WithManyWords",
        "meeting-20240312T101500Z and IMG_20240312101500123456",
        "assets/img_9fK2mQ7xTz4LpW8vRn3BcY6d/x",
    ] {
        none(text);
    }
}

#[test]
fn prose_about_passwords_and_tokens() {
    for text in [
        "password: see 1Password",
        "password: 1Password",
        "Passwort: siehe Bitwarden, Eintrag Router",
        "Password: required",
        "password: string",
        "Password: ******",
        "password: [[1Password]]",
        "password: <your password>",
        "password = input(\"Password: \")",
        "PASSWORD=$DB_PASSWORD and ${DB_PASSWORD}",
        "password:",
        "Choose a password: at least 12 characters, 8-character minimum in old versions",
        "In **Password**, enter your password.",
        "> [!warning] Individual password protection is not supported.",
        "the password is case-sensitive",
        "the password is SHA256-hashed",
        "if (password == other2x) {",
        "passwords: 12 of them",
        "| Passwords | Button | [[Set up#Add a password\\|Set]] |",
        "| password | string | required |",
        "token: noun, something given",
        "Token: 2024-03-12T10:00",
        "max tokens: 4096",
        "API key: see https://example.org/account2fa",
        "secret: true",
        "secret: the band is booked",
        "privacy: secret",
        "tags: [secret, token]",
        "pin: https://example.org/1234",
        "PIN: on the fridge",
        "密码: 不知道",
        "https://example.org:8080/@anna and mailto:anna@example.org",
        "https://user:password@example.org",
        "[article](https://example.org/s?mid=2&token=270560288&lang=zh_CN#redirect)",
    ] {
        none(text);
    }
}

#[test]
fn ibans_with_valid_check_digits() {
    for iban in [
        "DE89 3704 0044 0532 0130 00",
        "DE89370400440532013000",
        "GB29 NWBK 6016 1331 9268 19",
        "FR14 2004 1010 0505 0001 3M02 606",
        "NO93 8601 1117 947",
        "CH93-0076-2011-6238-5295-7",
        "DE89\u{a0}3704\u{a0}0044\u{a0}0532\u{a0}0130\u{a0}00",
    ] {
        check(&format!("IBAN: {iban}, Anna"), iban, CredentialKind::Iban);
    }
    none("DE88 3704 0044 0532 0130 00");
    none("DE89 3704 0044 0532 0130 001");
    none("XX89 3704 0044 0532 0130 00");
    none("DE89 3704");
}

#[test]
fn cards_with_a_valid_check_digit() {
    for card in [
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111111111111111",
        "5555 5555 5555 4444",
        "2223 0031 2200 3222",
        "3782 822463 10005",
        "378282246310005",
        "3056 930902 5904",
        "6011 1111 1111 1117",
        "3530 1113 3330 0000",
    ] {
        check(&format!("card {card}, 12/27"), card, CredentialKind::Card);
        check(&format!("{card} 123"), card, CredentialKind::Card);
        check(card, card, CredentialKind::Card);
    }
}

#[test]
fn numbers_that_are_no_cards() {
    for text in [
        "4111 1111 1111 1112",
        "4111 1111 1111 1111 1111",
        "1111 4111 1111 1111 1111",
        "41111111111111110000",
        "a4111111111111111 4111111111111111b",
        "https://example.org/status/4111111111111111",
        "+4111111111111111",
        "0.4111111111111111 4111111111111111.5",
        "ISBN 978-3-16-148410-0, 9783161484100",
        "2024-03-12 09:30:00 20240312093000 1710235800 1710235800000",
        "+49 40 1234 5678, 0049 151 1234 5678, (555) 123-4567",
        "EAN 4006381333931",
        "550e8400-e29b-41d4-a716-446655440000",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23",
        "snowflake 1234567890123456789",
    ] {
        none(text);
    }
}

#[test]
fn finds_are_sorted_and_merged() {
    let text = "token: ghp_16C7e42F292c6912E7710c838347Ae178B4a\nIBAN DE89370400440532013000\npassword: x1y2z3";
    let kinds: Vec<CredentialKind> = found(text).into_iter().map(|(_, kind)| kind).collect();
    assert_eq!(kinds.len(), 3);
    assert_eq!(kinds.get(1..), Some(&[CredentialKind::Iban, CredentialKind::Password][..]));
}

proptest::proptest! {
    #[test]
    fn ranges_lie_in_any_text(text in "(?s).{0,200}") {
        properties(&text);
    }

    #[test]
    fn ranges_lie_in_texts_full_of_bait(
        bait in proptest::collection::vec(
            proptest::sample::select(vec![
                "password", ": ", "=", "：", "パスワード", "sk-", "4111 ", "1111", "DE89", "\u{a0}", "é", "|", "`", "\n",
                "-----BEGIN ", "PRIVATE KEY-----", "-----END ", "eyJ", ".", "://", "a:b", "@", "PIN", " is ", "x9y8z7w6",
                "\u{ad}", "ｐ", "…", "\u{303}",
            ]),
            0..30,
        )
    ) {
        properties(&bait.concat());
    }
}

fn properties(text: &str) {
    let mut last = 0;
    for (range, _) in find_credentials(text) {
        assert!(last <= range.start && range.start < range.end, "sorted, apart, not empty");
        assert!(text.get(range.clone()).is_some(), "in bounds, on character boundaries");
        last = range.end;
    }
}

#[test]
fn a_picture_in_the_text_is_no_credential() {
    let key = format!("AKIA{}", "IOSFODNN7EXAMPLE");
    let found = |text: &str| find_credentials(text).len();
    assert_eq!(found(&format!("![](data:image/png;base64,iVBORw0KGgo/{key}/AA==)")), 0);
    assert_eq!(found(&format!("![](data:image/svg+xml;base64,{key}) and {key}")), 1);
    for text in [format!("data:text/plain;base64,{key}"), format!("data:image/png,{key}"), format!("data:image/ {key}")]
    {
        assert_eq!(found(&text), 1, "{text}");
    }
}

/// What gitleaks tests its rules with (`tests/exam/credentials.md`): found, and found wrongly.
#[test]
fn gitleaks_examples() {
    let rows = include_str!("../../../../tests/exam/credentials.tsv").lines().map(|line| {
        let mut columns = line.split('\t');
        let mut column = || columns.next().expect("three columns");
        (column(), column() == "secret", decode_hex(column()))
    });
    let (mut right, mut all, mut told) = ([0, 0], [0, 0], String::new());
    for (rule, secret, text) in rows {
        let is_found = !find_credentials(&text).is_empty();
        all[usize::from(secret)] += 1;
        right[usize::from(secret)] += usize::from(is_found == secret);
        if is_found != secret {
            told += &format!("{} {rule}: {text}\n", if secret { "missed" } else { "wrong " });
        }
    }
    assert!(right[1] >= 633 && right[0] >= 241, "{told}{right:?} of {all:?}");
}

fn decode_hex(hex: &str) -> String {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).expect("a hexadecimal digit");
    let bytes = hex.as_bytes().chunks(2).map(|pair| pair.iter().fold(0, |byte, half| byte * 16 + digit(half)));
    String::from_utf8(bytes.map(|byte| u8::try_from(byte).expect("two digits")).collect()).expect("UTF-8")
}
