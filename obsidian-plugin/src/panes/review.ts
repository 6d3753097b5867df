// The pane that lists what may no longer hold. It decides nothing: it says which command does.

import { Pane } from './pane';
import { drawClaim } from './draw';
import type { ReviewReport } from '../protocol';

export const REVIEW_VIEW = 'memora-review';
const LIMIT = 12;
const WRITE = 'memora review --write';
const APPLY = 'memora review --apply';

export class ReviewPane extends Pane {
  getViewType(): string {
    return REVIEW_VIEW;
  }

  getDisplayText(): string {
    return 'Review';
  }

  override getIcon(): string {
    return 'list-checks';
  }

  protected override async onOpen(): Promise<void> {
    this.contentEl.empty();
    this.contentEl.addClass('memora-pane');
    const bar = this.contentEl.createDiv({ cls: 'memora-buttons' });
    bar.createEl('button', { text: 'Look again' }).addEventListener('click', () => void this.refresh());
    this.body = this.contentEl.createDiv();
    // The leaf is shown before the answer is there.
    void this.refresh();
    return Promise.resolve();
  }

  async refresh(): Promise<void> {
    await this.show('memora/review', { limit: LIMIT }, (el, report) => this.draw(el, report));
  }

  private draw(el: HTMLElement, report: ReviewReport): void {
    const all = report.found.reduce((sum, { count }) => sum + count, 0);
    if (report.items.length === 0) return void el.createEl('p', { text: 'Nothing to review.' });
    el.createEl('p', { text: `${report.items.length} of ${all}: ${report.found.map(({ kind, count }) => `${count} ${kind}`).join(', ')}` });
    const how = el.createEl('p', { cls: 'memora-quiet' });
    how.appendText('Nothing is decided here. In a terminal, ');
    how.createEl('code', { text: WRITE });
    how.appendText(' makes a note with boxes to tick, and ');
    how.createEl('code', { text: APPLY });
    how.appendText(' decides what is ticked.');
    for (const item of report.items) {
      const box = el.createDiv({ cls: 'memora-item' });
      box.createDiv({ cls: 'memora-question', text: item.question });
      box.createDiv({ cls: 'memora-quiet', text: `${item.kind}: ${item.why}` });
      for (const claim of item.claims) drawClaim(box, claim, this.host.opener);
      box.createDiv({ text: item.advice });
      if (item.choices.length > 0) {
        box.createDiv({ cls: 'memora-quiet', text: `Choices: ${item.choices.map(({ tick }) => tick).join(' · ')}` });
      }
    }
  }
}
