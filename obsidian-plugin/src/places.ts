// Opens notes at the words that are meant.
//
// Rule: bytes are selected only if they still hash as they did; else the note is opened at its line, and the user is told.

import { type App, type Editor, MarkdownView, Notice, TFile } from 'obsidian';
import { type RangeLink, pathInVault } from './addresses';
import { type Spot, hashBytes, spotsOfBytes } from './offsets';
import type { Place } from './protocol';
import type { Location } from './protocol-types';

const CHANGED = 'These words have changed since. The note is open where they were.';

/** Opens places of a vault. */
export class Places {
  constructor(private readonly app: App, private readonly base: string) {}

  /** Opens the bytes of a passage. */
  async openPlace(place: Place): Promise<void> {
    await this.openBytes(place, place.line - 1);
  }

  /** Opens the bytes of a link; at the top if they are not there any more. */
  async openLink(link: RangeLink): Promise<void> {
    await this.openBytes(link, 0);
  }

  /** Opens a line, which begins with 1. */
  async openLine(path: string, line: number): Promise<void> {
    const spot = { line: Math.max(line - 1, 0), ch: 0 };
    const editor = await this.open(path);
    if (editor) select(editor, spot, spot);
  }

  /** Opens a place that the program gave as the protocol has it. */
  async openLocation({ uri, range }: Location): Promise<void> {
    const path = pathInVault(this.base, uri);
    if (path === null) return void new Notice('This place is not in this vault.');
    const spot = ({ line, character }: typeof range.start): Spot => ({ line, ch: character });
    const editor = await this.open(path);
    if (editor) select(editor, spot(range.start), spot(range.end));
  }

  private async openBytes(link: RangeLink, line: number): Promise<void> {
    const file = this.app.vault.getAbstractFileByPath(link.path);
    const bytes = file instanceof TFile ? new Uint8Array(await this.app.vault.readBinary(file)) : new Uint8Array();
    const isSame = hashBytes(bytes.subarray(link.start, link.end)) === link.hash;
    const spots = isSame ? spotsOfBytes(bytes, link.start, link.end) : null;
    const words = new TextDecoder().decode(bytes.subarray(link.start, link.end)).replace(/\r\n?/g, '\n');
    const editor = await this.open(link.path);
    // What is being written may not be saved yet: then the editor has other words there.
    if (editor && spots && editor.getRange(spots.from, spots.to) === words) return select(editor, spots.from, spots.to);
    if (!editor) return;
    select(editor, { line, ch: 0 }, { line, ch: 0 });
    new Notice(CHANGED);
  }

  /** Opens a note; `null` if there is none. */
  private async open(path: string): Promise<Editor | null> {
    const file = this.app.vault.getAbstractFileByPath(path);
    if (!(file instanceof TFile)) {
      new Notice('There is no such note any more.');
      return null;
    }
    const leaf = this.leafOf(path) ?? this.app.workspace.getLeaf(false);
    // In reading view nothing can be selected.
    await leaf.openFile(file, { active: true, state: { mode: 'source' } });
    return leaf.view instanceof MarkdownView ? leaf.view.editor : null;
  }

  /** The leaf that shows a note already: what is being written there has to stay. */
  private leafOf(path: string) {
    const leaves = this.app.workspace.getLeavesOfType('markdown');
    return leaves.find(({ view }) => view instanceof MarkdownView && view.file?.path === path);
  }
}

function select(editor: Editor, from: Spot, to: Spot): void {
  editor.setSelection(from, to);
  editor.scrollIntoView({ from, to }, true);
}
