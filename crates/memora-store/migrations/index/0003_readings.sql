-- What a reading says besides subject, predicate and object.
ALTER TABLE claims ADD COLUMN qualifiers  TEXT    NOT NULL DEFAULT '[]';
ALTER TABLE claims ADD COLUMN relation    TEXT;
ALTER TABLE claims ADD COLUMN negated     INTEGER NOT NULL DEFAULT 0;
ALTER TABLE claims ADD COLUMN attribution TEXT;
ALTER TABLE claims ADD COLUMN phase       TEXT    NOT NULL DEFAULT 'steady';

CREATE INDEX claims_by_relation ON claims (relation) WHERE relation IS NOT NULL;
