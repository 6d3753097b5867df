// Behind `[claim:`, the statements that the sentence so far may mean.

import { type App, type Editor, type EditorPosition, EditorSuggest, type EditorSuggestContext, type EditorSuggestTriggerInfo, type TFile } from 'obsidian';
import type { Client } from './protocol';
import type { CompletionItem } from './protocol-types';

const MARKER = '[claim:';
const BEHIND_MAX = 200;

/** Where the marker that the cursor stands in begins to be filled; `null` if it stands in none. */
export function findMarker(before: string): number | null {
  const at = before.toLowerCase().lastIndexOf(MARKER);
  const begin = at + MARKER.length;
  return at < 0 || before.length - begin > BEHIND_MAX || before.slice(begin).includes(']') ? null : begin;
}

/** Suggests statements. */
export class ClaimSuggest extends EditorSuggest<CompletionItem> {
  constructor(app: App, private readonly client: () => Client | null, private readonly uriOf: (file: TFile) => string) {
    super(app);
  }

  override onTrigger(cursor: EditorPosition, editor: Editor, file: TFile | null): EditorSuggestTriggerInfo | null {
    const begin = file ? findMarker(editor.getLine(cursor.line).slice(0, cursor.ch)) : null;
    if (begin === null) return null;
    const start = { line: cursor.line, ch: begin };
    return { start, end: cursor, query: editor.getRange(start, cursor) };
  }

  override async getSuggestions(context: EditorSuggestContext): Promise<CompletionItem[]> {
    const position = { line: context.end.line, character: context.end.ch };
    const asked = { textDocument: { uri: this.uriOf(context.file) }, position };
    const found = await this.client()?.ask('textDocument/completion', asked).catch(() => null);
    return found?.items ?? [];
  }

  override renderSuggestion(item: CompletionItem, el: HTMLElement): void {
    el.createDiv({ text: item.label });
    if (item.detail) el.createDiv({ cls: 'memora-place', text: item.detail });
  }

  override selectSuggestion(item: CompletionItem): void {
    const { context } = this;
    if (!context || !item.textEdit || !('range' in item.textEdit)) return;
    // The user may have written on since it was offered: all that stands in the marker gives way, and it ends with one bracket, which the
    // app may have written already.
    const behind = context.editor.getLine(context.end.line).slice(context.end.ch);
    const end = { line: context.end.line, ch: context.end.ch + (behind.startsWith(']') ? 1 : 0) };
    const text = `${item.textEdit.newText.replace(/\]$/, '')}]`;
    const at = { line: context.end.line, ch: context.start.ch + text.length };
    context.editor.transaction({
      changes: [{ from: context.start, to: end, text }],
      selection: { from: at },
    });
  }
}
