// What the plugin and `memora lsp` tell each other: the protocol's own requests, and ours, whose answers have the shapes of `--json`.
//
// Rule: nothing here knows Obsidian, Node or a process, so that the editor's half runs in a plain browser, too.

import type {
  CodeAction, CodeActionParams, CompletionList, Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
  DidOpenTextDocumentParams, DidSaveTextDocumentParams, Hover, Location, TextDocumentPositionParams,
} from './protocol-types';

/** Words of a note, by bytes of its file. */
export interface Place {
  path: string;
  line: number;
  column: number;
  start: number;
  end: number;
  /** BLAKE3 of these bytes, in hexadecimal digits. */
  hash: string;
  quote: string;
}

/** A statement of a note. */
export interface Claim {
  claim: string;
  band: string;
  status: string;
  phase: string | null;
  context: string[];
  captured: boolean;
  place: Place | null;
  valid_from: string | null;
  valid_until: string | null;
}

/** A part of a note that is near to a question. */
export interface Passage {
  path: string;
  context: string[];
  lines: { claim: string; text: string; line: number; hit: boolean }[];
}

/** An answer in the words of the notes. */
export interface AskReport {
  answer: string | null;
  claims: Claim[];
  nearest: Passage[];
  fresh: boolean;
}

/** Something that wants a person's eye. */
export interface ReviewItem {
  kind: string;
  question: string;
  why: string;
  advice: string;
  claims: Claim[];
  choices: { tick: string }[];
}

/** What wants a person's eye. */
export interface ReviewReport {
  items: ReviewItem[];
  found: { kind: string; count: number }[];
}

/** The statements of a note. */
export interface ClaimsReport {
  claims: Claim[];
  fresh: boolean;
  more: boolean;
}

/** How the notes are indexed. */
export interface StatusReport {
  fresh: boolean;
  pending: number;
  statements: number;
}

/** What can be asked: parameters and answer of each request. */
export interface Requests {
  'memora/ask': [{ question: string; limit?: number }, AskReport];
  'memora/review': [{ limit?: number }, ReviewReport];
  'memora/note': [{ path: string; limit?: number }, ClaimsReport];
  'memora/status': [Record<string, never>, StatusReport];
  'textDocument/hover': [TextDocumentPositionParams, Hover | null];
  'textDocument/definition': [TextDocumentPositionParams, Location[] | null];
  'textDocument/completion': [TextDocumentPositionParams, CompletionList | null];
  'textDocument/codeAction': [CodeActionParams, CodeAction[] | null];
}

/** What is told without an answer. */
export interface Notices {
  'textDocument/didOpen': DidOpenTextDocumentParams;
  'textDocument/didChange': DidChangeTextDocumentParams;
  'textDocument/didSave': DidSaveTextDocumentParams;
  'textDocument/didClose': DidCloseTextDocumentParams;
}

/** The verdicts on a version of a document. */
export interface Published {
  uri: string;
  version?: number;
  diagnostics: Diagnostic[];
}

/** Ends a subscription. */
export type Unsubscribe = () => void;

/** A program that answers. */
export interface Client {
  /** Asks; waits until the program is there. */
  ask<M extends keyof Requests>(method: M, params: Requests[M][0]): Promise<Requests[M][1]>;
  /** Tells; what is told while there is no program is lost, so tell it again in `onReady`. */
  tell<M extends keyof Notices>(method: M, params: Notices[M]): void;
  /** Calls whenever verdicts come. */
  onPublished(listener: (published: Published) => void): Unsubscribe;
  /** Calls whenever the program is there, now or after a restart, and knows no document. */
  onReady(listener: () => void): Unsubscribe;
}
