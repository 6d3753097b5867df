// The page in a real browser: what a user sees and does, and what an attacker's page does not.
//
// Run by `node --test tests/browser/`, with two variables that `.ci/run` sets: MEMORA_PAGE_BROWSER, the folder in which playwright-core
// and axe-core are installed, and MEMORA_BINARY, the program. Chromium is the system's, at MEMORA_CHROMIUM or /usr/bin/chromium. No
// test uses the network; in each, whatever leaves loopback or violates the policy of the pages fails it.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';

const packages = process.env.MEMORA_PAGE_BROWSER;
const binary = process.env.MEMORA_BINARY;
const executablePath = process.env.MEMORA_CHROMIUM || '/usr/bin/chromium';
const require = createRequire(join(packages, 'node_modules/'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const root = new URL('../..', import.meta.url).pathname;
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

const home = mkdtempSync(join(tmpdir(), 'memora-page-'));
const vault = join(home, 'vault-example');
const HOSTILE = '# Hostile\n\nThe heron works at <img src=x onerror="alert(1)"> since 2024.\n\n<script>alert(1)</script>\n\nThe heron knows '
  + '"><svg onload=alert(1)> and ![](https://evil.test/pixel.png) and [here](javascript:alert(1)).\n';
let browser;
let reading;
let deciding;

const environment = () => ({ PATH: process.env.PATH, HOME: home, MEMORA_STATE_DIR: join(home, 'state'), MEMORA_CONFIG_DIR: join(home, 'config'), MEMORA_TODAY: '2026-01-05' });

/** Starts `memora browse`, and gives its addresses. */
const serve = async (args, env = {}) => {
  const child = spawn(binary, ['--vault', vault, '--door', 'local', 'browse', ...args], { env: { ...environment(), ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => { said += data; });
  const address = await new Promise((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (data) => { out += data; if (out.includes('\n')) resolve(out.trim()); });
    child.on('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)));
  });
  return { child, address, origin: new URL(address).origin };
};

/** The bytes of everything in the vault. */
const picture = (folder = vault, found = {}) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) picture(path, found);
    else found[path] = createHash('sha256').update(readFileSync(path)).digest('hex') + statSync(path).mtimeMs;
  }
  return found;
};

let beginning;

before(async () => {
  cpSync(join(root, 'vault-example'), vault, { recursive: true });
  writeFileSync(join(vault, 'Hostile.md'), HOSTILE);
  browser = await chromium.launch({ executablePath, args: flags });
  // Something that an agent remembers on this machine: what comes with the example is another machine's.
  execFileSync(binary, ['--vault', vault, 'memory', 'save', 'drift uses pino for structured logging.', '--door', 'local'], { env: environment() });
  // Read once, ahead: else each of the first questions would wait for it.
  execFileSync(binary, ['--vault', vault, 'index', '--complete', '--door', 'local'], { env: environment() });
  beginning = picture();
  const start = async (args) => {
    const server = await serve(args);
    // One address lets one window in; the session is handed to those that the tests open.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.address);
    await page.waitForURL((url) => url.pathname === '/');
    const fresh = () => page.evaluate(async () => (await fetch('/fresh')).text());
    for (let tries = 0; tries < 500 && (await fresh()) !== 'index fresh'; tries++);
    server.cookies = await context.cookies();
    await context.close();
    return server;
  };
  [reading, deciding] = [await start([]), await start(['--decide'])];
});

after(async () => {
  await browser?.close();
  for (const server of [reading, deciding]) server?.child.kill('SIGINT');
  rmSync(home, { recursive: true, force: true });
});

/** A window with the session of a server. */
const open = async (server, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  await context.addCookies(server.cookies);
  const wrong = [];
  const watch = (page) => {
    page.on('console', (message) => { if (/Content.Security|Trusted ?Type|TypeError|ReferenceError/i.test(message.text())) wrong.push(message.text()); });
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('dialog', (dialog) => { wrong.push(`a script of a note ran: ${dialog.message()}`); dialog.dismiss(); });
  };
  context.on('page', watch);
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (!['127.0.0.1', 'localhost'].includes(hostname) && !hostname.endsWith('.localhost') && !['data:', 'obsidian:', 'about:'].includes(protocol)) wrong.push(`asked ${request.url()}`);
  });
  const page = await context.newPage();
  const go = async (path) => (await page.goto(server.origin + path)).status();
  return { page, context, go, wrong, close: async () => { await context.close(); assert.deepEqual(wrong, []); } };
};

