// The pane in which the notes are asked.

import { Pane } from './pane';
import { drawAnswer } from './draw';

export const ASK_VIEW = 'memora-ask';
const QUESTION_MAX = 1_000;

export class AskPane extends Pane {
  private input: HTMLInputElement | null = null;

  getViewType(): string {
    return ASK_VIEW;
  }

  getDisplayText(): string {
    return 'Ask the notes';
  }

  override getIcon(): string {
    return 'message-circle-question';
  }

  protected override async onOpen(): Promise<void> {
    this.contentEl.empty();
    this.contentEl.addClass('memora-pane');
    const form = this.contentEl.createEl('form', { cls: 'memora-ask' });
    const label = 'What do you want to know?';
    const input = form.createEl('input', { type: 'text', placeholder: label, attr: { 'aria-label': label, maxlength: `${QUESTION_MAX}` } });
    form.createEl('button', { text: 'Ask', type: 'submit' });
    this.body = this.contentEl.createDiv({ cls: 'memora-answer', attr: { 'aria-live': 'polite' } });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const question = input.value.trim();
      if (question !== '') void this.ask(question);
    });
    this.input = input;
    return Promise.resolve();
  }

  /** Lets the user write; not when it opens, since it opens with the app, too. */
  focusQuestion(): void {
    this.input?.focus();
  }

  /** Asks a question. */
  async ask(question: string): Promise<void> {
    await this.show('memora/ask', { question }, (el, report) => drawAnswer(el, report, this.host.opener));
  }
}
