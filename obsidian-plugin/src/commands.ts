// What the user can call by name. None has a hotkey: those are the user's to give.

import { EditorView } from '@codemirror/view';
import { type App, type Editor, type MarkdownFileInfo, MarkdownView, Menu, Notice, type Plugin } from 'obsidian';
import { writeRangeLink } from './addresses';
import { type Mend, findMends, makeMend } from './editor/actions';
import { toPosition } from './editor/positions';
import { verdictsOf } from './editor/verdicts';
import { bytesOfSpots, hashBytes } from './offsets';
import type { Places } from './places';
import type { Server } from './process';

/** What the commands work on. */
export interface Tools {
  server: Server;
  places: Places;
  uriOf(path: string): string;
  showPane(type: string): Promise<void>;
}

/** The panes, with the commands that show them. */
export const PANES = [
  { id: 'ask', name: 'Ask the notes', view: 'memora-ask' },
  { id: 'review', name: 'Review what may no longer hold', view: 'memora-review' },
  { id: 'about-note', name: 'Show what this note states', view: 'memora-note' },
] as const;

export function addCommands(plugin: Plugin, tools: Tools): void {
  for (const { id, name, view } of PANES) plugin.addCommand({ id, name, callback: () => void tools.showPane(view) });
  plugin.addCommand({ id: 'mend', name: 'Mend the sentence here', editorCallback: (_, info) => void offerMends(info) });
  plugin.addCommand({ id: 'next-verdict', name: 'Go to the next thing that is wrong', editorCallback: (_, info) => goToNext(info) });
  plugin.addCommand({ id: 'source', name: 'Go to the cited words', editorCallback: (_, info) => void goToSource(info, tools) });
  plugin.addCommand({
    id: 'copy-link',
    name: 'Copy a link to the selected words',
    editorCallback: (editor, info) => void copyLink(plugin.app, editor, info),
  });
  plugin.addCommand({ id: 'restart', name: 'Start the program again', callback: () => tools.server.restart() });
}

/** The view of CodeMirror that an editor of the app is made of. */
function viewOf(info: MarkdownView | MarkdownFileInfo): EditorView | null {
  return info instanceof MarkdownView ? EditorView.findFromDOM(info.contentEl) : null;
}

async function offerMends(info: MarkdownView | MarkdownFileInfo): Promise<void> {
  const view = viewOf(info);
  if (!view) return;
  const { from, to, head } = view.state.selection.main;
  const mends = await findMends(view, from, to).catch(tellFailure);
  if (!mends) return;
  if (mends.length === 0) return void new Notice('There is nothing to mend here.');
  const at = view.coordsAtPos(head);
  menuOf(view, mends).showAtPosition({ x: at?.left ?? 0, y: at?.bottom ?? 0 });
}

/** The edits that can be chosen, as a menu. */
export function menuOf(view: EditorView, mends: readonly Mend[]): Menu {
  const menu = new Menu();
  for (const mend of mends) {
    menu.addItem((item) => item.setTitle(mend.title).onClick(() => {
      if (!makeMend(view, mend)) new Notice('The note has changed since. Nothing was done.');
    }));
  }
  return menu;
}

function goToNext(info: MarkdownView | MarkdownFileInfo): void {
  const view = viewOf(info);
  const verdicts = view ? verdictsOf(view.state) : [];
  const next = verdicts.find(({ from }) => view !== null && from > view.state.selection.main.head) ?? verdicts[0];
  if (!view || !next) return void new Notice('Nothing is wrong here.');
  view.dispatch({ selection: { anchor: next.from }, scrollIntoView: true });
  view.focus();
}

async function goToSource(info: MarkdownView | MarkdownFileInfo, tools: Tools): Promise<void> {
  const view = viewOf(info);
  if (!view || !info.file) return;
  const position = toPosition(view.state.doc, view.state.selection.main.head);
  const asked = { textDocument: { uri: tools.uriOf(info.file.path) }, position };
  const found = await tools.server.ask('textDocument/definition', asked).catch(tellFailure);
  const [place] = found ?? [];
  if (place) await tools.places.openLocation(place);
  else if (found !== undefined) new Notice('Nothing is cited here.');
}

async function copyLink(app: App, editor: Editor, { file }: MarkdownView | MarkdownFileInfo): Promise<void> {
  if (!file) return;
  const bytes = new Uint8Array(await app.vault.readBinary(file));
  const range = bytesOfSpots(bytes, editor.getCursor('from'), editor.getCursor('to'));
  const words = range ? bytes.subarray(range.start, range.end) : null;
  const saved = words ? new TextDecoder().decode(words).replace(/\r\n?/g, '\n') : '';
  if (!range || !words || saved !== editor.getSelection()) return void new Notice('Select words that are saved.');
  await navigator.clipboard.writeText(writeRangeLink(app.vault.getName(), { path: file.path, ...range, hash: hashBytes(words) }));
  new Notice('A link to these words was copied.');
}

function tellFailure(error: unknown): undefined {
  new Notice(error instanceof Error ? error.message : String(error));
  return undefined;
}
