// The plugin in a stub of the app: what is there when it is loaded, what is gone when it is not, and where its links lead.

import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Editor, type TFile as RealFile } from 'obsidian';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import manifest from '../manifest.json' with { type: 'json' };
import { readRangeLink } from '../src/addresses';
import MemoraPlugin from '../src/main';
import { Places } from '../src/places';
import type { Server } from '../src/process';
import { readSettings } from '../src/settings';
import { ClaimSuggest } from '../src/suggest';
import { fileUri } from '../src/addresses';
import { type StubApp, makeApp } from './stub/app';
import { type Plugin as Stub, TFile, notices } from './stub/obsidian';
import { type Vault, binary, claimOf, copyVault, indexed, isBuilt, startServer, until } from './vault';

let vault: Vault;
let stub: StubApp;

beforeEach(() => {
  vault = copyVault();
  stub = makeApp(vault.base);
  notices.length = 0;
  for (const [name, value] of Object.entries(vault.env)) vi.stubEnv(name, value);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vault.remove();
});

const load = async (saved: unknown) => {
  const plugin = new MemoraPlugin(stub.app, manifest);
  const seen = plugin as unknown as Stub & { server: Server | null };
  seen.data = saved;
  await plugin.onload();
  return { plugin, seen };
};

describe.skipIf(!isBuilt)('with the program', () => {
  test('it starts one program, and unloading ends it', async () => {
    const { seen } = await load({ program: binary });
    const server = seen.server;
    if (!server) throw new Error('there is no program');
    await server.ask('memora/status', {});
    const pid = server.pid ?? 0;
    seen.unload();
    await until(() => { try { return process.kill(pid, 0) ? null : true; } catch { return true; } });
    await expect(server.ask('memora/status', {})).rejects.toThrow('ended');
    expect(notices).toEqual([]);
  });

  test('a vault that is reached by a link is the vault it leads to', async () => {
    symlinkSync(vault.base, `${vault.base}-linked`);
    stub = makeApp(`${vault.base}-linked`);
    const { seen } = await load({ program: binary });
    const { server } = seen;
    if (!server) throw new Error('there is no program');
    await indexed(server);
    const { claim, place } = await claimOf(server, 'daily/2024-03-12.md', '61 percent');
    const uri = fileUri(vault.base, 'draft.md');
    server.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'markdown', version: 1, text: `So [claim:${claim}].` } });
    const asked = { textDocument: { uri }, position: { line: 0, character: 9 } };
    const [found] = await server.ask('textDocument/definition', asked) ?? [];
    if (!found) throw new Error('nothing is cited');
    await new Places(stub.app, vault.base).openLocation(found);
    expect(stub.editor.getSelection()).toBe(place.quote);
    await new Places(stub.app, '/elsewhere').openLocation(found);
    expect(notices).toEqual(['This place is not in this vault.']);
    seen.unload();
  });

  test('settings are saved, and start the program anew', async () => {
    const { plugin, seen } = await load({ program: binary });
    await seen.server?.ask('memora/status', {});
    const before = seen.server?.pid;
    await plugin.change({ program: binary, links: true });
    await seen.server?.ask('memora/status', {});
    expect(seen.server?.pid).not.toBe(before);
    expect(seen.data).toEqual({ program: binary, links: true });
    seen.unload();
  });

  test('a link opens exactly its bytes, and not what has changed since', async () => {
    const server = startServer(vault);
    await indexed(server);
    const { place } = await claimOf(server, 'daily/2024-03-12.md', '61 percent');
    const places = new Places(stub.app, vault.base);
    await places.openPlace(place);
    expect(stub.opened).toEqual([place.path]);
    expect(stub.editor.getSelection()).toBe(place.quote);
    const file = join(vault.base, place.path);
    stub.unsaved = `Not saved yet.\n${readFileSync(file, 'utf8')}`;
    await places.openPlace(place);
    expect(notices.splice(0)).toEqual(['These words have changed since. The note is open where they were.']);
    expect(stub.editor.getSelection()).toBe('');
    stub.unsaved = null;
    writeFileSync(file, 'Something else.\n');
    await places.openPlace(place);
    expect(notices).toEqual(['These words have changed since. The note is open where they were.']);
    expect(stub.editor.selection[0]).toEqual({ line: place.line - 1, ch: 0 });
    server.end();
  });

  test('a link to a selection is copied, and leads back to it', async () => {
    const note = 'Größe.md';
    writeFileSync(join(vault.base, note), '\uFEFF# Größe\r\n\r\nÉ 😀 is high.\r\nMore 😀.\r\n');
    const { plugin, seen } = await load({ program: binary });
    const copied: string[] = [];
    vi.stubGlobal('navigator', { clipboard: { writeText: (text: string) => Promise.resolve(copied.push(text)) } });
    const file = new TFile(note) as unknown as RealFile;
    const { editor } = stub;
    editor.text = '# Größe\n\nÉ 😀 is high.\nMore 😀.\n';
    editor.setSelection({ line: 2, ch: 2 }, { line: 3, ch: 7 });
    const command = seen.commands.find(({ id }) => id === 'copy-link');
    void command?.editorCallback?.(editor as unknown as Editor, { file } as Parameters<NonNullable<typeof command.editorCallback>>[1]);
    const [link] = await until(() => (copied.length > 0 ? copied : null));
    const params = Object.fromEntries(new URL(link ?? '').searchParams);
    expect(readRangeLink(params)).not.toBeNull();
    editor.setSelection({ line: 0, ch: 0 }, { line: 0, ch: 0 });
    void seen.links.get('memora')?.({ action: 'memora', ...params });
    await until(() => (editor.getSelection() === '😀 is high.\nMore 😀' ? true : null));
    void seen.links.get('memora')?.({ action: 'memora', ...params, start: '7x' });
    expect(notices).toContain('This link cannot be read.');
    vi.unstubAllGlobals();
    vi.stubGlobal('window', globalThis);
    plugin.unload();
  });

  test('behind the marker statements are offered, and one is put in by one step', async () => {
    const server = startServer(vault);
    await indexed(server);
    const { claim } = await claimOf(server, 'daily/2024-03-12.md', '61 percent');
    const file = new TFile('draft.md') as unknown as RealFile;
    const suggest = new ClaimSuggest(stub.app, () => server, ({ path }) => fileUri(vault.base, path));
    const text = 'É 😀. JSON parsing takes the time of a consumer [claim:]';
    server.tell('textDocument/didOpen', { textDocument: { uri: fileUri(vault.base, 'draft.md'), languageId: 'markdown', version: 1, text } });
    stub.editor.text = text;
    const editor = stub.editor as unknown as Editor;
    const cursor = { line: 0, ch: text.length - 1 };
    expect(suggest.onTrigger({ line: 0, ch: 9 }, editor, file)).toBeNull();
    const found = suggest.onTrigger(cursor, editor, file);
    if (!found) throw new Error('it did not trigger');
    const context = { ...found, editor, file };
    const items = await suggest.getSuggestions(context);
    const item = items.find(({ label }) => label.includes('61 percent'));
    if (!item) throw new Error('it was not offered');
    Object.assign(suggest, { context });
    suggest.selectSuggestion(item);
    expect(stub.editor.text).toBe(`${text.slice(0, -1)}${claim.split('.')[0]}]`);
    expect(stub.editor.transactions).toBe(1);
    server.end();
  });
});

