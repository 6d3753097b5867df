// `memora lsp` as a child: started, asked over its pipes, started again when it ends by itself, ended with the plugin.
//
// Rule: no Obsidian in here. What is started, and how, is given by the caller.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { type MessageConnection, StreamMessageReader, StreamMessageWriter, createMessageConnection } from 'vscode-jsonrpc/node.js';
import type { Client, Notices, Published, Requests, Unsubscribe } from './protocol';

/** How the program is to be started. */
export interface Start {
  spawn(): ChildProcessWithoutNullStreams;
  /** Whether sentences that cite by links are judged, too. */
  links(): boolean;
  /** Waits before each further try, in milliseconds; as many as there are. */
  waits?: readonly number[];
  /** Called once when it is given up, with what the user is told. */
  onGivenUp(why: string): void;
}

const WAITS = [1_000, 4_000, 16_000];
/** What has run as long as this has not failed at once: it has all its tries again. */
const STEADY_MS = 60_000;
const SHAKE_MS = 15_000;
const END_MS = 2_000;

/** The arguments of the program for a vault. Whoever uses Obsidian reads what it shows: nothing of it leaves this machine by us. */
export function programArguments(vault: string): string[] {
  return ['--vault', vault, 'lsp', '--client', 'local'];
}

/** The program, as long as the plugin is loaded. */
export class Server implements Client {
  private connection: MessageConnection | null = null;
  private child: ChildProcessWithoutNullStreams | null = null;
  private waiting: { resolve: (connection: MessageConnection) => void; reject: (error: Error) => void }[] = [];
  private failure: string | null = null;
  private tries = 0;
  private timer: number | null = null;
  private readonly published = new Set<(published: Published) => void>();
  private readonly ready = new Set<() => void>();

  constructor(private readonly how: Start) {
    this.begin();
  }

  /** The id of the process, if there is one. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  async ask<M extends keyof Requests>(method: M, params: Requests[M][0]): Promise<Requests[M][1]> {
    const connection = await this.connected();
    return connection.sendRequest<Requests[M][1]>(method, params);
  }

  tell<M extends keyof Notices>(method: M, params: Notices[M]): void {
    // What cannot be told any more is told again to the next process.
    this.connection?.sendNotification(method, params).catch(() => undefined);
  }

  onPublished(listener: (published: Published) => void): Unsubscribe {
    this.published.add(listener);
    return () => this.published.delete(listener);
  }

  onReady(listener: () => void): Unsubscribe {
    this.ready.add(listener);
    if (this.connection) listener();
    return () => this.ready.delete(listener);
  }

  /** Ends the program: it is asked to, its input is closed, and after two seconds it is killed. */
  end(): void {
    if (this.timer !== null) window.clearTimeout(this.timer);
    this.timer = null;
    this.refuse('memora was ended');
    const [child, connection] = [this.child, this.connection];
    this.child = this.connection = null;
    if (!child) return;
    const kill = window.setTimeout(() => child.kill(), END_MS);
    child.once('close', () => window.clearTimeout(kill));
    const close = () => { child.stdin.end(); };
    if (!connection) return close();
    connection.sendRequest('shutdown').then(() => connection.sendNotification('exit')).then(close, close);
  }

  /** Ends it, and starts what is to be started now. */
  restart(): void {
    this.end();
    this.failure = null;
    this.tries = 0;
    this.begin();
  }

  private connected(): Promise<MessageConnection> {
    if (this.connection) return Promise.resolve(this.connection);
    if (this.failure !== null) return Promise.reject(new Error(this.failure));
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  private begin(): void {
    const begun = Date.now();
    let said = '';
    let child: ChildProcessWithoutNullStreams;
    try {
      child = this.how.spawn();
    } catch (error) {
      return this.giveUp(error instanceof Error ? error.message : String(error));
    }
    this.child = child;
    const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    const over = (why: string) => {
      // What was ended, or has been told of once, is not started again.
      if (this.child !== child) return;
      this.child = this.connection = null;
      connection.dispose();
      this.again(why, Date.now() - begun);
    };
    child.stderr.setEncoding('utf8').on('data', (data: string) => { said = (said + data).slice(-2_000); });
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => over(error.message));
    child.on('close', (code) => over(lastLine(said) || `it ended with ${code ?? 'a signal'}`));
    connection.onError(() => child.kill());
    connection.onNotification('textDocument/publishDiagnostics', (published: Published) => {
      for (const listener of this.published) listener(published);
    });
    connection.listen();
    void this.shakeHands(connection, child);
  }

  private async shakeHands(connection: MessageConnection, child: ChildProcessWithoutNullStreams): Promise<void> {
    const late = window.setTimeout(() => child.kill(), SHAKE_MS);
    try {
      const hello = await connection.sendRequest<{ serverInfo?: { name: string } }>('initialize', {
        processId: process.pid,
        rootUri: null,
        capabilities: CAPABILITIES,
        initializationOptions: { links: this.how.links() },
      });
      if (hello.serverInfo?.name !== 'memora') throw new Error('this is not memora');
      await connection.sendNotification('initialized', {});
    } catch {
      child.kill();
      return;
    } finally {
      window.clearTimeout(late);
    }
    if (this.child !== child) return;
    this.connection = connection;
    for (const listener of this.ready) listener();
    for (const { resolve } of this.waiting.splice(0)) resolve(connection);
  }

  private again(why: string, lived: number): void {
    if (lived > STEADY_MS) this.tries = 0;
    const wait = (this.how.waits ?? WAITS)[this.tries];
    if (wait === undefined) return this.giveUp(`memora ended ${this.tries + 1} times: ${why}`);
    this.tries += 1;
    this.timer = window.setTimeout(() => this.begin(), wait);
  }

  private giveUp(why: string): void {
    this.refuse(why);
    this.how.onGivenUp(why);
  }

  private refuse(why: string): void {
    this.failure = why;
    for (const { reject } of this.waiting.splice(0)) reject(new Error(why));
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').pop() ?? '';
}

const CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  workspace: { workspaceEdit: { documentChanges: true } },
  textDocument: {
    publishDiagnostics: { relatedInformation: true, versionSupport: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
  },
};
