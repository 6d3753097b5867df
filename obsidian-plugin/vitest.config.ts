import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const stub = fileURLToPath(new URL('./tests/stub/obsidian.ts', import.meta.url));

export default defineConfig({
  // The package `obsidian` is types alone: the app brings the rest.
  resolve: { alias: { obsidian: stub } },
  test: { include: ['tests/*.test.ts'], setupFiles: ['tests/setup.ts'], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2 },
});