const QUESTION = 'Why did drift switch serialization?';
const ASKED = '/?q=' + encodeURIComponent(QUESTION);

/** The bytes that an address means, and those of the file. */
const bytesOf = (address) => {
  const url = new URL(address);
  const path = decodeURIComponent(url.pathname.replace('/note/', ''));
  const bytes = readFileSync(join(vault, path));
  return bytes.subarray(Number(url.searchParams.get('start')), Number(url.searchParams.get('end'))).toString();
};

const markedText = (page) => page.$$eval('.source mark', (marks) => marks.map((mark) => mark.textContent).join('\n'));

test('ask, click, and the marked bytes are those of the file', async () => {
  const { page, go, close } = await open(reading);
  await go('/');
  await page.fill('#q', QUESTION);
  await page.click('form.ask button');
  const quoted = await page.textContent('.sentence .words');
  await page.click('.evidence a.passage');
  assert.match(page.url(), /\/note\/.*start=\d+&end=\d+&hash=[0-9a-f]{64}&line=\d+#mark$/);
  const marked = await markedText(page);
  assert.equal(marked, bytesOf(page.url()));
  assert.ok(marked.includes(quoted.trim().slice(0, 20)), `${quoted} is among ${marked}`);
  assert.ok(await page.locator('.source mark').first().isVisible());
  await close();
});

test('the whole journey by keyboard', async () => {
  const { page, go, close } = await open(reading);
  await go('/health');
  await page.keyboard.press('/');
  await page.waitForURL((url) => url.pathname === '/');
  await page.waitForFunction(() => document.activeElement?.id === 'q');
  await page.keyboard.type(QUESTION);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.sentence');
  await page.keyboard.press('j');
  assert.ok(await page.$eval('.sentence', (sentence) => sentence === document.activeElement), 'the first sentence is chosen');
  assert.ok(await page.$eval('#e1', (evidence) => evidence.classList.contains('tied')), 'and tied to its evidence');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.source mark');
  assert.equal(await markedText(page), bytesOf(page.url()));
  await page.goBack();
  await page.waitForSelector('.sentence');
  await page.keyboard.press('w');
  await page.waitForURL((url) => url.pathname.startsWith('/claim/'));
  await page.keyboard.press('?');
  assert.ok(await page.$eval('#keys', (keys) => keys.open));
  await go('/review');
  const first = await page.textContent('#question');
  await page.keyboard.press('j');
  await page.waitForURL((url) => url.search.includes('n=2'));
  assert.notEqual(await page.textContent('#question'), first);
  await page.keyboard.press('k');
  await page.waitForURL((url) => url.search.includes('n=1'));
  // And by the tab key alone, from the first link on.
  await go(ASKED);
  for (let tries = 0; tries < 60; tries++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.matches('a.passage'))) break;
  }
  await page.keyboard.press('Enter');
  await page.waitForSelector('.source mark');
  await close();
});

