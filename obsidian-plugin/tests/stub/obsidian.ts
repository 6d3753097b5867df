// Stands in for the app where there is none: as much of `obsidian` as the plugin uses, and what it did is there to be looked at.
//
// Each class is checked against the package's types: it implements what of the real one it names. That it *does* what the app does,
// nobody checks here.

import { StateField } from '@codemirror/state';
import type * as real from 'obsidian';

/** What was shown in the corner. */
export const notices: string[] = [];

export class Notice implements Pick<real.Notice, never> {
  constructor(message: string | DocumentFragment) {
    notices.push(typeof message === 'string' ? message : message.textContent ?? '');
  }
}

export const Platform: Pick<typeof real.Platform, 'isDesktop'> = { isDesktop: true };

export class Component implements Pick<real.Component, 'register' | 'registerEvent' | 'unload'> {
  private ends: (() => unknown)[] = [];
  register(end: () => unknown): void {
    this.ends.push(end);
  }
  registerEvent(event: real.EventRef): void {
    this.register(() => (event as unknown as { end(): void }).end());
  }
  unload(): void {
    for (const end of this.ends.splice(0).reverse()) end();
  }
}

type Registering = 'addCommand' | 'addSettingTab' | 'loadData' | 'registerEditorExtension' | 'registerEditorSuggest'
  | 'registerMarkdownCodeBlockProcessor' | 'registerObsidianProtocolHandler' | 'registerView' | 'saveData';

export class Plugin extends Component implements Pick<real.Plugin, Registering | 'app'> {
  readonly commands: real.Command[] = [];
  readonly tabs: real.PluginSettingTab[] = [];
  readonly extensions: unknown[] = [];
  readonly suggests: unknown[] = [];
  readonly views = new Map<string, real.ViewCreator>();
  readonly blocks = new Map<string, Parameters<real.Plugin['registerMarkdownCodeBlockProcessor']>[1]>();
  readonly links = new Map<string, real.ObsidianProtocolHandler>();
  data: unknown = null;

  constructor(public app: real.App, public manifest: real.PluginManifest) {
    super();
  }
  addCommand(command: real.Command): real.Command {
    this.commands.push(command);
    return command;
  }
  addSettingTab(tab: real.PluginSettingTab): void {
    this.tabs.push(tab);
  }
  loadData(): Promise<unknown> {
    return Promise.resolve(this.data);
  }
  saveData(data: unknown): Promise<void> {
    this.data = data;
    return Promise.resolve();
  }
  registerEditorExtension(extension: unknown): void {
    this.extensions.push(extension);
  }
  registerEditorSuggest(suggest: unknown): void {
    this.suggests.push(suggest);
  }
  registerView(type: string, creator: real.ViewCreator): void {
    this.views.set(type, creator);
  }
  registerMarkdownCodeBlockProcessor(language: string, handler: Parameters<real.Plugin['registerMarkdownCodeBlockProcessor']>[1]): real.MarkdownPostProcessor {
    this.blocks.set(language, handler);
    return () => undefined;
  }
  registerObsidianProtocolHandler(action: string, handler: real.ObsidianProtocolHandler): void {
    this.links.set(action, handler);
  }
}

export class PluginSettingTab implements Pick<real.PluginSettingTab, 'app'> {
  constructor(public app: real.App, readonly plugin: real.Plugin) {}
}

export class ItemView extends Component implements Pick<real.ItemView, 'app' | 'contentEl' | 'navigation'> {
  navigation = true;
  contentEl = createDiv();
  app: real.App;
  constructor(readonly leaf: real.WorkspaceLeaf) {
    super();
    this.app = (leaf as unknown as { app: real.App }).app;
  }
}

export class MarkdownView implements Pick<real.MarkdownView, 'contentEl' | 'editor' | 'file'> {
  constructor(public file: real.TFile, public editor: real.Editor, public contentEl: HTMLElement) {}
}

export class TFile implements Pick<real.TFile, 'path' | 'name' | 'basename' | 'extension'> {
  constructor(public path: string) {}
  get name(): string {
    return this.path.split('/').pop() ?? '';
  }
  get basename(): string {
    return this.name.replace(/\.[^.]*$/, '');
  }
  get extension(): string {
    return this.name.split('.').pop() ?? '';
  }
}

export class FileSystemAdapter implements Pick<real.FileSystemAdapter, 'getBasePath'> {
  constructor(private readonly base: string) {}
  getBasePath(): string {
    return this.base;
  }
}

export class EditorSuggest<T> implements Pick<real.EditorSuggest<T>, 'app' | 'context'> {
  context: real.EditorSuggestContext | null = null;
  constructor(public app: real.App) {}
}

/** The menu that was shown last. */
export const menus: Menu[] = [];

export class MenuItem implements Pick<real.MenuItem, 'setTitle' | 'onClick'> {
  title = '';
  click: (event: MouseEvent | KeyboardEvent) => unknown = () => undefined;
  setTitle(title: string | DocumentFragment): real.MenuItem {
    this.title = typeof title === 'string' ? title : title.textContent ?? '';
    return this as unknown as real.MenuItem;
  }
  onClick(act: (event: MouseEvent | KeyboardEvent) => unknown): real.MenuItem {
    this.click = act;
    return this as unknown as real.MenuItem;
  }
}

export class Menu implements Pick<real.Menu, 'addItem' | 'showAtPosition'> {
  readonly items: MenuItem[] = [];
  addItem(fill: (item: real.MenuItem) => unknown): real.Menu {
    const item = new MenuItem();
    fill(item as unknown as real.MenuItem);
    this.items.push(item);
    return this as unknown as real.Menu;
  }
  showAtPosition(): real.Menu {
    menus.push(this);
    return this as unknown as real.Menu;
  }
}

/** Which file an editor shows. */
export const editorInfoField: typeof real.editorInfoField = StateField.define<real.MarkdownFileInfo>({
  create: () => ({ file: null }) as unknown as real.MarkdownFileInfo,
  update: (value) => value,
});
