// The plugin in Obsidian itself, which this downloads. UNTESTED: it was written where the app could not be had, and never ran.
//
// Started by `run`, which installs what it needs; `memora` has to be on PATH.

import { resolve } from 'node:path';

export const config = {
  runner: 'local',
  framework: 'mocha',
  specs: ['./*.e2e.mjs'],
  maxInstances: 1,
  capabilities: ['earliest', 'latest'].map((browserVersion) => ({
    browserName: 'obsidian',
    browserVersion,
    'wdio:obsidianOptions': { installerVersion: 'latest', plugins: ['../..'], vault: '../../../vault-example' },
  })),
  services: ['obsidian'],
  reporters: ['obsidian'],
  cacheDir: resolve('.obsidian-cache'),
  mochaOpts: { ui: 'bdd', timeout: 120_000 },
  logLevel: 'warn',
};
