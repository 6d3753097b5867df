// Bytes and characters: against random texts, and against what the program says of the same places.

import { EditorState } from '@codemirror/state';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileUri, pathInVault, readRangeLink, writeRangeLink } from '../src/addresses';
import { toOffset, toPosition } from '../src/editor/positions';
import { bytesOfSpots, hashBytes, spotsOfBytes } from '../src/offsets';
import { randomly } from './randomly';
import { copyVault, indexed, isBuilt, startServer } from './vault';

const PIECES = ['a', 'é', '😀', '佐', '\r\n', '\n', '\r', ' ', 'e\u0301', '👨‍👩‍👧', '\u2028', '[claim:'];

test('bytes lead to characters and back, in any text', () => {
  const random = randomly(7);
  for (let round = 0; round < 400; round += 1) {
    const pieces = Array.from({ length: random(30) }, () => PIECES[random(PIECES.length)] ?? '');
    const text = (random(3) === 0 ? '\uFEFF' : '') + pieces.join('');
    const bytes = new TextEncoder().encode(text);
    const state = EditorState.create({ doc: text.replace(/^\uFEFF/, '') });
    const [start, end] = [random(bytes.length + 1), random(bytes.length + 1)].sort((a, b) => a - b) as [number, number];
    const spots = spotsOfBytes(bytes, start, end);
    if (!spots) continue;
    const offset = ({ line, ch }: { line: number; ch: number }) => toOffset(state.doc, { line, character: ch });
    const words = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end)).replace(/^\uFEFF/, '');
    const isCut = [start, end].some((at) => bytes[at - 1] === 13 && bytes[at] === 10);
    if (!isCut) expect(state.sliceDoc(offset(spots.from), offset(spots.to))).toBe(words.replace(/\r\n?/g, '\n'));
    const back = bytesOfSpots(bytes, spots.from, spots.to);
    if (!isCut && start >= 3 && start < end) expect(back).toEqual({ start, end });
  }
});

test('what cuts a character, or is not in the file, is no place', () => {
  const bytes = new TextEncoder().encode('é😀');
  expect(spotsOfBytes(bytes, 1, 2)).toBeNull();
  expect(spotsOfBytes(bytes, 0, 4)).toBeNull();
  expect(spotsOfBytes(bytes, 0, 7)).toBeNull();
  expect(spotsOfBytes(bytes, 2, 1)).toBeNull();
  expect(bytesOfSpots(bytes, { line: 0, ch: 0 }, { line: 1, ch: 0 })).toBeNull();
  expect(bytesOfSpots(bytes, { line: 0, ch: 0 }, { line: 0, ch: 9 })).toBeNull();
  expect(spotsOfBytes(bytes, 2, 6)).toEqual({ from: { line: 0, ch: 1 }, to: { line: 0, ch: 3 } });
});

test('positions beyond the text are clipped to it', () => {
  const { doc } = EditorState.create({ doc: 'é😀\nb' });
  expect(toOffset(doc, { line: 0, character: 99 })).toBe(3);
  expect(toOffset(doc, { line: 9, character: 9 })).toBe(5);
  expect(toPosition(doc, 4)).toEqual({ line: 1, character: 0 });
});

test.skipIf(!isBuilt)('each place of the example has the hash and the position that the program says', async () => {
  const vault = copyVault();
  writeFileSync(join(vault.base, 'Größe.md'), '\uFEFF# Größe\r\n\r\nÉ 😀. The mast of the heron is 14 metres high.\r\nThe 😀 heron has 3 boats.\r\n');
  const server = startServer(vault);
  await indexed(server);
  let places = 0;
  for (const path of ['Größe.md', 'people/佐藤先生.md', 'reading/📚 The Shape of Logs.md', 'daily/2024-03-12.md', 'travel/Kyoto 2025.md']) {
    const bytes = readFileSync(join(vault.base, path));
    const { claims } = await server.ask('memora/note', { path });
    const text = claims.map(({ claim }) => `A sentence [claim:${claim}].`).join('\n');
    const uri = fileUri(vault.base, `draft ${path.replace(/\W/g, '')}.md`);
    server.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'markdown', version: 1, text } });
    for (const [line, { place }] of claims.entries()) {
      if (!place) continue;
      expect(hashBytes(bytes.subarray(place.start, place.end))).toBe(place.hash);
      const [found] = await server.ask('textDocument/definition', { textDocument: { uri }, position: { line, character: 20 } }) ?? [];
      if (!found) continue;
      const spots = spotsOfBytes(bytes, place.start, place.end);
      expect(pathInVault(vault.base, found.uri)).toBe(path);
      // The program counts the byte order mark, which no editor shows.
      const mark = place.line === 1 && path === 'Größe.md' ? 1 : 0;
      expect(spots?.from, place.quote).toEqual({ line: found.range.start.line, ch: found.range.start.character - mark });
      expect(spots?.to, place.quote).toEqual({ line: found.range.end.line, ch: found.range.end.character - mark });
      places += 1;
    }
  }
  expect(places).toBeGreaterThan(25);
  server.end();
  vault.remove();
});

test('addresses are encoded, and none but the vault\'s is a path', () => {
  expect(fileUri('/v ä/vault', 'a/é 😀#.md')).toBe('file:///v%20%C3%A4/vault/a/%C3%A9%20%F0%9F%98%80%23.md');
  expect(fileUri('C:\\v\\', 'a.md')).toBe('file:///C%3A/v/a.md');
  expect(pathInVault('/v', 'file:///v/a/%C3%A9.md')).toBe('a/é.md');
  for (const uri of ['file:///vault/a.md', 'file:///w/a.md', 'https://x/v/a.md', 'file:///v/%']) expect(pathInVault('/v', uri)).toBeNull();
});

test('a link says what it leads to, or is none', () => {
  const link = { path: 'a/é & 😀.md', start: 3, end: 9, hash: 'a'.repeat(64) };
  const params = Object.fromEntries(new URL(writeRangeLink('my vault', link)).searchParams);
  expect(params.vault).toBe('my vault');
  expect(readRangeLink(params)).toEqual(link);
  for (const wrong of [{ start: '9' }, { end: '-1' }, { hash: 'A'.repeat(64) }, { hash: '' }, { path: '' }, { start: '1e1' }]) {
    expect(readRangeLink({ ...params, ...wrong }), JSON.stringify(wrong)).toBeNull();
  }
});
