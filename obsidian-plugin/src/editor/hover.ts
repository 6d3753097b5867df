// What stands beside words under the pointer: what is wrong with them, the passage they rest on with its receipt, and what can be done.

import type { Extension, Text } from '@codemirror/state';
import { EditorView, type Tooltip, hoverTooltip } from '@codemirror/view';
import type { Hover, Location, Position } from '../protocol-types';
import { type Mend, findMends, makeMend } from './actions';
import { toPosition } from './positions';
import { SEVERITY, type Verdict, host, verdictsAt } from './verdicts';

/** How far behind what is wrong its citation is looked for. */
const BEHIND_MAX = 500;
/** Between the words and what stands beside them, so that the line under them is seen. */
const GAP = 5;

/** Opens a place of a note. */
export type OpenPlace = (place: Location) => void;

/** Shows what is known of the words under the pointer. */
export function hover(open: OpenPlace): Extension {
  return hoverTooltip((view, at) => findTooltip(view, at, open), { hideOnChange: true });
}

async function findTooltip(view: EditorView, at: number, open: OpenPlace): Promise<Tooltip | null> {
  const given = view.state.facet(host);
  const uri = given?.uriOf(view.state) ?? null;
  if (!given || uri === null) return null;
  const [state, verdicts] = [view.state, verdictsAt(view.state, at)];
  const asked = { textDocument: { uri }, position: toPosition(state.doc, at) };
  const { client } = given.documents;
  const cited = verdicts.length > 0 ? citationBehind(state.doc, verdicts) : null;
  const [told, places, receipts] = await Promise.all([
    client.ask('textDocument/hover', asked).catch(() => null),
    client.ask('textDocument/definition', asked).catch(() => null),
    cited ? client.ask('textDocument/hover', { ...asked, position: cited }).catch(() => null) : null,
  ]);
  if (!told && verdicts.length === 0) return null;
  const mends = verdicts.length > 0 ? await findMends(view, at, at).catch(() => []) : [];
  if (view.state.doc !== state.doc) return null;
  const [first] = verdicts;
  return {
    pos: first?.from ?? at,
    end: first?.to ?? at,
    above: true,
    create: () => ({ dom: draw(view, { verdicts, told, receipts, places: places ?? [], mends }, open), offset: { x: 0, y: GAP } }),
  };
}

/** The first citation behind what is wrong: most likely the one that it is measured by. Whether it is, its receipt tells. */
function citationBehind(doc: Text, verdicts: readonly Verdict[]): Position | null {
  const end = Math.max(...verdicts.map(({ to }) => to));
  const at = doc.sliceString(end, Math.min(end + BEHIND_MAX, doc.length)).search(/\[claim:/i);
  return at < 0 ? null : toPosition(doc, end + at + '[claim:'.length);
}

/** The receipt of a place, if a hover has it: the line that begins with the place. */
function receiptOf(place: Location, told: Hover | null): string | null {
  const path = decodeURIComponent(place.uri);
  const lines = told ? plainText(told).split('\n') : [];
  return lines.find((line) => {
    const [named = '', ...more] = line.split(' · ');
    return more.length > 0 && path.endsWith(`/${named.replace(/:\d+$/, '')}`) && named.endsWith(`:${place.range.start.line + 1}`);
  }) ?? null;
}

interface Known {
  verdicts: Verdict[];
  told: Hover | null;
  /** The hover of the citation, where the pointer is not on it. */
  receipts: Hover | null;
  places: Location[];
  mends: Mend[];
}

function draw(view: EditorView, known: Known, open: OpenPlace): HTMLElement {
  const dom = createDiv({ cls: 'memora-hover' });
  for (const { diagnostic } of known.verdicts) {
    dom.createDiv({ cls: `memora-hover-verdict memora-hover-${SEVERITY[diagnostic.severity ?? 1] ?? 'error'}`, text: diagnostic.message });
    for (const { message, location } of diagnostic.relatedInformation ?? []) {
      const quote = dom.createDiv({ cls: 'memora-passage' });
      const words = quote.createDiv({ text: message });
      const receipt = receiptOf(location, known.receipts);
      if (receipt !== null) words.createDiv({ cls: 'memora-place', text: receipt });
      addButton(quote, 'Go there', () => open(location));
    }
  }
  const words = known.told ? plainText(known.told) : '';
  if (words !== '') dom.createDiv({ cls: 'memora-hover-receipt', text: words });
  const buttons = dom.createDiv({ cls: 'memora-buttons' });
  const [place] = known.places;
  if (place) addButton(buttons, 'Go to the cited words', () => open(place));
  for (const mend of known.mends) addButton(buttons, mend.title, () => makeMend(view, mend));
  return dom;
}

function addButton(parent: HTMLElement, text: string, act: () => void): void {
  parent.createEl('button', { text }).addEventListener('click', act);
}

/** The words of a hover, which the program gives as plain text. */
export function plainText({ contents }: Hover): string {
  return typeof contents === 'object' && 'value' in contents ? contents.value : '';
}
