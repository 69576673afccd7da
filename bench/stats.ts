// Numbers in, their median, their spread and ratios of two rows of them out.

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function median(of: readonly number[]): number {
  const sorted = [...of].sort((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

export function spread(of: readonly number[]): Spread {
  return { median: median(of), least: Math.min(...of), most: Math.max(...of) };
}

/** Median of the ratios round by round: what the machine did meanwhile met both. NaN when they never ran in one round. */
export function ratio(of: readonly number[], to: readonly number[]): number {
  return median(of.flatMap((one, round) => (to[round] === undefined ? [] : [one / to[round]])));
}
