// The targets that a worker works on at once. Runs share them: a short run does not wait for all that was claimed of a long one.

export interface Slots {
  /** Waits for a slot. It goes to the run that has the fewest, and of its work to the first. */
  readonly during: <T>(run: string, work: () => Promise<T>) => Promise<T>;
  /** Work without a slot. */
  readonly waiting: () => number;
}

interface Waiting {
  readonly run: string;
  readonly begin: () => void;
}

export function slotsOf(count: number): Slots {
  const taken = new Map<string, number>();
  let free = count;
  let waiting: readonly Waiting[] = [];

  const takenBy = ({ run }: Pick<Waiting, 'run'>): number => taken.get(run) ?? 0;

  function give(): void {
    const [first, ...others] = waiting;
    if (free === 0 || first === undefined) return;
    const next = others.reduce((best, each) => (takenBy(each) < takenBy(best) ? each : best), first);
    waiting = waiting.filter((each) => each !== next);
    free -= 1;
    taken.set(next.run, takenBy(next) + 1);
    next.begin();
  }

  return {
    during: async (run, work) => {
      await new Promise<void>((begin) => {
        waiting = [...waiting, { run, begin }];
        give();
      });
      try {
        return await work();
      } finally {
        free += 1;
        taken.set(run, takenBy({ run }) - 1);
        if (taken.get(run) === 0) taken.delete(run);
        give();
      }
    },
    waiting: () => waiting.length,
  };
}
