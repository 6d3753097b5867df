-- The index: what follows from the vault alone. Disposable: an index of another format begins anew.

-- One row. `pruned` is the last sequence that `changes` no longer reaches behind; `next_wording` the next wording's id.
CREATE TABLE state (
    only_row     INTEGER PRIMARY KEY CHECK (only_row = 1),
    uuid         TEXT    NOT NULL,
    sequence     INTEGER NOT NULL,
    pruned       INTEGER NOT NULL,
    rules        TEXT,
    next_wording INTEGER NOT NULL
) STRICT;

-- SQLite seeds randomblob() from the system's randomness.
INSERT INTO state VALUES (1, lower(hex(randomblob(16))), 0, 0, NULL, 1);

-- Whatever the caller wants to remember of the index.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- `title` is NULL if it is the file's name, `subject` if it is the title. aliases, tags, properties, outline and texts are
-- lists of texts, each behind its length; NULL if empty. `texts` are those that sources refer to by their number.
-- first_day and last_day bound the date, as yyyymmdd.
CREATE TABLE notes (
    id         INTEGER PRIMARY KEY,
    path       TEXT    NOT NULL UNIQUE,
    size       INTEGER NOT NULL,
    mtime_ns   INTEGER NOT NULL,
    ctime_ns   INTEGER NOT NULL,
    inode      INTEGER NOT NULL,
    hash       BLOB    NOT NULL,
    band       INTEGER NOT NULL,
    captured   INTEGER NOT NULL,
    title      TEXT,
    subject    TEXT,
    date       TEXT,
    first_day  INTEGER,
    last_day   INTEGER,
    aliases    BLOB,
    tags       BLOB,
    properties BLOB,
    outline    BLOB,
    texts      BLOB
) STRICT;
CREATE INDEX notes_by_day ON notes (first_day, last_day) WHERE first_day IS NOT NULL;
-- Which statements stand in notes that machines wrote, without looking at all notes.
CREATE INDEX notes_captured ON notes (captured) WHERE captured = 1;