test('where there is no program, it says so once, and everything else is there', async () => {
  const { seen } = await load({ program: '/nowhere/memora' });
  expect(notices).toEqual(['memora was not found on this computer. Install it, or set its path in the settings.']);
  expect([...seen.views.keys()]).toEqual(['memora-ask', 'memora-review', 'memora-note']);
  expect([...seen.blocks.keys()]).toEqual(['memora']);
  expect([seen.tabs.length, seen.extensions.length, seen.suggests.length, seen.links.size]).toEqual([1, 1, 1, 1]);
  seen.unload();
});

test('no command has a hotkey, and each has a name of its own', async () => {
  const { seen } = await load({ program: '/nowhere/memora' });
  expect(seen.commands.filter(({ hotkeys }) => hotkeys)).toEqual([]);
  expect(new Set(seen.commands.map(({ name }) => name)).size).toBe(seen.commands.length);
  expect(seen.commands.map(({ id }) => id)).toEqual(
    ['ask', 'review', 'about-note', 'mend', 'next-verdict', 'source', 'copy-link', 'restart']);
  for (const { id } of seen.commands.slice(0, 3)) void seen.commands.find((command) => command.id === id)?.callback?.();
  expect(stub.shownPanes).toEqual(['memora-ask', 'memora-review', 'memora-note']);
  seen.unload();
});

test('settings that are none are as if they were not there', () => {
  for (const saved of [null, 3, 'x', [], { program: 7, links: 'yes' }]) expect(readSettings(saved)).toEqual({ program: '', links: false });
  expect(readSettings({ program: '/a/memora', links: true, more: 1 })).toEqual({ program: '/a/memora', links: true });
});
