// Addresses: of files, as the protocol has them, and of ranges, as links have them.

/** Writes the address of a file of the vault, whose folder is `base`. */
export function fileUri(base: string, path: string): string {
  const whole = `${base.replace(/\\/g, '/').replace(/\/+$/, '')}/${path}`;
  const parts = whole.split('/').map((part) => encodeURIComponent(part));
  return whole.startsWith('//') ? `file:${parts.join('/')}` : `file://${whole.startsWith('/') ? '' : '/'}${parts.join('/')}`;
}

/** Reads the path in the vault of an address; `null` if it is none of the vault's. */
export function pathInVault(base: string, uri: string): string | null {
  const root = decode(fileUri(base, ''));
  const whole = decode(uri);
  return root !== null && whole?.startsWith(root) ? whole.slice(root.length) : null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A link to a range: these bytes of this note, if they still hash so. */
export interface RangeLink {
  path: string;
  start: number;
  end: number;
  hash: string;
}

/** Writes a link that the plugin opens. */
export function writeRangeLink(vault: string, link: RangeLink): string {
  const fields = { vault, path: link.path, start: `${link.start}`, end: `${link.end}`, hash: link.hash };
  return `obsidian://memora?${Object.entries(fields).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`;
}

/** Reads the parameters of a link; `null` unless each is what it has to be. */
export function readRangeLink(params: Record<string, string | undefined>): RangeLink | null {
  const { path = '', hash = '' } = params;
  const start = readOffset(params.start);
  const end = readOffset(params.end);
  if (path === '' || start === null || end === null || start >= end || !/^[0-9a-f]{64}$/.test(hash)) return null;
  return { path, start, end, hash };
}

function readOffset(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
