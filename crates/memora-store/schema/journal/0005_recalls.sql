-- Which memory was recalled, at which kind of door, in which session, on which day: once each. It orders memories and proposes,
-- and nothing else reads it. There are no words in it.
CREATE TABLE recalls (
    item    TEXT    NOT NULL,
    local   INTEGER NOT NULL,
    session TEXT    NOT NULL,
    day     TEXT    NOT NULL,
    PRIMARY KEY (item, local, session)
) STRICT, WITHOUT ROWID;