-- What filters look up: hashes of tags, each prefix of a nested one too, and of properties with their values.
CREATE TABLE note_terms (
    term INTEGER NOT NULL,
    note INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    PRIMARY KEY (term, note)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_terms_by_note ON note_terms (note);

-- Files that were not read, and why.
CREATE TABLE skipped (
    path   TEXT PRIMARY KEY,
    reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE problems (
    note    INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    line    INTEGER NOT NULL,
    kind    TEXT    NOT NULL,
    PRIMARY KEY (note, ordinal)
) STRICT, WITHOUT ROWID;

-- A statement's words, form and claims as drawn at one or several places. Nearly every statement has one wording; a
-- second one appears where the place has a say in the reading (a daily note's date, a captured note). `statement` is the
-- 60 bits of the id; `digest` is 64 bits over everything in the wording. Claims are packed, their texts as places in the
-- words where they stand there. Ids are never given twice.
CREATE TABLE wordings (
    id        INTEGER PRIMARY KEY,
    statement INTEGER NOT NULL,
    digest    INTEGER NOT NULL,
    kind      INTEGER NOT NULL,
    words     TEXT    NOT NULL,
    claims    BLOB
) STRICT;

-- Where statements stand. `headings` are numbers of the note's outline; `parent` and `speaker` are numbers of its texts,
-- from 0. `before` is how many ordinals back the statement in front is. `cites` are the claims that the statement cites.
CREATE TABLE sources (
    note        INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL,
    statement   INTEGER NOT NULL,
    wording     INTEGER NOT NULL,
    start_byte  INTEGER NOT NULL,
    length      INTEGER NOT NULL,
    line        INTEGER NOT NULL,
    fingerprint BLOB    NOT NULL,
    band        INTEGER NOT NULL,
    zone        INTEGER NOT NULL,
    before      INTEGER,
    block       INTEGER NOT NULL,
    within      INTEGER,
    headings    BLOB,
    parent      INTEGER,
    speaker     INTEGER,
    block_id    TEXT,
    cites       BLOB,
    PRIMARY KEY (note, ordinal)
) STRICT, WITHOUT ROWID;
-- Which wordings a statement has, and in which bands, without looking at each of its places.
CREATE INDEX sources_by_statement ON sources (statement, wording, band);
CREATE INDEX sources_citing ON sources (statement) WHERE cites IS NOT NULL;

-- Ids of the pieces that a statement was cut into before code and link texts were kept whole, at a place of it.
CREATE TABLE former_ids (
    former  INTEGER NOT NULL,
    note    INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    PRIMARY KEY (former, note, ordinal),
    FOREIGN KEY (note, ordinal) REFERENCES sources (note, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX former_ids_by_place ON former_ids (note, ordinal);

-- Hashes of subjects (role 0) and short objects (role 1) of a wording's claims, folded as `NameKey` folds them. A wording
-- that goes takes its rows along: they follow from its claims.
CREATE TABLE names (
    key     INTEGER NOT NULL,
    role    INTEGER NOT NULL,
    wording INTEGER NOT NULL,
    PRIMARY KEY (key, role, wording)
) STRICT, WITHOUT ROWID;

-- What claims may be held against each other by: a topic, the canonical relation, and the hash of a subject, folded
-- likewise ('' where the note's title gives it). A claim that denies something, or tells that it ended or began, stands
-- under the topic '!' as well. A wording that goes takes its rows along.
CREATE TABLE facts (
    topic   TEXT    NOT NULL,
    key     INTEGER NOT NULL,
    wording INTEGER NOT NULL,
    PRIMARY KEY (topic, key, wording)
) STRICT, WITHOUT ROWID;

-- Links to notes, at a place of a statement. `target` is the note as written, without `#…` and `|…`; `shown` is NULL if it
-- is the same. `target_key` is the hash of what notes that it can lead to have too; `shown_key` is that of the folded text,
-- where that may be a name.
CREATE TABLE links (
    note       INTEGER NOT NULL,
    ordinal    INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    target     TEXT    NOT NULL,
    shown      TEXT,
    target_key INTEGER NOT NULL,
    shown_key  INTEGER,
    PRIMARY KEY (note, ordinal, number),
    FOREIGN KEY (note, ordinal) REFERENCES sources (note, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_target ON links (target_key, shown_key);
CREATE INDEX links_by_text ON links (shown_key) WHERE shown_key IS NOT NULL;

-- The last commit that changed a statement, for derived indexes to catch up.
CREATE TABLE changes (
    statement INTEGER PRIMARY KEY,
    sequence  INTEGER NOT NULL,
    deleted   INTEGER NOT NULL
) STRICT;
CREATE INDEX changes_by_sequence ON changes (sequence);

-- What is counted, kept by every commit. `claims` is what a reader sees that may see everything up to the band; notes and
-- sources are those of the band itself.
CREATE TABLE counts (
    band    INTEGER PRIMARY KEY,
    notes   INTEGER NOT NULL,
    sources INTEGER NOT NULL,
    claims  INTEGER NOT NULL
) STRICT;
INSERT INTO counts VALUES (0, 0, 0, 0), (1, 0, 0, 0), (2, 0, 0, 0);

-- The same of the whole index. `claims` are the listed ones, of any wording.
CREATE TABLE totals (
    only_row   INTEGER PRIMARY KEY CHECK (only_row = 1),
    captured   INTEGER NOT NULL,
    statements INTEGER NOT NULL,
    claims     INTEGER NOT NULL,
    problems   INTEGER NOT NULL
) STRICT;
INSERT INTO totals VALUES (1, 0, 0, 0, 0);

-- The passages of each note, by their names: 32 bytes each, one behind the other. A row stays while its note cannot be
-- read, so that what models proposed for it is known to be still wanted.
CREATE TABLE passages (
    note     TEXT PRIMARY KEY,
    passages BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Vectors of statements, in sets: one for each band and embedder, so that a set is there while another is made. `sequence`
-- is the commit that it has followed; `revision` is another after every batch; `made` is 1 as soon as every statement of
-- the band once had its vector.
CREATE TABLE vector_sets (
    id       INTEGER PRIMARY KEY,
    band     INTEGER NOT NULL,
    embedder TEXT    NOT NULL,
    sequence INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    made     INTEGER NOT NULL,
    UNIQUE (band, embedder)
) STRICT;

-- Statements whose vectors are still to be made.
CREATE TABLE vectors_due (
    vector_set INTEGER NOT NULL,
    statement  INTEGER NOT NULL,
    PRIMARY KEY (vector_set, statement)
) STRICT, WITHOUT ROWID;

-- One signed byte a dimension: what a scan reads. Numbered in each set as they are made, the set in the bits above forty:
-- rows of this size, put at random places, would leave a third of their pages empty.
CREATE TABLE vector_codes (
    id         INTEGER PRIMARY KEY,
    vector_set INTEGER NOT NULL,
    statement  INTEGER NOT NULL,
    code       BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX vector_codes_by_statement ON vector_codes (vector_set, statement);

-- What the transformer made of a statement, as it is seen in one band: its pieces' codes, and a hash of the very text and
-- network that they are of. What the log of changes names leaves at once, in the same transaction.
CREATE TABLE token_vectors (
    statement INTEGER NOT NULL,
    band      INTEGER NOT NULL,
    key       BLOB    NOT NULL,
    codes     BLOB    NOT NULL,
    PRIMARY KEY (statement, band)
) STRICT;
CREATE TRIGGER token_vectors_of_new AFTER INSERT ON changes
BEGIN
    DELETE FROM token_vectors WHERE statement = new.statement;
END;
CREATE TRIGGER token_vectors_of_changed AFTER UPDATE ON changes
BEGIN
    DELETE FROM token_vectors WHERE statement = new.statement;
END;

-- Vectors of passages: runs of statements of a note under the same headings, as one band shows them. A row for each band
-- whose text differs from that of the band below, and one for the public text in any case. They leave with what they are of.
CREATE TABLE passage_vectors (
    note    INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    band    INTEGER NOT NULL,
    network TEXT    NOT NULL,
    places  BLOB    NOT NULL,
    codes   BLOB    NOT NULL,
    PRIMARY KEY (note, band)
) STRICT;
