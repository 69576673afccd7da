// The workflows whose body runs in this process, or ended so lately that DBOS may not have written its end yet.

import type { Clock } from '../../base/model.ts';

export interface Bodies {
  readonly has: (workflow: string) => boolean;
  /** No body of it runs any more. */
  readonly endedLately: (workflow: string) => boolean;
  /** A workflow that was put back may run here twice. */
  readonly during: <T>(workflow: string, body: () => Promise<T>) => Promise<T>;
}

/** Milliseconds that the end of a workflow may take to be written. */
export const WRITING = 10_000;

export function bodiesOf({ now }: Pick<Clock, 'now'>): Bodies {
  const begun = new Map<string, number>();
  const ended = new Map<string, number>();

  function endedLately(workflow: string): boolean {
    const at = ended.get(workflow);
    return at !== undefined && !begun.has(workflow) && now() - at < WRITING;
  }

  return {
    endedLately,
    has: (workflow) => begun.has(workflow) || endedLately(workflow),
    during: async (workflow, body) => {
      for (const [old, at] of ended) if (now() - at >= WRITING) ended.delete(old);
      begun.set(workflow, (begun.get(workflow) ?? 0) + 1);
      try {
        return await body();
      } finally {
        const others = (begun.get(workflow) ?? 1) - 1;
        if (others > 0) begun.set(workflow, others);
        else begun.delete(workflow);
        ended.set(workflow, now());
      }
    },
  };
}
