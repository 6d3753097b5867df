import obsidianmd from 'eslint-plugin-obsidianmd';
import { defineConfig } from 'eslint/config';

// Rules for code that runs in the app: tests run in Node and in a page, where there is no window that pops out, and no user's console.
const appOnly = Object.keys(obsidianmd.rules).map((name) => [`obsidianmd/${name}`, 'off']);

export default defineConfig([
  // What runs in the app needs packages that are installed for that alone.
  { ignores: ['main.js', 'node_modules/', 'package-lock.json', 'tests/app/'] },
  ...obsidianmd.configs.recommended,
  { languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['eslint.config.mjs', 'esbuild.config.mjs'] } } } },
  // TypeScript itself knows which names there are.
  { files: ['**/*.ts'], rules: { 'no-undef': 'off' } },
  { files: ['tests/**/*.ts'], rules: Object.fromEntries(appOnly) },
]);
