// Chromium with the page of the harness, and the real program behind it. Chromium is the system's, at MEMORA_CHROMIUM or where Debian has it.

import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type Page, chromium } from 'playwright-core';
import type { Notices, Requests } from '../../src/protocol';
import type { Server } from '../../src/process';

export const executablePath = process.env.MEMORA_CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(executablePath);
if (!hasChromium) console.warn('skipped: the editor in a browser; it needs Chromium, which MEMORA_CHROMIUM may name');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Colours as a theme of the app has them. */
const THEME = `:root { --text-error: #c0392b; --text-warning: #b9770e; --text-accent: #6c5ce7; --text-muted: #5c5c5c;
  --background-modifier-border: #d0d0d0; --size-4-1: 4px; --size-4-2: 8px; --size-4-3: 12px; --radius-s: 4px;
  --font-ui-small: 13px; --font-ui-smaller: 12px; --font-semibold: 600; }
  body { font: 15px/1.5 sans-serif; margin: 16px; color: #222; } a { color: var(--text-accent); }
  #pane { width: 420px; } .cm-tooltip { background: #fff; border: 1px solid #d0d0d0 !important; border-radius: 6px; }`;

export interface Opened {
  browser: Browser;
  page: Page;
  /** What went wrong in the page. */
  errors: string[];
  close(): Promise<void>;
}

export async function openPage(server: Server): Promise<Opened> {
  const { outputFiles } = await build({
    entryPoints: [path('page.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    alias: { obsidian: path('../stub/obsidian.ts') },
  });
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const page = await browser.newPage({ viewport: { width: 900, height: 640 } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
  page.on('request', (request) => errors.push(`it asked for ${request.url()}`));
  await page.exposeFunction('bridgeAsk', (method: keyof Requests, params: Requests[typeof method][0]) =>
    server.ask(method, params as never).then((answer) => ({ answer }), (error: Error) => ({ error: error.message })));
  await page.exposeFunction('bridgeTell', (method: keyof Notices, params: Notices[typeof method]) => server.tell(method, params));
  await page.setContent('<!doctype html><meta charset="utf-8"><div id="editor"></div><div id="pane"></div>');
  await page.addStyleTag({ content: THEME + readFileSync(path('../../styles.css'), 'utf8') });
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  const unsubscribe = server.onPublished((published) => {
    void page.evaluate((found) => harness.publish(found), published).catch(() => undefined);
  });
  const ended = server.onReady(() => void page.evaluate(() => harness.restarted()).catch(() => undefined));
  return {
    browser,
    page,
    errors,
    close: async () => {
      unsubscribe();
      ended();
      await browser.close();
    },
  };
}

/** Takes a picture, for a person to look at, where MEMORA_PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.MEMORA_PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}
