// Which documents the program knows, and how they change: an editor that shows a note tells of each change.
//
// Rules: where two editors show one note, one of them tells, since a change told twice would be made twice. What is told before the
// program is there is lost: then the text is told whole.

import type { ChangeDesc, ChangeSet, Text } from '@codemirror/state';
import type { Client, Published, Unsubscribe } from '../protocol';
import type { Diagnostic } from '../protocol-types';
import { toContentChanges } from './positions';

/** An editor that shows a document. */
export interface Shown {
  readonly doc: Text;
  /** Takes verdicts on an earlier text of it, with what has changed since. */
  take(diagnostics: readonly Diagnostic[], judged: Text, since: ChangeDesc | null): void;
}

/** A version that was told, and how it came about. */
interface Told {
  version: number;
  doc: Text;
  changes: ChangeDesc | null;
}

/** How many versions are remembered until verdicts on them come. */
const TOLD_MAX = 200;

class Document {
  readonly shown: Shown[] = [];
  private told: Told[] = [];
  private last: Published | null = null;
  private version = 0;

  constructor(private readonly uri: string, private readonly client: Client) {}

  open(): void {
    const [first] = this.shown;
    if (!first) return;
    this.version += 1;
    this.told = [{ version: this.version, doc: first.doc, changes: null }];
    this.last = null;
    const text = first.doc.toString();
    this.client.tell('textDocument/didOpen', { textDocument: { uri: this.uri, languageId: 'markdown', version: this.version, text } });
  }

  change(by: Shown, before: Text, changes: ChangeSet): void {
    if (this.shown[0] !== by) return;
    this.version += 1;
    this.told.push({ version: this.version, doc: by.doc, changes: changes.desc });
    if (this.told.length > TOLD_MAX) this.told.shift();
    this.client.tell('textDocument/didChange', {
      textDocument: { uri: this.uri, version: this.version },
      contentChanges: toContentChanges(before, changes),
    });
  }

  take(published: Published): void {
    const at = this.told.findIndex((told) => told.version === (published.version ?? this.version));
    const judged = this.told[at];
    if (!judged) return;
    this.last = published;
    this.told = this.told.slice(at);
    const since = this.told.slice(1).reduce<ChangeDesc | null>(join, null);
    const now = this.told[this.told.length - 1];
    for (const shown of this.shown) if (now && shown.doc.eq(now.doc)) shown.take(published.diagnostics, judged.doc, since);
  }

  /** Shows an editor that came later what is known. */
  show(shown: Shown): void {
    const [judged] = this.told;
    if (this.last && judged && this.told.length === 1 && shown.doc.eq(judged.doc)) shown.take(this.last.diagnostics, judged.doc, null);
  }

  close(): void {
    this.client.tell('textDocument/didClose', { textDocument: { uri: this.uri } });
  }

  get now(): number {
    return this.version;
  }
}

function join(before: ChangeDesc | null, told: Told): ChangeDesc | null {
  if (!told.changes) return before;
  return before ? before.composeDesc(told.changes) : told.changes;
}

/** The documents that are shown. */
export class Documents {
  private readonly open = new Map<string, Document>();
  private readonly subscriptions: Unsubscribe[];

  constructor(readonly client: Client) {
    this.subscriptions = [
      client.onReady(() => this.open.forEach((document) => document.open())),
      client.onPublished((published) => this.open.get(published.uri)?.take(published)),
    ];
  }

  show(uri: string, shown: Shown): void {
    const known = this.open.get(uri);
    const document = known ?? new Document(uri, this.client);
    document.shown.push(shown);
    this.open.set(uri, document);
    if (known) known.show(shown);
    else document.open();
  }

  change(uri: string, by: Shown, before: Text, changes: ChangeSet): void {
    this.open.get(uri)?.change(by, before, changes);
  }

  hide(uri: string, shown: Shown): void {
    const document = this.open.get(uri);
    if (!document) return;
    const told = document.shown[0] === shown;
    document.shown.splice(document.shown.indexOf(shown), 1);
    if (document.shown.length === 0) {
      document.close();
      this.open.delete(uri);
    } else if (told) {
      document.close();
      document.open();
    }
  }

  /** Tells that a note was saved: other notes may be judged otherwise since. */
  save(uri: string): void {
    if (this.open.has(uri)) this.client.tell('textDocument/didSave', { textDocument: { uri } });
  }

  /** The version that was told last; edits are for one. */
  version(uri: string): number | null {
    return this.open.get(uri)?.now ?? null;
  }

  end(): void {
    this.subscriptions.forEach((unsubscribe) => unsubscribe());
    this.open.forEach((document) => document.close());
    this.open.clear();
  }
}
