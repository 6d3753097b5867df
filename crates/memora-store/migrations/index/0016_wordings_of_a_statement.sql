-- Which wordings a statement has, and in which bands, without looking at each of its places.
DROP INDEX sources_by_statement;
CREATE INDEX sources_by_statement ON sources (statement, wording, band);