test('the same with no script at all', async () => {
  const { page, go, close } = await open(reading, { javaScriptEnabled: false });
  await go('/');
  await page.fill('#q', QUESTION);
  await page.click('form.ask button');
  await page.click('.evidence a.passage');
  await page.waitForURL((url) => url.pathname.startsWith('/note/'));
  assert.ok((await page.content()).includes('<mark id="mark">'));
  await go('/verify');
  await page.fill('#text', 'Anna works at Aldersea ([[Anna Brandt]]).');
  await page.click('form.paste button');
  assert.ok((await page.textContent('.sentences')).includes('Aldersea'));
  await go('/?q=Anna');
  await page.click('summary:has-text("Filters")');
  await go('/review');
  await page.click('a[rel=next]');
  await page.waitForURL((url) => url.search.includes('n=2'));
  await close();
  const decided = await open(deciding, { javaScriptEnabled: false });
  await decided.go('/review?kind=stale');
  await decided.page.click('#choices button');
  await decided.page.waitForURL((url) => url.search.includes('done='));
  assert.match(await decided.page.textContent('.good-notice'), /You decided: .*\S/s);
  assert.match(readFileSync(join(vault, '.memora/decisions.jsonl'), 'utf8'), /"do":"\w+"/);
  await decided.page.click('#undo button');
  await decided.page.waitForSelector('.good-notice:has-text("You took back")');
  await decided.close();
});

test('a review is decided and undone by keys, each in one line', async () => {
  const decisions = join(vault, '.memora/decisions.jsonl');
  const lines = () => (existsSync(decisions) ? readFileSync(decisions, 'utf8').trim().split('\n') : []);
  const { page, go, close } = await open(deciding);
  await go('/review?kind=aging');
  const [question, made] = [await page.textContent('#question'), lines().length];
  await page.keyboard.press('1');
  await page.waitForURL((url) => url.search.includes('done='));
  assert.equal(lines().length, made + 1);
  assert.notEqual(await page.textContent('#question'), question, 'it is not asked again');
  await page.keyboard.press('u');
  await page.waitForSelector('.good-notice:has-text("You took back")');
  assert.equal(lines().length, made + 2);
  await go('/review?kind=aging');
  assert.equal(await page.textContent('#question'), question, 'and asked again once it is undone');
  await go('/memory');
  await page.click('.memory form:has(input[value=forget]) button');
  await page.waitForSelector('.good-notice:has-text("It is forgotten")');
  await page.click('#undo button');
  await page.waitForSelector('.good-notice:has-text("It is remembered again")');
  await close();
  rmSync(decisions, { force: true });
});

const PAGES = ['/', ASKED, ASKED + '&as=cloud', '/?q=Who+keeps+bees+on+the+moon%3F', '/note/people/Anna%20Brandt.md', '/note/Hostile.md',
  '/entity/drift', '/entity/Anna', '/entity/Nobody', '/review?kind=aging', '/memory', '/privacy', '/prompt?q=Where+does+Anna+work%3F',
  '/verify', '/health', '/nowhere'];

