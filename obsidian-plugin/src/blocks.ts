// A question in a note, answered where it stands: a block whose language is `memora`.

import type { Client } from './protocol';
import { type Opener, drawAnswer, drawWhenThere } from './panes/draw';

const QUESTION_MAX = 1_000;

/** Draws a block, whose text is the question. */
export async function drawBlock(source: string, el: HTMLElement, client: Client, opener: Opener): Promise<void> {
  const question = source.trim().replace(/\s+/g, ' ');
  const box = el.createDiv({ cls: 'memora-block' });
  if (question === '' || question.length > QUESTION_MAX) {
    box.createEl('p', { cls: 'memora-quiet', text: 'Write a question into this block.' });
    return;
  }
  box.createDiv({ cls: 'memora-question', text: question });
  const answer = box.createDiv();
  await drawWhenThere(answer, client.ask('memora/ask', { question }), (report) => drawAnswer(answer, report, opener));
}
