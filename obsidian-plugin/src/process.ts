// `memora lsp` as a child: started, asked over its pipes, started again when it ends by itself, ended with the plugin.
//
// Rule: no Obsidian in here. What is started, and how, is given by the caller.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Client, Notices, Published, Requests, Unsubscribe } from './protocol';
import { Wire } from './wire';

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
/** How long the last words of a program that has ended are waited for. */
const DRAIN_MS = 200;

/** The arguments of the program for a vault. Whoever uses Obsidian reads what it shows: nothing of it leaves this machine by us. */
export function programArguments(vault: string): string[] {
  return ['--vault', vault, 'lsp', '--client', 'local'];
}

/** The program, as long as the plugin is loaded. */
export class Server implements Client {
  private wire: Wire | null = null;
  private child: ChildProcessWithoutNullStreams | null = null;
  private waiting: { resolve: (wire: Wire) => void; reject: (error: Error) => void }[] = [];
  private failure: string | null = null;
  private tries = 0;
  private timer: number | null = null;
  private readonly published = new Set<(published: Published) => void>();
  private readonly ready = new Set<() => void>();

  constructor(readonly how: Start) {
    this.begin();
  }

  /** The id of the process, if there is one. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  async ask<M extends keyof Requests>(method: M, params: Requests[M][0]): Promise<Requests[M][1]> {
    const wire = await this.connected();
    // The program is trusted to answer in its own shapes, which its schemas have.
    return await wire.request(method, params) as Requests[M][1];
  }

  tell<M extends keyof Notices>(method: M, params: Notices[M]): void {
    this.wire?.notify(method, params);
  }

  onPublished(listener: (published: Published) => void): Unsubscribe {
    this.published.add(listener);
    return () => this.published.delete(listener);
  }

  onReady(listener: () => void): Unsubscribe {
    this.ready.add(listener);
    if (this.wire) listener();
    return () => this.ready.delete(listener);
  }

  /** Ends the program: it is asked to, its input is closed, and after two seconds it is killed. */
  end(): void {
    if (this.timer !== null) window.clearTimeout(this.timer);
    this.timer = null;
    this.refuse('memora was ended');
    const [child, wire] = [this.child, this.wire];
    this.child = this.wire = null;
    if (!child) return;
    const kill = window.setTimeout(() => child.kill('SIGKILL'), END_MS);
    child.once('exit', () => window.clearTimeout(kill));
    // Both are in the pipe before it is closed: what quits at once has said all of it.
    wire?.request('shutdown', null).catch(() => undefined);
    wire?.notify('exit', null);
    child.stdin.end();
  }

  /** Ends it, and starts what is to be started now. */
  restart(): void {
    this.end();
    this.failure = null;
    this.tries = 0;
    this.begin();
  }

  private connected(): Promise<Wire> {
    if (this.wire) return Promise.resolve(this.wire);
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
    const wire = new Wire(child.stdin, child.stdout, (method, params) => {
      // One that is ending may still have verdicts, on what its successor is asked.
      if (this.child === child) this.hear(method, params);
    }, () => child.kill('SIGKILL'));
    const over = (why: string) => {
      wire.close();
      // What was ended, or has been told of once, is not started again.
      if (this.child !== child) return;
      this.child = this.wire = null;
      this.again(why, Date.now() - begun);
    };
    child.stderr.setEncoding('utf8').on('data', (data: string) => { said = (said + data).slice(-2_000); });
    child.on('error', (error) => over(error.message));
    const ended = (code: number | null) => over(lastLine(said) || `it ended with ${code ?? 'a signal'}`);
    child.on('close', ended);
    child.on('exit', (code) => {
      // A program that others started in its name, as npm does, ends with its input, and may hold the other pipes until then.
      child.stdin.destroy();
      window.setTimeout(() => ended(code), DRAIN_MS);
    });
    void this.shakeHands(wire, child);
  }

  private hear(method: string, params: unknown): void {
    if (method !== 'textDocument/publishDiagnostics') return;
    for (const listener of this.published) listener(params as Published);
  }

  private async shakeHands(wire: Wire, child: ChildProcessWithoutNullStreams): Promise<void> {
    const late = window.setTimeout(() => child.kill('SIGKILL'), SHAKE_MS);
    try {
      const hello = await wire.request('initialize', {
        processId: process.pid,
        rootUri: null,
        capabilities: CAPABILITIES,
        initializationOptions: { links: this.how.links() },
      }) as { serverInfo?: { name?: string } } | null;
      if (hello?.serverInfo?.name !== 'memora') throw new Error('this is not memora');
      wire.notify('initialized', {});
    } catch {
      child.kill('SIGKILL');
      return;
    } finally {
      window.clearTimeout(late);
    }
    if (this.child !== child) return;
    this.wire = wire;
    for (const listener of this.ready) listener();
    for (const { resolve } of this.waiting.splice(0)) resolve(wire);
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
