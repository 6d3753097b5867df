// The real program on a copy of the example vault. MEMORA_BINARY names the program.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Server, type Start, programArguments } from '../src/process';
import type { Claim, Client } from '../src/protocol';

export const binary = process.env.MEMORA_BINARY ?? '';
export const isBuilt = existsSync(binary);
if (!isBuilt) console.warn('skipped: what needs the program; MEMORA_BINARY is to name it');

export interface Vault {
  base: string;
  env: Record<string, string>;
  spawn(): ChildProcessWithoutNullStreams;
  /** The hashes of all files. */
  picture(): Record<string, string>;
  remove(): void;
}

export function copyVault(): Vault {
  const home = mkdtempSync(join(tmpdir(), 'memora-plugin-'));
  const base = join(home, 'vault-example');
  cpSync(fileURLToPath(new URL('../../vault-example', import.meta.url)), base, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    MEMORA_STATE_DIR: join(home, 'state'),
    MEMORA_CONFIG_DIR: join(home, 'config'),
    MEMORA_TODAY: '2026-01-05',
  };
  return {
    base,
    env,
    spawn: () => spawn(binary, programArguments(base), { env, stdio: 'pipe' }),
    picture: () => {
      const files = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
      return Object.fromEntries(paths.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]));
    },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export function startServer(vault: Vault, how: Partial<Start> = {}): Server {
  return new Server({ spawn: () => vault.spawn(), links: () => false, onGivenUp: () => undefined, ...how });
}

/** Asks until something is so: the program indexes the notes meanwhile. */
export async function until<T>(ask: () => Promise<T | null> | T | null, tries = 600): Promise<T> {
  for (let left = tries; left > 0; left -= 1) {
    const found = await ask();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not become so');
}

/** Waits until all notes are indexed. */
export async function indexed(client: Client): Promise<void> {
  await until(async () => ((await client.ask('memora/status', {})).fresh ? true : null));
}

/** A statement of a note whose words have a number. */
export async function claimOf(client: Client, path: string, words: string): Promise<Claim & { place: NonNullable<Claim['place']> }> {
  const { claims } = await client.ask('memora/note', { path });
  const claim = claims.find(({ place }) => place?.quote.includes(words));
  if (!claim?.place) throw new Error(`no statement of ${path} has ${words}`);
  return { ...claim, place: claim.place };
}
