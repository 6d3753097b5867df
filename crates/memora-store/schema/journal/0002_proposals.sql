-- What language models proposed for passages. It cannot be made again but by asking them. `passage` is a hash of exactly what
-- was sent; `proposals` has words of the passage, and goes when no note has the passage any more.
CREATE TABLE proposals (
    passage   BLOB NOT NULL,
    provider  TEXT NOT NULL,
    model     TEXT NOT NULL,
    version   TEXT NOT NULL,
    proposals TEXT NOT NULL,
    -- Whether the index has taken it in.
    taken     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (passage, provider, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX proposals_not_taken ON proposals (taken) WHERE taken = 0;
