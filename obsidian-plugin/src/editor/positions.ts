// Positions of the protocol, which are lines and UTF-16 units, and offsets of CodeMirror.
//
// Rule: a position beyond the text is clipped to it, as the protocol has it.

import type { ChangeSet, Text } from '@codemirror/state';
import type { Position, Range, TextEdit } from '../protocol-types';

export function toOffset(doc: Text, position: Position): number {
  if (position.line >= doc.lines) return doc.length;
  const line = doc.line(position.line + 1);
  return Math.min(line.from + position.character, line.to);
}

export function toPosition(doc: Text, offset: number): Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

export function toRange(doc: Text, from: number, to: number): Range {
  return { start: toPosition(doc, from), end: toPosition(doc, to) };
}

/** Writes a change as the protocol has it: one after another, so the last in the text comes first and moves none of the others. */
export function toContentChanges(before: Text, changes: ChangeSet): { range: Range; text: string }[] {
  const written: { range: Range; text: string }[] = [];
  changes.iterChanges((from, to, _from, _to, inserted) => {
    written.unshift({ range: toRange(before, from, to), text: inserted.toString() });
  }, true);
  return written;
}

/** Reads edits, which the protocol has apply all at once. */
export function toChanges(doc: Text, edits: readonly TextEdit[]): { from: number; to: number; insert: string }[] {
  return edits.map(({ range, newText }) => ({ from: toOffset(doc, range.start), to: toOffset(doc, range.end), insert: newText }));
}
