-- What is counted, kept by every commit. `claims` is what a reader sees that may see everything up to the band.
CREATE TABLE counts (
    band   INTEGER PRIMARY KEY,
    notes  INTEGER NOT NULL,
    claims INTEGER NOT NULL
) STRICT;

INSERT INTO counts VALUES (0, 0, 0), (1, 0, 0), (2, 0, 0);

-- Only reading the vault again can count what an older index holds.
DELETE FROM links;
DELETE FROM sources;
DELETE FROM names;
DELETE FROM facts;
DELETE FROM claims;
DELETE FROM wordings;
DELETE FROM problems;
DELETE FROM note_tags;
DELETE FROM note_properties;
DELETE FROM notes;
DELETE FROM skipped;
DELETE FROM changes;
DELETE FROM vector_codes;
DELETE FROM vectors;
DELETE FROM vectors_due;
DELETE FROM vector_sets;
DELETE FROM token_vectors;
UPDATE state SET uuid = lower(hex(randomblob(16))), sequence = 0, pruned = 0, rules = NULL;
