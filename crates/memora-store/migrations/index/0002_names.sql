-- Names and links, as written: what they mean depends on the whole vault and is resolved when read.

-- The piece of the note a statement is cut from (a paragraph, an item, a row, a property), numbered within the note, and
-- the piece that it belongs to.
ALTER TABLE sources ADD COLUMN block INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN within INTEGER;

-- Subjects (role 0) and short objects (role 1) of a wording's claims, folded as `NameKey` folds them.
CREATE TABLE names (
    key     TEXT    NOT NULL,
    role    INTEGER NOT NULL,
    wording INTEGER NOT NULL REFERENCES wordings (id) ON DELETE CASCADE,
    PRIMARY KEY (key, role, wording)
) STRICT, WITHOUT ROWID;
CREATE INDEX names_by_wording ON names (wording);

-- Links to notes, at a place of a statement. `target` is the note as written, without `#…` and `|…`; `target_key` is what
-- notes that it can lead to have too. `shown_key` is the folded text, where that may be a name.
CREATE TABLE links (
    note       INTEGER NOT NULL,
    ordinal    INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    target     TEXT    NOT NULL,
    target_key TEXT    NOT NULL,
    shown      TEXT    NOT NULL,
    shown_key  TEXT,
    PRIMARY KEY (note, ordinal, number),
    FOREIGN KEY (note, ordinal) REFERENCES sources (note, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_target ON links (target_key);
CREATE INDEX links_by_text ON links (shown_key) WHERE shown_key IS NOT NULL;

-- What is there has neither, and can be read again: the index begins anew, under another name.
DELETE FROM sources;
DELETE FROM claims;
DELETE FROM wordings;
DELETE FROM notes;
DELETE FROM skipped;
DELETE FROM changes;
UPDATE state SET uuid = lower(hex(randomblob(16))), sequence = 0, pruned = 0, rules = NULL;
