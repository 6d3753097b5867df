// What the panes have in common: a client to ask, and somewhere to lead to.

import { ItemView, type WorkspaceLeaf } from 'obsidian';
import type { Client, Requests } from '../protocol';
import { type Opener, drawWhenThere } from './draw';

/** What a pane is given. */
export interface PaneHost {
  client: Client;
  opener: Opener;
}

/** A pane that shows the answer to its last request. */
export abstract class Pane extends ItemView {
  protected body: HTMLElement = this.contentEl;
  private asked = 0;

  constructor(leaf: WorkspaceLeaf, protected readonly host: PaneHost) {
    super(leaf);
    this.navigation = false;
  }

  protected override async onClose(): Promise<void> {
    this.forget();
    return Promise.resolve();
  }

  /** Asks, and draws the answer unless something else was asked since. */
  protected async show<M extends keyof Requests>(method: M, params: Requests[M][0], draw: (el: HTMLElement, answer: Requests[M][1]) => void): Promise<void> {
    this.asked += 1;
    const [own, body] = [this.asked, createDiv()];
    this.body.empty();
    this.body.append(body);
    await drawWhenThere(body, this.host.client.ask(method, params), (answer) => {
      if (own === this.asked) draw(body, answer);
    });
  }

  /** Forgets what is being asked for. */
  protected forget(): void {
    this.asked += 1;
  }
}
