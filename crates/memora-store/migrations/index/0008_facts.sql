-- What claims may be held against each other by: a subject, folded as `NameKey` folds it ('' where the note's title gives
-- it), and a topic, the canonical relation. A claim that denies something, or tells that it ended or began, stands under
-- the topic '!' as well.
CREATE TABLE facts (
    key     TEXT    NOT NULL,
    topic   TEXT    NOT NULL,
    wording INTEGER NOT NULL REFERENCES wordings (id) ON DELETE CASCADE,
    PRIMARY KEY (key, topic, wording)
) STRICT, WITHOUT ROWID;
CREATE INDEX facts_by_wording ON facts (wording);
CREATE INDEX facts_by_topic ON facts (topic);

-- To tell the words that links to a note show, without reading the links.
CREATE INDEX links_by_target_text ON links (target_key, shown_key) WHERE shown_key IS NOT NULL;

-- What is there has none, and can be read again: the index begins anew, under another name.
DELETE FROM vectors_due;
DELETE FROM vector_codes;
DELETE FROM vectors;
DELETE FROM vector_sets;
DELETE FROM sources;
DELETE FROM claims;
DELETE FROM wordings;
DELETE FROM notes;
DELETE FROM skipped;
DELETE FROM changes;
UPDATE state SET uuid = lower(hex(randomblob(16))), sequence = 0, pruned = 0, rules = NULL;
