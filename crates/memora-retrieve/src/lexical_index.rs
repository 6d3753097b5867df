//! The index on disk as a [`LexicalIndex`].

use std::collections::HashSet;

use tantivy::Term;

use crate::document::{build_document, encode_statement_id};
use crate::index::TantivyIndex;
use crate::lexical::{IndexChange, IndexPosition, LexicalError, LexicalHit, LexicalIndex, SearchFilter};
use crate::query::Query;
use crate::search::search_all;
use crate::tokenizer::StatementTokenizer;

impl LexicalIndex for TantivyIndex {
    fn position(&self) -> IndexPosition {
        self.followed_position()
    }

    fn apply_changes(
        &mut self,
        position: IndexPosition,
        changes: impl Iterator<Item = IndexChange>,
    ) -> Result<(), LexicalError> {
        let (fields, was_empty, mut words) = (*self.fields(), self.is_empty(), StatementTokenizer::default());
        self.commit_changes(position, |writer| {
            // Deleting a document that never existed is not free: a first build would look up every statement.
            let mut put = HashSet::new();
            for change in changes {
                match change {
                    IndexChange::Put(doc) => {
                        let known = !put.insert(doc.statement) || !was_empty;
                        if known {
                            writer.delete_term(Term::from_field_u64(fields.id, encode_statement_id(doc.statement)));
                        }
                        writer.add_document(build_document(&fields, &doc, &mut words))?;
                    }
                    IndexChange::Delete(statement) => {
                        writer.delete_term(Term::from_field_u64(fields.id, encode_statement_id(statement)));
                    }
                }
            }
            Ok(())
        })
    }

    fn search(&self, query: &Query, filter: &SearchFilter, limit: usize) -> Result<Vec<LexicalHit>, LexicalError> {
        search_all(&[self], query, filter, limit)
    }

    fn clear(&mut self) -> Result<(), LexicalError> {
        self.delete_all()
    }
}
