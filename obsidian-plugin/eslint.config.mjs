import obsidianmd from 'eslint-plugin-obsidianmd';
import { defineConfig } from 'eslint/config';

export default defineConfig([
  { ignores: ['main.js', 'node_modules/', 'artifacts/', 'package-lock.json'] },
  ...obsidianmd.configs.recommended,
  { languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['eslint.config.mjs', 'esbuild.config.mjs'] } } } },
  // These run in Node, never in the app.
  {
    files: ['tests/**', 'esbuild.config.mjs', 'vitest.config.ts'],
    rules: { 'obsidianmd/no-nodejs-modules': 'off', 'import/no-nodejs-modules': 'off' },
  },
]);
