// Bytes of a file, and lines and columns of an editor, which counts in UTF-16 and knows no byte order mark and no CR.

import { blake3 } from '@noble/hashes/blake3';
import { bytesToHex } from '@noble/hashes/utils';

/** A place in an editor; line and column begin with 0. */
export interface Spot {
  line: number;
  ch: number;
}

/** Finds where a range of bytes is; `null` if it cuts a character, or is not in the file. */
export function spotsOfBytes(bytes: Uint8Array, start: number, end: number): { from: Spot; to: Spot } | null {
  if (start > end || end > bytes.length) return null;
  const [before, within] = [read(bytes.subarray(0, start)), read(bytes.subarray(start, end))];
  if (before === null || within === null) return null;
  return { from: spotBehind(before, bytes[start]), to: spotBehind(before + within, bytes[end]) };
}

/** Finds the bytes of a range of an editor, in the file as it was saved; `null` if the file has no such place. */
export function bytesOfSpots(bytes: Uint8Array, from: Spot, to: Spot): { start: number; end: number } | null {
  const text = read(bytes);
  if (text === null) return null;
  const [start, end] = [offsetOf(text, from), offsetOf(text, to)];
  if (start === null || end === null || start >= end) return null;
  const encoder = new TextEncoder();
  return { start: encoder.encode(text.slice(0, start)).length, end: encoder.encode(text.slice(0, end)).length };
}

/** Hashes bytes as a citation does. */
export function hashBytes(bytes: Uint8Array): string {
  return bytesToHex(blake3(bytes));
}

const BREAK = /\r\n|\n|\r/g;
const LF = 10;

function read(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function spotBehind(text: string, next: number | undefined): Spot {
  // A break that is cut in two has not ended its line yet.
  const lines = (next === LF ? text.replace(/\r$/, '') : text).split(BREAK);
  const last = lines[lines.length - 1] ?? '';
  const mark = lines.length === 1 && last.startsWith('\uFEFF') ? 1 : 0;
  return { line: lines.length - 1, ch: last.length - mark };
}

function offsetOf(text: string, spot: Spot): number | null {
  let begin = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 0;
  for (const found of text.matchAll(BREAK)) {
    if (line === spot.line) return inLine(begin, found.index, spot.ch);
    begin = found.index + found[0].length;
    line += 1;
  }
  return line === spot.line ? inLine(begin, text.length, spot.ch) : null;
}

function inLine(begin: number, end: number, ch: number): number | null {
  return begin + ch <= end ? begin + ch : null;
}