/** Fails on whatever axe finds, in light and in dark, and on a page that is wider than its window. */
const examine = async (page, name) => {
  await page.$$eval('details', (all) => { for (const one of all) one.open = true; });
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.html} ${node.failureSummary}`).join(' | ')}`);
    assert.deepEqual(told, [], `${name} in ${colorScheme}`);
  }
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${name} at ${width} is ${overflow} too wide`);
  }
};

test('no page has anything that axe finds, in light and dark, wide and narrow', async () => {
  const { page, go, close } = await open(reading);
  for (const path of PAGES) {
    await go(path);
    await examine(page, path);
  }
  await go('/verify');
  await page.fill('#text', 'Anna works at Aldersea ([[Anna Brandt]]). Anna works at Tidewell since May 2025 ([[Anna Brandt]]). The moon is cheese.');
  await page.click('form.paste button');
  await page.waitForSelector('.sentence');
  await examine(page, 'verdicts');
  await close();
  const decides = await open(deciding);
  for (const path of ['/review?kind=stale', '/memory']) {
    await decides.go(path);
    await examine(decides.page, `${path}, deciding`);
  }
  await decides.go(ASKED);
  await decides.page.click('.evidence a.why');
  await decides.page.waitForURL((url) => url.pathname.startsWith('/claim/'));
  await examine(decides.page, 'a claim, deciding');
  await decides.close();
});

test('what stands in a note does not run, whatever it is', async () => {
  const { page, go, close } = await open(reading);
  for (const path of ['/note/Hostile.md', '/?q=Where+does+the+heron+work%3F', '/entity/heron', '/health', '/privacy']) {
    await go(path);
    assert.equal(await page.$$eval('main img, main script, main iframe, main a[href^="javascript"]', (all) => all.length), 0, path);
  }
  await go('/note/Hostile.md');
  assert.ok((await page.textContent('.source')).includes('<img src=x onerror="alert(1)">'));
  await close();
  // Nor could it, if it were markup: the policy takes no string for markup, no handler, and no script without the nonce.
  const other = await open(reading);
  await other.go('/health');
  const taken = await other.page.evaluate(() => {
    const tries = {
      markup: () => { document.body.innerHTML = '<img src=x>'; },
      handler: () => document.body.setAttribute('onclick', 'globalThis.ran = true'),
      script: () => { const made = document.createElement('script'); made.text = 'globalThis.ran = true'; document.body.append(made); },
      evaluated: () => setTimeout('globalThis.ran = true', 0),
    };
    return Object.entries(tries).filter(([, act]) => { try { act(); return true; } catch { return false; } }).map(([name]) => name);
  });
  assert.deepEqual(taken, []);
  assert.equal(await other.page.evaluate(() => globalThis.ran), undefined);
  await other.context.close();
});

test('a name that is rebound to this machine is refused', async () => {
  const rebound = await chromium.launch({ executablePath, args: [...flags, '--host-resolver-rules=MAP evil.test 127.0.0.1'] });
  const context = await rebound.newContext();
  const page = await context.newPage();
  const { port } = new URL(reading.origin);
  // The attacker may even know the session.
  await context.addCookies(reading.cookies.map((cookie) => ({ ...cookie, domain: 'evil.test' })));
  for (const path of ['/', '/health', '/note/people/Anna%20Brandt.md', '/in', '/fresh']) {
    const reply = await page.goto(`http://evil.test:${port}${path}`);
    assert.equal(reply.status(), 421, path);
    assert.ok(!(await reply.text()).includes('Anna'));
  }
  await rebound.close();
});

