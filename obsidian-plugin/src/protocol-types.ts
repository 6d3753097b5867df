// The types of the Language Server Protocol that are used; types alone, so that nothing of the package is packed.

import type { CodeActionContext, Position, Range, TextDocumentItem } from 'vscode-languageserver-types';

export type {
  CodeAction, CompletionItem, CompletionList, Diagnostic, Hover, Location, Position, Range, TextEdit,
} from 'vscode-languageserver-types';

interface Identified { textDocument: { uri: string } }

export interface TextDocumentPositionParams extends Identified { position: Position }
export interface CodeActionParams extends Identified { range: Range; context: CodeActionContext }
export interface DidOpenTextDocumentParams { textDocument: TextDocumentItem }
export interface DidChangeTextDocumentParams {
  textDocument: { uri: string; version: number };
  contentChanges: { range: Range; text: string }[];
}
export type DidCloseTextDocumentParams = Identified;
export type DidSaveTextDocumentParams = Identified;
