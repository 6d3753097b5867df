// An app with a vault, leaves and an editor, as far as the plugin asks for them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as real from 'obsidian';
import { FileSystemAdapter, MarkdownView, TFile } from './obsidian';

/** An editor whose text is lines. */
export class StubEditor {
  selection: [real.EditorPosition, real.EditorPosition] = [{ line: 0, ch: 0 }, { line: 0, ch: 0 }];
  text = '';
  transactions = 0;

  setSelection(from: real.EditorPosition, to: real.EditorPosition): void {
    this.selection = [from, to];
  }
  scrollIntoView(): void {}
  getLine(line: number): string {
    return this.text.split('\n')[line] ?? '';
  }
  getCursor(side: 'from' | 'to'): real.EditorPosition {
    return this.selection[side === 'from' ? 0 : 1];
  }
  getRange(from: real.EditorPosition, to: real.EditorPosition): string {
    return this.text.slice(this.offset(from), this.offset(to));
  }
  getSelection(): string {
    return this.getRange(...this.selection);
  }
  transaction({ changes }: { changes: { from: real.EditorPosition; to: real.EditorPosition; text: string }[] }): void {
    this.transactions += 1;
    for (const { from, to, text } of changes) this.text = this.text.slice(0, this.offset(from)) + text + this.text.slice(this.offset(to));
  }
  private offset({ line, ch }: real.EditorPosition): number {
    return this.text.split('\n').slice(0, line).reduce((sum, before) => sum + before.length + 1, 0) + ch;
  }
}

export interface StubApp {
  app: real.App;
  editor: StubEditor;
  /** What was opened last. */
  opened: string[];
  shownPanes: string[];
  /** What stands in the editor, where that is not what is in the file. */
  unsaved: string | null;
}

export function makeApp(base: string): StubApp {
  const [editor, opened, shownPanes] = [new StubEditor(), [] as string[], [] as string[]];
  const bytes = (path: string) => readFileSync(join(base, path));
  const exists = (path: string) => {
    try {
      return bytes(path).length >= 0;
    } catch {
      return false;
    }
  };
  const leaf = {
    view: null as MarkdownView | null,
    openFile: (file: TFile) => {
      opened.push(file.path);
      // As the app's editor has it: no byte order mark, lines ended by LF.
      editor.text = (made.unsaved ?? bytes(file.path).toString('utf8')).replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
      leaf.view = new MarkdownView(file as unknown as real.TFile, editor as unknown as real.Editor, null as unknown as HTMLElement);
      return Promise.resolve();
    },
  };
  const app = {
    vault: {
      adapter: new FileSystemAdapter(base),
      getName: () => 'vault-example',
      getAbstractFileByPath: (path: string) => (exists(path) ? new TFile(path) : null),
      readBinary: (file: TFile) => {
        const found = bytes(file.path);
        return Promise.resolve(found.buffer.slice(found.byteOffset, found.byteOffset + found.byteLength));
      },
      on: () => ({ end: () => undefined }),
    },
    workspace: {
      getLeaf: () => leaf,
      getLeavesOfType: () => [],
      ensureSideLeaf: (type: string) => {
        shownPanes.push(type);
        return Promise.resolve(leaf);
      },
      on: () => ({ end: () => undefined }),
      getActiveFile: () => null,
    },
  };
  const made: StubApp = { app: app as unknown as real.App, editor, opened, shownPanes, unsaved: null };
  return made;
}
