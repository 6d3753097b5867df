// What only the app can show. UNTESTED: see wdio.conf.mjs.

import { $, browser, expect } from '@wdio/globals';

describe('memora in the app', () => {
  it('shows its panes', async () => {
    for (const [command, view] of [['ask', 'memora-ask'], ['review', 'memora-review'], ['about-note', 'memora-note']]) {
      await browser.executeObsidianCommand(`memora:${command}`);
      await expect($(`.workspace-leaf-content[data-type="${view}"]`)).toExist();
    }
  });

  it('answers a question', async () => {
    await browser.executeObsidianCommand('memora:ask');
    await $('.memora-ask input').setValue('Why did drift switch serialization?');
    await $('.memora-ask button').click();
    await expect($('.memora-sentence')).toHaveText(expect.stringContaining('MessagePack'), { wait: 60_000 });
  });

  it('underlines a wrong number', async () => {
    await browser.executeObsidian(async ({ app }) => {
      const text = 'É 😀. JSON parsing is 62 percent of the CPU time of a consumer [claim:2y31qw51c0gk].\n';
      const note = await app.vault.create('In the app.md', text);
      await app.workspace.getLeaf(true).openFile(note, { state: { mode: 'source' } });
    });
    await expect($('.cm-content .memora-verdict')).toHaveText('62 percent', { wait: 60_000 });
  });
});
