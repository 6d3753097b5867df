// `memora lsp` with the client's side of VS Code, which others than us wrote: its framing, its types, its versions of documents.
//
// Run by `node --test tests/editor/`, with two variables that `.ci/run` sets: MEMORA_LSP_CLIENT, the folder in which
// vscode-languageserver-protocol is installed, and MEMORA_BINARY, the program.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, test } from 'node:test';

const require = createRequire(join(process.env.MEMORA_LSP_CLIENT, 'node_modules/'));
const protocol = require('vscode-languageserver-protocol/node');
const types = require('vscode-languageserver-types');

const home = mkdtempSync(join(tmpdir(), 'memora-lsp-'));
const vault = join(home, 'vault');
mkdirSync(join(vault, '.obsidian'), { recursive: true });
writeFileSync(join(vault, 'Größe.md'), '# Größe\r\n\r\nÉ 😀. The mast of the heron is 14 metres high.\r\n');
after(() => rmSync(home, { recursive: true, force: true }));

const env = { PATH: process.env.PATH, HOME: home, MEMORA_STATE_DIR: join(home, 'state'), MEMORA_CONFIG_DIR: join(home, 'config') };

/** Starts the server and shakes hands. */
const connect = async () => {
  const child = spawn(process.env.MEMORA_BINARY, ['--vault', vault, 'lsp', '--stdio'], { env });
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(child.stdout),
    new protocol.StreamMessageWriter(child.stdin),
  );
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const published = [];
  let wake = () => {};
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => { published.push(params); wake(); });
  connection.listen();
  const hello = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(vault).href,
    capabilities: {
      general: { positionEncodings: ['utf-16'] },
      workspace: { workspaceEdit: { documentChanges: true }, diagnostics: { refreshSupport: true } },
      textDocument: {
        publishDiagnostics: { relatedInformation: true, versionSupport: true },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
      },
    },
  });
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  /** The diagnostics of a version of a document. */
  const diagnostics = async (uri, version) => {
    for (;;) {
      const found = published.find((params) => params.uri === uri && params.version === version);
      if (found) return found.diagnostics;
      await new Promise((resolve) => { wake = resolve; });
    }
  };
  return { connection, diagnostics, ended, hello };
};

test('a wrong number is told, mended by an edit for that version, and told no more', { timeout: 60_000 }, async () => {
  const { connection, diagnostics, ended, hello } = await connect();
  assert.equal(hello.serverInfo.name, 'memora');
  const note = await connection.sendRequest('memora/note', { path: 'Größe.md' });
  const claim = note.claims.find((claim) => claim.place.quote.includes('14 metres')).claim.split('.')[0];
  const uri = pathToFileURL(join(vault, 'Entwurf é.md')).href;
  const text = `É 😀. The mast of the heron is 15 metres high [claim:${claim}].\r\nMore.\r\n`;
  const textDocument = types.TextDocumentItem.create(uri, 'markdown', 1, text);
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument });
  const [told] = await diagnostics(uri, 1);
  const document = types.TextDocument.create(uri, 'markdown', 1, text);
  assert.equal(document.getText(told.range), '15 metres', told.message);
  assert.equal(told.code, 'contradicted');
  assert.ok(told.relatedInformation[0].message.includes('14 metres'));

  const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
    textDocument: { uri },
    range: told.range,
    context: { diagnostics: [told], triggerKind: protocol.CodeActionTriggerKind.Invoked },
  });
  const [change] = actions.find((action) => action.isPreferred).edit.documentChanges;
  assert.equal(change.textDocument.version, 1, 'an edit is for the version that was judged');
  const mended = types.TextDocument.applyEdits(document, change.edits);
  assert.equal(mended, text.replace('15', '14'));
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: change.edits.map((edit) => ({ range: edit.range, text: edit.newText })),
  });
  assert.deepEqual(await diagnostics(uri, 2), []);

  const position = document.positionAt(mended.indexOf('[claim'));
  const [place] = await connection.sendRequest(protocol.DefinitionRequest.type, { textDocument: { uri }, position });
  assert.equal(place.uri, pathToFileURL(join(vault, 'Größe.md')).href);
  const source = types.TextDocument.create(place.uri, 'markdown', 1, readFileSync(join(vault, 'Größe.md'), 'utf8'));
  assert.equal(source.getText(place.range), 'The mast of the heron is 14 metres high.');

  const pulled = await connection.sendRequest(protocol.WorkspaceDiagnosticRequest.type, { previousResultIds: [] });
  assert.deepEqual(pulled.items, []);
  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  assert.equal(await ended, 0);
  assert.deepEqual(readdirSync(vault).sort(), ['.obsidian', 'Größe.md'], 'nothing was written');
});
