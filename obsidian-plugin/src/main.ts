// The plugin: what is there when it is loaded, and gone when it is not.
//
// Rules: the program is started here alone; nothing here uses a network; no note is changed but by an editor, when the user chose an edit.

import type { EditorState } from '@codemirror/state';
import { FileSystemAdapter, Notice, Platform, Plugin, TFile, editorInfoField } from 'obsidian';
import { fileUri, readRangeLink } from './addresses';
import { drawBlock } from './blocks';
import { addCommands } from './commands';
import { Documents } from './editor/documents';
import { hover } from './editor/hover';
import { verdicts } from './editor/verdicts';
import { AskPane, ASK_VIEW } from './panes/ask';
import { NotePane, NOTE_VIEW } from './panes/note';
import { ReviewPane, REVIEW_VIEW } from './panes/review';
import { Places } from './places';
import { Server, programArguments } from './process';
import { findProgram } from './program';
import { type Settings, SettingsTab, readSettings } from './settings';
import { ClaimSuggest } from './suggest';

export default class MemoraPlugin extends Plugin {
  override settings: Settings = readSettings(null);
  private server: Server | null = null;

  override async onload(): Promise<void> {
    this.settings = readSettings(await this.loadData());
    this.addSettingTab(new SettingsTab(this.app, this));
    const { adapter } = this.app.vault;
    if (!(adapter instanceof FileSystemAdapter)) return;
    const started = await this.start(adapter.getBasePath());
    if (!started) return;
    const { server, base } = started;
    this.server = server;
    this.register(() => server.end());
    this.connect(server, base);
  }

  /** Takes what the user has set, and starts the program accordingly. */
  async change(settings: Settings): Promise<void> {
    this.settings = settings;
    await this.saveData(settings);
    this.server?.restart();
  }

  private async start(folder: string): Promise<{ server: Server; base: string } | null> {
    if (!Platform.isDesktop) return null;
    const { spawn } = await import('node:child_process');
    const { realpathSync, statSync } = await import('node:fs');
    // The program follows links to the vault's folder, and its addresses are of where they lead.
    const base = realpathSync(folder);
    const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    const server = new Server({
      spawn: () => {
        const program = findProgram(this.settings.program, { platform: process.platform, env: process.env, isFile });
        if (program === null) throw new Error('memora was not found on this computer. Install it, or set its path in the settings.');
        return spawn(program, programArguments(base), { stdio: 'pipe', windowsHide: true });
      },
      links: () => this.settings.links,
      onGivenUp: (why) => void new Notice(why, 10_000),
    });
    return { server, base };
  }

  /** Adds whatever asks the program. */
  private connect(server: Server, base: string): void {
    const uriOf = (path: string) => fileUri(base, path);
    const documents = new Documents(server);
    const places = new Places(this.app, base);
    const host = { client: server, opener: places };
    this.register(() => documents.end());

    this.registerEditorExtension([
      verdicts({ documents, uriOf: (state) => noteOf(state, uriOf) }),
      hover((place) => void places.openLocation(place)),
    ]);
    this.registerEditorSuggest(new ClaimSuggest(this.app, () => server, (file) => uriOf(file.path)));
    this.registerEvent(this.app.vault.on('modify', (file) => documents.save(uriOf(file.path))));

    this.registerView(ASK_VIEW, (leaf) => new AskPane(leaf, host));
    this.registerView(REVIEW_VIEW, (leaf) => new ReviewPane(leaf, host));
    this.registerView(NOTE_VIEW, (leaf) => new NotePane(leaf, host));
    this.registerMarkdownCodeBlockProcessor('memora', (source, el) => drawBlock(source, el, server, places));
    this.registerObsidianProtocolHandler('memora', (params) => {
      const link = readRangeLink(params);
      if (link) void places.openLink(link);
      else new Notice('This link cannot be read.');
    });
    const showPane = async (type: string) => {
      const { view } = await this.app.workspace.ensureSideLeaf(type, 'right', { active: true, reveal: true });
      if (view instanceof AskPane) view.focusQuestion();
    };
    addCommands(this, { server, places, uriOf, showPane });
  }
}

/** The address of the note that an editor shows. */
function noteOf(state: EditorState, uriOf: (path: string) => string): string | null {
  const file = state.field(editorInfoField, false)?.file;
  return file instanceof TFile && file.extension === 'md' ? uriOf(file.path) : null;
}