test('a page of another port or name learns nothing and changes nothing', async () => {
  const attack = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>x</title><body>'));
  await new Promise((resolve) => attack.listen(0, '127.0.0.1', resolve));
  const { port } = attack.address();
  const now = picture();
  const { page, context, wrong } = await open(deciding);
  await page.goto(deciding.origin + '/health');
  const claim = await (async () => {
    await page.goto(deciding.origin + ASKED);
    return (await page.getAttribute('.evidence a.why', 'href')).replace('/claim/', '');
  })();
  for (const host of ['127.0.0.1', 'localhost', 'evil.localhost']) {
    await page.goto(`http://${host}:${port}/`);
    const learned = await page.evaluate(async ({ origin, claim }) => {
      const told = {};
      const read = async (name, how) => { try { const reply = await how(); told[name] = `${reply.type} ${reply.status} ${await reply.text()}`; } catch (error) { told[name] = error.name; } };
      await read('fetch', () => fetch(origin + '/health', { credentials: 'include' }));
      await read('fetch with a header', () => fetch(origin + '/health', { credentials: 'include', headers: { 'X-Token': 'x' } }));
      await read('no-cors', () => fetch(origin + '/health', { mode: 'no-cors', credentials: 'include' }));
      await read('post', () => fetch(origin + '/decide', { method: 'POST', mode: 'no-cors', credentials: 'include', body: new URLSearchParams({ act: 'retract', claim, token: '' }) }));
      await read('entrance', () => fetch(origin + '/in', { method: 'POST', credentials: 'include', body: new URLSearchParams({ once: 'x' }) }));
      const load = (name, tag, key) => new Promise((resolve) => {
        const element = document.createElement(tag);
        element.onload = () => { told[name] = 'loaded'; resolve(); };
        element.onerror = () => { told[name] = 'error'; resolve(); };
        element[key] = origin + (tag === 'img' ? '/a/x/icon.svg' : '/health');
        if (tag === 'link') element.rel = 'stylesheet';
        document.body.append(element);
        if (tag === 'iframe') setTimeout(resolve, 700);
      });
      await load('script', 'script', 'src');
      await load('style', 'link', 'href');
      await load('image', 'img', 'src');
      await load('frame', 'iframe', 'src');
      told.inside = (() => { try { return document.querySelector('iframe').contentDocument?.body.textContent || 'nothing'; } catch (error) { return error.name; } })();
      const opened = window.open(origin + '/health');
      await new Promise((resolve) => setTimeout(resolve, 700));
      told.opened = (() => { try { return opened === null || opened.closed ? 'severed' : opened.document.body.textContent; } catch (error) { return error.name; } })();
      return told;
    }, { origin: deciding.origin, claim });
    const all = JSON.stringify(learned);
    for (const word of ['vault', 'Health', 'index', 'Checks', 'lexical']) assert.ok(!all.includes(word), `${host}: ${all}`);
    assert.match(learned.fetch, /TypeError/);
    assert.deepEqual([learned.script, learned.style, learned.image], ['error', 'error', 'error'], all);
    // A form that it has the browser send, with the cookie of the session.
    await page.goto(`http://${host}:${port}/`);
    await page.evaluate(({ origin, claim }) => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = origin + '/decide';
      for (const [name, value] of [['act', 'retract'], ['claim', claim], ['token', '']]) {
        const field = document.createElement('input');
        field.name = name;
        field.value = value;
        form.append(field);
      }
      document.body.append(form);
      form.submit();
    }, { origin: deciding.origin, claim });
    await page.waitForURL((url) => url.pathname === '/decide');
    assert.ok((await page.textContent('body')).includes('comes from another site'));
    // A link that it has the user follow leads nowhere, either.
    await page.goto(`http://${host}:${port}/`);
    await page.evaluate((origin) => { location.href = origin + '/health'; }, deciding.origin);
    await page.waitForURL((url) => url.pathname === '/health');
    assert.ok((await page.textContent('body')).includes('comes from another site'));
  }
  assert.deepEqual(picture(), now, 'nothing was decided');
  await context.close();
  attack.close();
  assert.deepEqual(wrong.filter((what) => what.startsWith('asked')), []);
});

/** A server of an attacker on this machine: what it was sent as cookies, and what it answers. */
const attacker = async (answer, port = 0) => {
  const cookies = [];
  const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
    cookies.push(request.headers.cookie ?? '');
    answer(request, response);
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });
  return { port: server.address().port, cookies, close };
};
const html = (response, body, headers = {}) => response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(`<!doctype html><title>x</title>${body}`);

test('another port is sent no session, and sets no cookie that we are sent', async () => {
  const set = ['HttpOnly', 'HttpOnly; Domain=localhost'].flatMap((how) => Array.from({ length: 40 }, (_, at) => `junk-${at}-${how.length}=${'x'.repeat(900)}; Path=/; ${how}`));
  const attack = await attacker((_, response) => html(response, '', { 'Set-Cookie': set }));
  const { page, go, close } = await open(reading);
  const plain = await serve(['--plain-address']);
  await go('/health');
  for (const host of ['127.0.0.1', 'localhost', 'evil.localhost', `evil.${new URL(reading.origin).hostname}`]) {
    // A whole window, as a link or another program opens it: the cookie is strict, and the site would be the same but for our name.
    await page.goto(`http://${host}:${attack.port}/`);
    await page.evaluate(() => { location.href = '/again'; });
    await page.waitForURL((url) => url.pathname === '/again');
  }
  assert.ok(attack.cookies.length >= 8);
  assert.deepEqual(attack.cookies.filter((sent) => sent.includes('memora')), []);
  // With all that it set, we are sent the session alone, and nobody is locked out.
  const reply = await page.goto(reading.origin + '/health');
  const { cookie } = await reply.request().allHeaders();
  assert.match(cookie, new RegExp(`^memora-${new URL(reading.origin).port}=[0-9a-f]{64}$`));
  assert.equal(reply.status(), 200);
  await close();
  // With the plain address it is as it always was with ports: that is why it wants to be asked for.
  const other = await browser.newContext();
  const window = await other.newPage();
  await window.goto(plain.address);
  await window.waitForURL((url) => url.pathname === '/');
  await window.goto(`http://127.0.0.1:${attack.port}/`);
  assert.ok(attack.cookies.some((sent) => sent.includes(`memora-${new URL(plain.origin).port}`)), 'the attack is one');
  await other.close();
  plain.child.kill('SIGINT');
  await attack.close();
});

