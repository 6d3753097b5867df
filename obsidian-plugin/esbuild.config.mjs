// Makes main.js of src/main.ts. What Obsidian brings along is not packed; nothing is minified, so that it can be read.

import { builtinModules } from 'node:module';
import { build } from 'esbuild';

await build({
  entryPoints: ['src/main.ts'],
  outfile: 'main.js',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'es2022',
  // Obsidian evaluates the file as a script: there, a module of Node is required, and not imported.
  supported: { 'dynamic-import': false },
  external: ['obsidian', 'electron', '@codemirror/*', '@lezer/*', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
  legalComments: 'inline',
  logLevel: 'warning',
});
