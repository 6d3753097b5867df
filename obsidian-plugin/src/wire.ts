// JSON-RPC over two pipes, framed as the Language Server Protocol has it.
//
// Rules: a header or a length that cannot be is an end, and no message is waited for forever: whoever closes it refuses what is open.
// `vscode-jsonrpc` was tried: where the program is gone, its writer leaves rejections that nobody can handle.

import type { Readable, Writable } from 'node:stream';

/** The longest head and the longest message, in bytes. */
const HEAD_MAX = 4_096;
const BODY_MAX = 64 * 1024 * 1024;
const NO_METHOD = -32_601;

interface Message {
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

interface Open {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** A conversation with a program. */
export class Wire {
  private readonly open = new Map<number, Open>();
  private readonly frames = new Frames();
  private isClosed = false;
  private last = 0;

  /** `onBroken` is called once if what comes is none of the protocol. */
  constructor(private readonly to: Writable, from: Readable, private readonly onNotice: (method: string, params: unknown) => void, private readonly onBroken: () => void) {
    from.on('data', (data: Buffer) => this.read(data));
    // A program that is gone is told of by its end.
    to.on('error', () => undefined);
    from.on('error', () => undefined);
  }

  request(method: string, params: unknown): Promise<unknown> {
    if (this.isClosed) return Promise.reject(new Error('memora has ended'));
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject });
      this.write({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.write({ method, params });
  }

  close(): void {
    this.isClosed = true;
    for (const { reject } of this.open.values()) reject(new Error('memora has ended'));
    this.open.clear();
  }

  private write(message: Message): void {
    if (this.isClosed || !this.to.writable) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }), 'utf8');
    this.to.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'latin1'), body]));
  }

  private read(data: Buffer): void {
    if (this.isClosed) return;
    try {
      for (const body of this.frames.push(data)) this.take(JSON.parse(body.toString('utf8')) as Message);
    } catch {
      this.close();
      this.onBroken();
    }
  }

  private take({ id, method, params, result, error }: Message): void {
    if (method !== undefined) {
      if (id === undefined || id === null) this.onNotice(method, params);
      else this.write({ id, error: { code: NO_METHOD, message: 'nothing is asked of an editor' } });
      return;
    }
    const open = typeof id === 'number' ? this.open.get(id) : undefined;
    if (!open || typeof id !== 'number') return;
    this.open.delete(id);
    if (error) open.reject(new Error(error.message));
    else open.resolve(result);
  }
}

/** Messages out of pieces, which end anywhere. */
export class Frames {
  private pieces: Buffer[] = [];
  private size = 0;
  /** The length of the message whose head was read. */
  private length: number | null = null;

  /** Takes a piece, and gives the messages that are whole. */
  push(piece: Buffer): Buffer[] {
    this.pieces.push(piece);
    this.size += piece.length;
    const whole: Buffer[] = [];
    while (this.length !== null || this.readHead()) {
      const length = this.length ?? 0;
      if (this.size < length) break;
      whole.push(this.cut(length));
      this.length = null;
    }
    return whole;
  }

  private readHead(): boolean {
    const held = this.join();
    const end = held.indexOf('\r\n\r\n');
    if (end > HEAD_MAX || (end < 0 && held.length > HEAD_MAX)) throw new Error('no head');
    if (end < 0) return false;
    const head = this.cut(end + 4).toString('latin1');
    const length = Number(/^content-length: *(\d{1,9})\r$/im.exec(head)?.[1] ?? 'none');
    if (!(length <= BODY_MAX)) throw new Error('no length');
    this.length = length;
    return true;
  }

  private join(): Buffer {
    const held = this.pieces.length === 1 ? this.pieces[0] : undefined;
    const joined = held ?? Buffer.concat(this.pieces);
    this.pieces = [joined];
    return joined;
  }

  private cut(length: number): Buffer {
    const held = this.join();
    const rest = held.subarray(length);
    this.pieces = rest.length > 0 ? [rest] : [];
    this.size = rest.length;
    return held.subarray(0, length);
  }
}
