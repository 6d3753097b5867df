// The pane that lists what the open note states, and what of it holds.

import { Pane } from './pane';
import { drawClaim } from './draw';

export const NOTE_VIEW = 'memora-note';
const LIMIT = 200;

export class NotePane extends Pane {
  getViewType(): string {
    return NOTE_VIEW;
  }

  getDisplayText(): string {
    return 'About this note';
  }

  override getIcon(): string {
    return 'file-check';
  }

  protected override async onOpen(): Promise<void> {
    this.contentEl.empty();
    this.contentEl.addClass('memora-pane');
    this.body = this.contentEl.createDiv();
    this.registerEvent(this.app.workspace.on('file-open', () => void this.refresh()));
    void this.refresh();
    return Promise.resolve();
  }

  async refresh(): Promise<void> {
    const file = this.app.workspace.getActiveFile();
    if (file?.extension !== 'md') {
      this.forget();
      this.body.empty();
      this.body.createEl('p', { cls: 'memora-quiet', text: 'No note is open.' });
      return;
    }
    await this.show('memora/note', { path: file.path, limit: LIMIT }, (el, { claims, more }) => {
      el.createEl('h6', { text: file.basename });
      const past = claims.filter(({ status }) => status !== 'current').length;
      const counted = claims.length === 1 ? '1 statement' : `${claims.length} statements`;
      el.createEl('p', { text: `${counted}${more ? ' at least' : ''}${past > 0 ? `, ${past} of them not current` : ''}` });
      for (const claim of claims) drawClaim(el, claim, this.host.opener);
    });
  }
}
