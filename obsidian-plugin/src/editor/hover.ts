// What stands beside words under the pointer: what is wrong with them, the passage they rest on with its receipt, and what can be done.

import type { Extension } from '@codemirror/state';
import { EditorView, type Tooltip, hoverTooltip } from '@codemirror/view';
import type { Hover, Location } from '../protocol-types';
import { type Mend, findMends, makeMend } from './actions';
import { toPosition } from './positions';
import { type Verdict, host, verdictsAt } from './verdicts';

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
  const [told, places] = await Promise.all([
    client.ask('textDocument/hover', asked).catch(() => null),
    client.ask('textDocument/definition', asked).catch(() => null),
  ]);
  if (!told && verdicts.length === 0) return null;
  const mends = verdicts.length > 0 ? await findMends(view, at, at).catch(() => []) : [];
  if (view.state.doc !== state.doc) return null;
  const [first] = verdicts;
  return {
    pos: first?.from ?? at,
    end: first?.to ?? at,
    above: true,
    create: () => ({ dom: draw(view, { verdicts, told, places: places ?? [], mends }, open) }),
  };
}

interface Known {
  verdicts: Verdict[];
  told: Hover | null;
  places: Location[];
  mends: Mend[];
}

function draw(view: EditorView, known: Known, open: OpenPlace): HTMLElement {
  const dom = createDiv({ cls: 'memora-hover' });
  for (const { diagnostic } of known.verdicts) {
    dom.createDiv({ cls: 'memora-hover-verdict', text: diagnostic.message });
    for (const { message, location } of diagnostic.relatedInformation ?? []) {
      const quote = dom.createDiv({ cls: 'memora-passage' });
      quote.createSpan({ text: message });
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