test('what had the port before leaves nothing in the browser that we are taken for', async () => {
  const worker = 'self.addEventListener("fetch", (event) => event.respondWith(new Response("stolen", { headers: { "Content-Type": "text/html" } })));';
  const kept = { 'Cache-Control': 'public, max-age=31536000, immutable' };
  const answer = (withWorker) => (request, response) => {
    if (request.url === '/worker.js') return response.writeHead(200, { 'Content-Type': 'text/javascript', ...kept }).end(worker);
    return html(response, withWorker ? '<script>navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => { document.title = "ready"; })</script>' : 'stolen', kept);
  };
  for (const [args, withWorker] of [[[], true], [['--plain-address'], false]]) {
    const attack = await attacker(answer(withWorker));
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${attack.port}/`);
    if (withWorker) await page.waitForFunction(() => document.title === 'ready');
    await attack.close();
    const server = await serve([...args, '--port', String(attack.port)]);
    await page.goto(server.address);
    await page.waitForURL((url) => url.origin === server.origin && url.pathname === '/');
    assert.ok(await page.isVisible('#q'), `${args}: ${await page.content()}`);
    assert.equal(await page.evaluate(() => navigator.serviceWorker?.controller ?? null), null);
    await context.close();
    server.child.kill('SIGINT');
  }
});

test('--open hands the browser a file that others cannot read, and no address in an argument', async () => {
  const bin = mkdtempSync(join(home, 'bin-'));
  const told = join(bin, 'told');
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${told}.new' && mv '${told}.new' '${told}'\n`);
  chmodSync(join(bin, 'xdg-open'), 0o755);
  const server = await serve(['--open'], { PATH: bin + delimiter + process.env.PATH, MEMORA_STATE_DIR: join(home, 'state') });
  for (let tries = 0; tries < 100 && !existsSync(told); tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  const file = readFileSync(told, 'utf8').trim();
  assert.ok(!file.includes('once') && file.endsWith('.html'), file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto('file://' + file);
  await page.waitForURL((url) => url.origin === server.origin && url.pathname === '/');
  assert.ok(await page.isVisible('#q'));
  assert.match((await context.cookies())[0].name, new RegExp(`^memora-${new URL(server.origin).port}$`));
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.expires], [true, 'Strict', -1]);
  // Once is once: another window with the same file stays outside.
  const other = await browser.newContext();
  const outside = await other.newPage();
  await outside.goto('file://' + file);
  await outside.waitForURL((url) => url.origin === server.origin);
  await outside.waitForSelector('text=works once');
  await context.close();
  await other.close();
  const ended = new Promise((resolve) => server.child.on('exit', resolve));
  server.child.kill('SIGINT');
  assert.equal(await ended, 0, 'Ctrl-C ends it');
  assert.ok(!existsSync(file), 'and the file goes with it');
});

test('after all of it, the vault is what it was', () => {
  const now = picture();
  const before = Object.fromEntries(Object.entries(beginning).filter(([path]) => !path.includes('/Memora/') && !path.includes('.memora')));
  const after = Object.fromEntries(Object.entries(now).filter(([path]) => !path.includes('/Memora/') && !path.includes('.memora')));
  assert.deepEqual(after, before);
});
