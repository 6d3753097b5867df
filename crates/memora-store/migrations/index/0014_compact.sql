-- The same content in a third of the bytes: no text twice, no JSON in rows, closed sets as numbers, and only the indexes
-- that a query needs. Look-up keys are 64 bits of a hash, since nothing ever reads them back.
DROP TABLE links;
DROP TABLE sources;
DROP TABLE names;
DROP TABLE facts;
DROP TABLE claims;
DROP TABLE wordings;
DROP TABLE problems;
DROP TABLE note_tags;
DROP TABLE note_properties;
DROP TABLE notes;
DROP TABLE vector_codes;
DROP TABLE counts;

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

-- What filters look up: hashes of tags, each prefix of a nested one too, and of properties with their values.
CREATE TABLE note_terms (
    term INTEGER NOT NULL,
    note INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    PRIMARY KEY (term, note)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_terms_by_note ON note_terms (note);

-- A statement's words, form and claims as drawn at one or several places. `digest` is 64 bits over everything in the
-- wording; wordings of one statement are told apart by it. Claims are packed, their texts as places in the words where
-- they stand there. Ids are never given twice.
CREATE TABLE wordings (
    id        INTEGER PRIMARY KEY,
    statement INTEGER NOT NULL,
    digest    INTEGER NOT NULL,
    kind      INTEGER NOT NULL,
    words     TEXT    NOT NULL,
    claims    BLOB
) STRICT;

-- Where statements stand. `headings` are numbers of the note's outline; `parent` and `speaker` are numbers of its texts,
-- from 0. `before` is how many ordinals back the statement in front is.
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
CREATE INDEX sources_by_statement ON sources (statement);
CREATE INDEX sources_citing ON sources (statement) WHERE cites IS NOT NULL;

CREATE TABLE problems (
    note    INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    line    INTEGER NOT NULL,
    kind    TEXT    NOT NULL,
    PRIMARY KEY (note, ordinal)
) STRICT, WITHOUT ROWID;

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

-- Numbered in each set as they are made, the set in the bits above forty: rows of this size, put at random places, would
-- leave a third of their pages empty.
CREATE TABLE vector_codes (
    id         INTEGER PRIMARY KEY,
    vector_set INTEGER NOT NULL,
    statement  INTEGER NOT NULL,
    code       BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX vector_codes_by_statement ON vector_codes (vector_set, statement);

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

-- The next wording's id.
ALTER TABLE state ADD COLUMN next_wording INTEGER NOT NULL DEFAULT 1;

-- What was there can be read again: the index begins anew, under another name.
DELETE FROM skipped;
DELETE FROM changes;
DELETE FROM vectors_due;
DELETE FROM vector_sets;
DELETE FROM token_vectors;
UPDATE state SET uuid = lower(hex(randomblob(16))), sequence = 0, pruned = 0, rules = NULL;
