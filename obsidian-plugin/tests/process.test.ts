// The client with the real program: answers, characters, a program that dies, one that is none, and the end.

import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileUri } from '../src/addresses';
import { Server } from '../src/process';
import type { Published } from '../src/protocol';
import { Frames } from '../src/wire';
import { type Vault, claimOf, copyVault, indexed, isBuilt, startServer, until } from './vault';

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.skipIf(!isBuilt)('with the program', () => {
  let vault: Vault;
  let server: Server;

  beforeAll(async () => {
    vault = copyVault();
    server = startServer(vault, { waits: [10, 10, 10] });
    await indexed(server);
  });

  afterAll(() => {
    server.end();
    vault.remove();
  });

  test('a question is answered in the words of the notes, with their bytes', async () => {
    const report = await server.ask('memora/ask', { question: 'Why did drift switch serialization?' });
    expect(report.answer).toContain('switched its serialization from JSON to MessagePack');
    expect(report.claims[0]?.place?.path).toBe('semantic/what-i-believe-about-drift.md');
    expect(report.claims[0]?.place?.hash).toMatch(/^[0-9a-f]{64}$/);
    const review = await server.ask('memora/review', { limit: 3 });
    expect(review.items).toHaveLength(3);
    expect(review.items[0]?.choices.length).toBeGreaterThan(0);
  });

  test('a request that cannot be read is refused, and the next one answered', async () => {
    const wrong = { query: 'x' } as unknown as { question: string };
    await expect(server.ask('memora/ask', wrong)).rejects.toThrow('cannot be read');
    expect((await server.ask('memora/note', { path: 'none.md' })).claims).toEqual([]);
  });

  test('a megabyte of é and emoji goes through, and is judged at the right place', async () => {
    const { claim, place } = await claimOf(server, 'daily/2024-03-12.md', '61 percent');
    const wrong = place.quote.replace('61 percent', '62 percent');
    const text = `${'É 😀 ü\n'.repeat(100_000)}É 😀. ${wrong.replace(/\.$/, '')} [claim:${claim}].\n`;
    const uri = fileUri(vault.base, 'Entwurf é 😀.md');
    const found = await judge(uri, text);
    const line = text.split('\n')[100_000] ?? '';
    const marked = found.diagnostics.map(({ range }) => line.slice(range.start.character, range.end.character));
    expect(found.diagnostics[0]?.range.start.line).toBe(100_000);
    expect(marked).toContain('62 percent');
  });

  test('a program that dies is started again, and what waits is answered', async () => {
    const before = await until(() => server.pid ?? null);
    let ready = 0;
    const unsubscribe = server.onReady(() => { ready += 1; });
    process.kill(before, 'SIGKILL');
    await until(() => (server.pid !== before && server.pid !== undefined ? true : null));
    const { statements } = await server.ask('memora/status', {});
    expect(statements).toBeGreaterThan(100);
    expect(ready).toBe(2);
    unsubscribe();
  });

  test('restarting by hand leaves one process', async () => {
    const before = await until(() => server.pid ?? null);
    server.restart();
    await server.ask('memora/status', {});
    expect(server.pid).not.toBe(before);
    await until(() => (isAlive(before) ? null : true));
  });

  test('nothing was written into the vault, and the end ends the process', async () => {
    const picture = vault.picture();
    const own = startServer(vault);
    await own.ask('memora/ask', { question: 'Who owns drift?' });
    const pid = own.pid ?? 0;
    own.end();
    await until(() => (isAlive(pid) ? null : true));
    await expect(own.ask('memora/status', {})).rejects.toThrow('ended');
    expect(vault.picture()).toEqual(picture);
  });

  test('sentences that cite by links are judged where that was set, and only there', async () => {
    const text = 'JSON parsing is 62 percent of the CPU time of a consumer ([[2024-03-12]]).\n';
    const own = startServer(vault, { links: () => true });
    await indexed(own);
    const judged = (by: Server, name: string, given: string) => judge(fileUri(vault.base, name), given, by);
    expect((await judged(own, 'links.md', text)).diagnostics.length).toBeGreaterThan(0);
    own.end();
    // Without the setting the link alone says nothing: only the citation that cannot be is told.
    const { diagnostics } = await judged(server, 'links.md', `${text}\nMore [claim:000000000000].\n`);
    expect(diagnostics.map(({ range }) => range.start.line)).toEqual([2]);
  });

  test('ended while it begins, it ends as well', async () => {
    const own = startServer(vault);
    const pid = own.pid ?? 0;
    const asked = own.ask('memora/status', {});
    own.end();
    await expect(asked).rejects.toThrow('ended');
    await until(() => (isAlive(pid) ? null : true));
  });

  const judge = (uri: string, text: string, by = server) => new Promise<Published>((resolve) => {
    const unsubscribe = by.onPublished((published) => {
      if (published.uri !== uri) return;
      unsubscribe();
      resolve(published);
    });
    by.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'markdown', version: 1, text } });
  });
});

const giveUp = (start: () => ReturnType<typeof spawn>) => new Promise<{ why: string; starts: number; server: Server }>((resolve) => {
  let starts = 0;
  const server: Server = new Server({
    spawn: () => {
      starts += 1;
      return start() as ReturnType<Server['how']['spawn']>;
    },
    links: () => false,
    waits: [1, 1, 1],
    onGivenUp: (why) => queueMicrotask(() => resolve({ why, starts, server })),
  });
});

test('a program that ends at once is tried four times, and its last word is told', async () => {
  const { why, starts, server } = await giveUp(() => spawn('sh', ['-c', 'echo first >&2; echo "no such vault" >&2; exit 3'], { stdio: 'pipe' }));
  expect(why).toBe('memora ended 4 times: no such vault');
  expect(starts).toBe(4);
  await expect(server.ask('memora/status', {})).rejects.toThrow('no such vault');
});

test('what speaks, and is not memora, is not asked anything', async () => {
  const { why } = await giveUp(() => spawn('cat', [], { stdio: 'pipe' }));
  expect(why).toContain('ended 4 times');
});

test('noise instead of messages ends in giving up', async () => {
  const { why } = await giveUp(() => spawn('sh', ['-c', 'printf "Content-Length: x\\r\\n\\r\\nnoise"; cat > /dev/null'], { stdio: 'pipe' }));
  expect(why).toContain('ended 4 times');
});

test('pieces end anywhere, and what cannot be is an end', () => {
  const message = Buffer.from('Content-Type: x\r\ncontent-length:  12\r\n\r\n{"é":"😀"');
  const frames = new Frames();
  const whole = [...Buffer.concat([message, message])].flatMap((byte) => frames.push(Buffer.from([byte])));
  expect(whole.map((body) => body.length)).toEqual([12, 12]);
  expect(new Frames().push(Buffer.concat([message, message, message.subarray(0, 5)]))).toHaveLength(2);
  for (const head of ['Content-Length: -1', 'Content-Length: 99999999999', 'X: 1', 'Content-Length: 1e3', 'x'.repeat(5_000)]) {
    expect(() => new Frames().push(Buffer.from(`${head}\r\n\r\n`)), head).toThrow();
  }
});

test('a program that is not there is told of', async () => {
  const { why } = await giveUp(() => spawn('/nowhere/memora', [], { stdio: 'pipe' }));
  expect(why).toContain('ENOENT');
});
