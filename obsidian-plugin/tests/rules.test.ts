// What the directory of plugins asks for, and what we ask of ourselves.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import manifest from '../manifest.json' with { type: 'json' };
import versions from '../versions.json' with { type: 'json' };
import { findProgram } from '../src/program';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

test('the manifest is as the directory wants it', () => {
  for (const word of ['obsidian', 'plugin']) {
    for (const text of [manifest.id, manifest.name, manifest.description]) expect(text.toLowerCase()).not.toContain(word);
  }
  expect(manifest.id).toMatch(/^[a-z-]+$/);
  expect(manifest.isDesktopOnly).toBe(true);
  expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(manifest.description.length).toBeLessThanOrEqual(250);
  expect(manifest.description).toMatch(/^[A-Z][a-z]+s .*\.$/);
  expect(versions).toEqual({ [manifest.version]: manifest.minAppVersion });
  expect((JSON.parse(read('package.json')) as { version: string }).version).toBe(manifest.version);
  expect(read('README.md')).toMatch(/^# Memora\n/);
});

test('no source is long, writes markup, uses a network or says something to the console', () => {
  for (const path of sources) {
    const text = read(join('src', path));
    expect(text.split('\n').length, path).toBeLessThan(300);
    expect(text, path).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|\bany\b[>\];,)]|: any\b|fetch\(|requestUrl|XMLHttpRequest|WebSocket|https?:\/\//);
    expect(text, path).not.toMatch(/console\.|node:(http|https|net|tls|dgram|dns)|\(\?<[=!]/);
  }
});

test('the lock names no host, and each version is exact', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved"/);
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
  for (const [name, version] of Object.entries(devDependencies)) expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the program is the one that was set, else the first of PATH, and never one of the folder one is in', () => {
  const files = new Set(['/a/memora', '/b/memora', 'bin/memora', '/home/me/.cargo/bin/memora', 'C:\\m\\memora.exe']);
  const machine = (PATH: string, platform = 'linux') => ({ platform, env: { PATH, HOME: '/home/me' }, isFile: (path: string) => files.has(path) });
  expect(findProgram(' /b/memora ', machine('/a'))).toBe('/b/memora');
  expect(findProgram('/c/memora', machine('/a'))).toBeNull();
  expect(findProgram('', machine('/c:/a/:/b'))).toBe('/a/memora');
  expect(findProgram('', machine('bin::.'))).toBe('/home/me/.cargo/bin/memora');
  expect(findProgram('', machine('C:\\x;C:\\m', 'win32'))).toBe('C:\\m\\memora.exe');
});
