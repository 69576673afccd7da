// The order in which targets begin: those of different tokens take turns, because a token has a budget, and targets that wait for it keep others from beginning.

interface WithToken {
  /** Name of the variable with the token. */
  readonly tokenEnv: string;
}

/** The first target of each token, then the second of each, and so on; otherwise in their order. */
export function inTurns<Target extends WithToken>(targets: readonly Target[]): readonly Target[] {
  const counts = new Map<string, number>();
  return targets
    .map((target) => {
      const turn = counts.get(target.tokenEnv) ?? 0;
      counts.set(target.tokenEnv, turn + 1);
      return { target, turn };
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ target }) => target);
}
