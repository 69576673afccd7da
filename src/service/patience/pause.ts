// How long to wait before something is sent again: what the other side asks for, and what keeps many senders from coming back together. Pure.

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 20_000;

/** Milliseconds. Full jitter: anywhere between nothing and the ceiling, but never before `retryAfter`. */
export function pauseAfter(attempt: number, retryAfter: number, random: () => number): number {
  const ceiling = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
  return Math.max(retryAfter, Math.round(random() * ceiling));
}

/** `Retry-After` in milliseconds from now: it comes as whole seconds or as an HTTP date. */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Z][a-z]+,? /.test(text)) return null;
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
