// Verdicts in an editor: what is wrong is underlined, at the characters that are wrong.
//
// Rule: what is underlined moves with the text until the next verdict comes. The program says nothing where its verdicts are as before;
// so what was deleted and is back where it was, as after undo, is underlined again.

import { type ChangeDesc, type EditorState, type Extension, Facet, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { Diagnostic } from '../protocol-types';
import type { Documents, Shown } from './documents';
import { toOffset } from './positions';

/** What the extensions are given: the documents, and the address of the note that an editor shows, if it shows one. */
export interface Host {
  documents: Documents;
  uriOf(state: EditorState): string | null;
}

/** The host of an editor. */
export const host = Facet.define<Host, Host | null>({ combine: (hosts) => hosts[0] ?? null });

/** A verdict where it is now; where its words are gone, `from` is `to`. */
export interface Verdict {
  diagnostic: Diagnostic;
  from: number;
  to: number;
  words: string;
}

interface Verdicts {
  list: readonly Verdict[];
  marks: DecorationSet;
}

/** The classes of severities, which the protocol numbers from 1. */
export const SEVERITY = ['', 'error', 'warning', 'information', 'hint'];

const setVerdicts = StateEffect.define<readonly Verdict[]>();

const field = StateField.define<Verdicts>({
  create: () => ({ list: [], marks: Decoration.none }),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setVerdicts)) return draw(effect.value);
    if (!transaction.docChanged || value.list.length === 0) return value;
    return draw(value.list.map((verdict) => follow(verdict, transaction.changes, transaction.newDoc)));
  },
  provide: (own) => EditorView.decorations.from(own, (value) => value.marks),
});

function follow(verdict: Verdict, changes: ChangeDesc, doc: Text): Verdict {
  const from = changes.mapPos(verdict.from, 1);
  const to = changes.mapPos(verdict.to, -1);
  if (from < to) return { ...verdict, from, to };
  const { start, end } = verdict.diagnostic.range;
  const [first, last] = [toOffset(doc, start), toOffset(doc, end)];
  const isBack = first < last && doc.sliceString(first, last) === verdict.words;
  return { ...verdict, from: isBack ? first : from, to: isBack ? last : from };
}

function draw(list: readonly Verdict[]): Verdicts {
  const shown = list.filter((verdict) => verdict.from < verdict.to);
  const marks = shown.map(({ diagnostic, from, to }) =>
    Decoration.mark({ class: `memora-verdict memora-${SEVERITY[diagnostic.severity ?? 1] ?? 'error'}` }).range(from, to));
  return { list, marks: Decoration.set(marks, true) };
}

/** The verdicts at a place. */
export function verdictsAt(state: EditorState, at: number): Verdict[] {
  return verdictsOf(state).filter((verdict) => verdict.from <= at && at <= verdict.to);
}

/** The verdicts of an editor, in the order of its text. */
export function verdictsOf(state: EditorState): Verdict[] {
  const list = state.field(field, false)?.list ?? [];
  return list.filter((verdict) => verdict.from < verdict.to).sort((a, b) => a.from - b.from);
}

class Teller implements Shown {
  private uri: string | null = null;
  private isGone = false;
  private readonly documents: Documents | null;

  constructor(private readonly view: EditorView) {
    this.documents = view.state.facet(host)?.documents ?? null;
    this.follow();
  }

  get doc(): Text {
    return this.view.state.doc;
  }

  update(update: ViewUpdate): void {
    const before = this.uri;
    this.follow();
    if (before !== null && before === this.uri && update.docChanged) {
      this.documents?.change(before, this, update.startState.doc, update.changes);
    }
  }

  take(diagnostics: readonly Diagnostic[], judged: Text, since: ChangeDesc | null): void {
    const verdicts = diagnostics.map((diagnostic): Verdict => {
      const [from, to] = [toOffset(judged, diagnostic.range.start), toOffset(judged, diagnostic.range.end)];
      const verdict = { diagnostic, from, to, words: judged.sliceString(from, to) };
      return since ? follow(verdict, since, this.doc) : verdict;
    });
    // Not while an update is under way, in which the view takes no other.
    queueMicrotask(() => {
      if (!this.isGone && verdicts.every(({ to }) => to <= this.doc.length)) this.view.dispatch({ effects: setVerdicts.of(verdicts) });
    });
  }

  destroy(): void {
    this.isGone = true;
    if (this.uri !== null) this.documents?.hide(this.uri, this);
  }

  /** Follows the note that is shown: one editor shows one after another. */
  private follow(): void {
    const uri = this.view.state.facet(host)?.uriOf(this.view.state) ?? null;
    if (uri === this.uri) return;
    if (this.uri !== null) {
      this.documents?.hide(this.uri, this);
      this.take([], this.doc, null);
    }
    this.uri = uri;
    if (uri !== null) this.documents?.show(uri, this);
  }
}

/** Underlines what is wrong, and tells the program of each change. */
export function verdicts(of: Host): Extension {
  return [host.of(of), field, ViewPlugin.fromClass(Teller)];
}
