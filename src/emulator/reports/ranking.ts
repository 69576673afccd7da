// The score of the ranking report. customer-and-reports-notes.md, section 5.

const FACTOR = 2.69 ** 2 / 4;

/** Close to the lower Wilson bound, and as the service computes it: with one n too many under the root. */
export function rankingScore(good: number, bad: number): number {
  const n = good + bad;
  const p = good / n;
  const f = FACTOR / n;
  return (p + 2 * f - 2.69 * Math.sqrt((f / n + p * (1 - p)) / n)) / (1 + 4 * f);
}
