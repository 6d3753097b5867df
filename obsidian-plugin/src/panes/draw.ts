// How answers, passages and statements look, in panes and in blocks alike.
//
// Rule: words of notes are set as text, never as markup.

import type { AskReport, Claim, Passage, Place } from '../protocol';

/** Where clicks lead. */
export interface Opener {
  openPlace(place: Place): Promise<void>;
  openLine(path: string, line: number): Promise<void>;
}

/** Draws an answer with the passages that it rests on. */
export function drawAnswer(el: HTMLElement, report: AskReport, opener: Opener): void {
  if (report.answer === null || report.answer === '') {
    el.createEl('p', { text: report.nearest.length > 0 ? 'No note answers this outright. These passages are nearest.' : 'No note answers this.' });
  } else {
    for (const line of report.answer.split('\n')) drawSentence(el, line.replace(/^- /, ''), report.claims, opener);
  }
  if (!report.fresh) el.createEl('p', { cls: 'memora-quiet', text: 'The notes are still being read: ask again in a moment.' });
  for (const claim of report.claims) drawClaim(el, claim, opener);
  if (report.nearest.length > 0) drawNearest(el, report, opener);
}

function drawSentence(el: HTMLElement, line: string, claims: readonly Claim[], opener: Opener): void {
  const sentence = el.createEl('p', { cls: 'memora-sentence' });
  const pieces = line.split(/\[claim:([^\]]*)\]/);
  pieces.forEach((piece, index) => {
    if (index % 2 === 0) return void sentence.appendText(piece);
    for (const id of piece.split(';').map((part) => part.trim())) {
      const place = claims.find(({ claim }) => statement(claim) === statement(id))?.place;
      if (place) drawLink(sentence, `[${noteName(place.path)}]`, `${place.path}:${place.line} · ${bytes(place)}`, () => opener.openPlace(place));
      else sentence.createSpan({ cls: 'memora-quiet', text: `[${id}]` });
    }
  });
}

/** Draws a statement: its words, which lead to them, and its receipt. */
export function drawClaim(el: HTMLElement, claim: Claim, opener: Opener): void {
  const { place } = claim;
  const box = el.createDiv({ cls: 'memora-passage' });
  if (!place) return void box.createSpan({ cls: 'memora-quiet', text: 'its place is not shown' });
  box.createDiv({ text: place.quote });
  const told = box.createDiv({ cls: 'memora-place' });
  drawLink(told, `${place.path}:${place.line}`, 'Open these words', () => opener.openPlace(place));
  told.appendText([bytes(place), ...standing(claim), claim.band].map((part) => ` · ${part}`).join(''));
}

function drawNearest(el: HTMLElement, report: AskReport, opener: Opener): void {
  const details = el.createEl('details', { cls: 'memora-nearest' });
  details.createEl('summary', { text: 'Nearest passages' });
  if (report.claims.length === 0) details.setAttribute('open', '');
  for (const passage of report.nearest) drawPassage(details, passage, opener);
}

function drawPassage(el: HTMLElement, passage: Passage, opener: Opener): void {
  const box = el.createDiv({ cls: 'memora-passage' });
  box.createDiv({ cls: 'memora-place', text: passage.path });
  for (const { text, line, hit } of passage.lines) {
    const row = box.createDiv({ cls: hit ? 'memora-hit' : 'memora-quiet' });
    drawLink(row, text, `${passage.path}:${line}`, () => opener.openLine(passage.path, line));
  }
}

/** What is to be known of a statement beside its words. */
function standing(claim: Claim): string[] {
  return [
    ...(claim.status === 'current' ? [] : [claim.status]),
    ...(claim.valid_from ? [`since ${claim.valid_from}`] : []),
    ...(claim.valid_until ? [`until ${claim.valid_until}`] : []),
    ...(claim.captured ? ['in a note that a machine wrote'] : []),
  ];
}

function drawLink(el: HTMLElement, text: string, title: string, open: () => Promise<void>): void {
  const link = el.createEl('a', { cls: 'memora-link', text, href: '#', title });
  link.addEventListener('click', (event) => {
    event.preventDefault();
    void open();
  });
}

function bytes({ start, end, hash }: Place): string {
  return `bytes ${start}–${end} · blake3 ${hash.slice(0, 8)}…`;
}

function noteName(path: string): string {
  return (path.split('/').pop() ?? path).replace(/\.md$/, '');
}

/** The statement that an id names: `7h3kq0v9x2ma` of `7h3kq0v9x2ma.4t`. */
function statement(id: string): string {
  return id.split('.')[0] ?? id;
}

/** Shows what an answer comes to, and while it is waited for, that it is. */
export async function drawWhenThere<T>(el: HTMLElement, answer: Promise<T>, draw: (answer: T) => void): Promise<void> {
  el.empty();
  el.createEl('p', { cls: 'memora-quiet', text: 'Reading the notes…' });
  const [found, error] = await answer.then((there) => [there, null] as const, (failed: unknown) => [null, failed] as const);
  el.empty();
  if (found !== null) draw(found);
  else el.createEl('p', { cls: 'memora-failed', text: error instanceof Error ? error.message : String(error) });
}
