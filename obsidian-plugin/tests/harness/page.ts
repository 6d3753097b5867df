// A page with an editor and the panes of the plugin: its own files, in real CodeMirror. The program is asked through the test.

import './dom';
import { history, redo, undo, undoDepth } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type * as real from 'obsidian';
import { drawBlock } from '../../src/blocks';
import { findMends, makeMend } from '../../src/editor/actions';
import { Documents } from '../../src/editor/documents';
import { hover } from '../../src/editor/hover';
import { verdicts, verdictsOf } from '../../src/editor/verdicts';
import { AskPane } from '../../src/panes/ask';
import { NotePane } from '../../src/panes/note';
import { ReviewPane } from '../../src/panes/review';
import type { Client, Published, Requests } from '../../src/protocol';
import { menuOf } from '../../src/commands';
import { TFile, type Menu } from '../stub/obsidian';

declare global {
  /** The test's half of the bridge. */
  function bridgeAsk(method: string, params: unknown): Promise<{ answer?: unknown; error?: string }>;
  function bridgeTell(method: string, params: unknown): Promise<void>;
  var harness: Harness;
}

const listeners = new Set<(published: Published) => void>();
const ready = new Set<() => void>();

const client: Client = {
  ask: async <M extends keyof Requests>(method: M, params: Requests[M][0]) => {
    const { answer, error } = await bridgeAsk(method, params);
    if (error !== undefined) throw new Error(error);
    return answer as Requests[M][1];
  },
  tell: (method, params) => void bridgeTell(method, params),
  onPublished: (listener) => { listeners.add(listener); return () => listeners.delete(listener); },
  onReady: (listener) => { ready.add(listener); listener(); return () => ready.delete(listener); },
};

const documents = new Documents(client);
const opened: unknown[] = [];
const opener = {
  openPlace: (place: unknown) => Promise.resolve(void opened.push(place)),
  openLine: (path: string, line: number) => Promise.resolve(void opened.push({ path, line })),
};

let uri = '';
let view: EditorView;
const more: EditorView[] = [];

function makeView(text: string): EditorView {
  const extensions = [history(), EditorView.lineWrapping, verdicts({ documents, uriOf: () => uri }), hover((place) => opened.push(place))];
  return new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: document.querySelector('#editor') ?? document.body });
}

const harness = {
  open(at: string, text: string) {
    view?.destroy();
    more.splice(0).forEach((other) => other.destroy());
    uri = at;
    view = makeView(text);
  },
  /** Shows the same note a second time, and keeps both the same, as the app does. */
  split() {
    more.push(makeView(view.state.doc.toString()));
  },
  marked: (of = view) => verdictsOf(of.state).map(({ from, to, diagnostic }) => ({ words: of.state.sliceDoc(from, to), code: diagnostic.code })),
  marks: () => verdictsOf(view.state).map(({ from, to, diagnostic }) => ({ from, to, message: diagnostic.message })),
  markedInSplit: () => more.map((other) => harness.marked(other)),
  drawn: () => [...view.dom.querySelectorAll('.memora-verdict')].map((element) => element.textContent),
  text: () => view.state.doc.toString(),
  change(changes: { from: number; to: number; insert: string }[]) {
    view.dispatch({ changes, userEvent: 'input.type' });
    for (const other of more) other.dispatch({ changes });
  },
  cursor: (at: number) => view.dispatch({ selection: { anchor: at }, scrollIntoView: true }),
  coords: (at: number) => view.coordsAtPos(at),
  undo: () => undo(view),
  redo: () => redo(view),
  depth: () => undoDepth(view.state),
  mends: async (at: number) => (await findMends(view, at, at)).map(({ title }) => title),
  /** Chooses an entry of the menu. */
  async mend(at: number, beginning: string) {
    const menu = menuOf(view, await findMends(view, at, at)) as unknown as Menu;
    const item = menu.items.find(({ title }) => title.startsWith(beginning));
    item?.click(new MouseEvent('click'));
    return item !== undefined;
  },
  /** Asks for edits, has the text changed meanwhile, and tries one that is not for this text any more. */
  async mendLate(at: number) {
    const [mend] = await findMends(view, at, at);
    view.dispatch({ changes: { from: 0, insert: 'x' } });
    return mend ? makeMend(view, mend) : null;
  },
  /** Writes characters one by one, and gives the time of each until it is drawn. */
  type(at: number, letters: string): number[] {
    return [...letters].map((insert, index) => {
      const begun = performance.now();
      view.dispatch({ changes: { from: at + index, insert }, selection: { anchor: at + index + 1 }, userEvent: 'input.type' });
      view.contentDOM.getBoundingClientRect();
      return performance.now() - begun;
    });
  },
  async pane(kind: 'ask' | 'review' | 'note', ask: string) {
    const file = new TFile(ask);
    const leaf = { app: { workspace: { on: () => ({ end: () => undefined }), getActiveFile: () => file } } } as unknown as real.WorkspaceLeaf;
    const made = { ask: AskPane, review: ReviewPane, note: NotePane }[kind];
    const pane = new made(leaf, { client, opener });
    document.querySelector('#pane')?.replaceChildren(pane.contentEl);
    await (pane as unknown as { onOpen(): Promise<void> }).onOpen();
  },
  async block(source: string) {
    const parent = document.querySelector<HTMLElement>('#pane');
    parent?.replaceChildren();
    if (parent) await drawBlock(source, parent, client, opener);
  },
  opened: () => opened.splice(0),
  publish: (published: Published) => listeners.forEach((listener) => listener(published)),
  restarted: () => ready.forEach((listener) => listener()),
};

type Harness = typeof harness;
globalThis.harness = harness;
