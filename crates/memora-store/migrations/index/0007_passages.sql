-- The passages of each note, by their names: 32 bytes each, one behind the other. A row stays while its note cannot be
-- read, so that what models proposed for it is known to be still wanted.
CREATE TABLE passages (
    note     TEXT PRIMARY KEY,
    passages BLOB NOT NULL
) STRICT, WITHOUT ROWID;
