// Edits that mend a sentence: asked for where the cursor or the pointer is, made as one step that undo takes back.

import { isolateHistory } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import type { CodeAction, TextEdit } from '../protocol-types';
import { toChanges, toRange } from './positions';
import { host, verdictsAt } from './verdicts';

/** An edit that can be chosen. */
export interface Mend {
  title: string;
  version: number | null;
  edits: TextEdit[];
}

/** Asks what can be done about a range. */
export async function findMends(view: EditorView, from: number, to: number): Promise<Mend[]> {
  const [given, doc] = [view.state.facet(host), view.state.doc];
  const uri = given?.uriOf(view.state) ?? null;
  if (!given || uri === null) return [];
  const diagnostics = verdictsAt(view.state, from).map((verdict) => ({
    ...verdict.diagnostic,
    range: toRange(doc, verdict.from, verdict.to),
  }));
  const params = { textDocument: { uri }, range: toRange(doc, from, to), context: { diagnostics } };
  const actions = await given.documents.client.ask('textDocument/codeAction', params);
  return (actions ?? []).flatMap((action) => readMend(action, uri) ?? []);
}

/** Reads an action; `null` if it is more than an edit of this very document. */
export function readMend(action: CodeAction, uri: string): Mend | null {
  const [change, ...more] = action.edit?.documentChanges ?? [];
  if (!change || more.length > 0 || !('edits' in change) || change.textDocument.uri !== uri || action.command) return null;
  const edits = change.edits.filter((edit): edit is TextEdit => 'newText' in edit);
  return edits.length === change.edits.length ? { title: action.title, version: change.textDocument.version, edits } : null;
}

/** Makes an edit, as one step of undo; not if the note has changed since it was offered. */
export function makeMend(view: EditorView, mend: Mend): boolean {
  const given = view.state.facet(host);
  const uri = given?.uriOf(view.state) ?? null;
  if (!given || uri === null || view.state.readOnly) return false;
  if (mend.version !== null && mend.version !== given.documents.version(uri)) return false;
  view.dispatch({
    changes: toChanges(view.state.doc, mend.edits),
    annotations: isolateHistory.of('full'),
    userEvent: 'input.memora',
    scrollIntoView: true,
  });
  return true;
}
