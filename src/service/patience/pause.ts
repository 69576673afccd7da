// How long to wait before a request is sent again, or before a reading is repeated.

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 20_000;

/** Milliseconds before the next attempt. Full jitter: anywhere between nothing and the ceiling, but never before `retryAfter`. */
export function pauseAfter(attempt: number, retryAfter: number, random: () => number): number {
  const ceiling = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
  return Math.max(retryAfter, Math.round(random() * ceiling));
}

const SHORTEST_READING_PAUSE = 1_000;

/**
 * Milliseconds before the next reading, when a change has been awaited for `elapsed`. It is seen at most a fifth later than it showed, or a second,
 * and readings, which are billed, grow with the logarithm of the wait: 7 in 5 s, 24 in 120 s.
 */
export function pauseBeforeReading(elapsed: number): number {
  return Math.max(SHORTEST_READING_PAUSE, elapsed / 5);
}

/** `Retry-After` in milliseconds from now: it comes as whole seconds or as an HTTP date. Null when it is absent or neither. */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Z][a-z]+,? /.test(text)) return null;
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
