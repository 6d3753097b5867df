-- The claims that a statement cites in its own note, `[claim:…]`, as a JSON list of ids; and those that cite any, found
-- without a look at the others.
ALTER TABLE sources ADD COLUMN cites TEXT NOT NULL DEFAULT '[]';
CREATE INDEX sources_citing ON sources (statement) WHERE cites <> '[]';
