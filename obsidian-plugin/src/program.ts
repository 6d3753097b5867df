// Where the program is. It is found, and never fetched or updated.

/** What is known of this machine. */
export interface Machine {
  platform: string;
  env: Record<string, string | undefined>;
  isFile(path: string): boolean;
}

/** Folders that a terminal often has on its PATH and a program started by a click has not. */
const USUAL = ['.cargo/bin', '.local/bin'];
const USUAL_UNIX = ['/opt/homebrew/bin', '/usr/local/bin'];

/**
 * Finds the program: what the user set, else the first on PATH, else in the usual folders.
 *
 * A path that was set and is no file gives `null`, rather than another program than the one that was meant.
 */
export function findProgram(set: string, machine: Machine): string | null {
  const path = set.trim();
  if (path !== '') return machine.isFile(path) ? path : null;
  const isWindows = machine.platform === 'win32';
  const [slash, colon, name] = isWindows ? ['\\', ';', 'memora.exe'] : ['/', ':', 'memora'];
  const home = machine.env[isWindows ? 'USERPROFILE' : 'HOME'];
  const listed = (machine.env.PATH ?? machine.env.Path ?? '').split(colon);
  const usual = home ? USUAL.map((folder) => `${home}${slash}${folder}`) : [];
  const folders = [...listed, ...usual, ...(isWindows ? [] : USUAL_UNIX)];
  // A relative folder of PATH would have the vault choose the program.
  const isWhole = (folder: string) => (isWindows ? /^[A-Za-z]:[\\/]|^\\\\/.test(folder) : folder.startsWith('/'));
  const candidates = folders.filter(isWhole).map((folder) => `${folder.replace(/[\\/]+$/, '')}${slash}${name}`);
  return candidates.find((candidate) => machine.isFile(candidate)) ?? null;
}
