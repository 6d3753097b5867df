// Random cases that are the same each time.

/** Numbers that look random, and are the same each time. */
export function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
