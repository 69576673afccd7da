// String formats of our schemas that a pattern alone cannot state.

/** Anything that `Date.parse` understands. */
function instant(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

/** Lines that are written together have the same time, so most of them need no second check. */
let lastTimestamp = '';

/** RFC 3339, in any time zone. */
function timestamp(text: string): boolean {
  if (text === lastTimestamp) return true;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) || !instant(text)) return false;
  lastTimestamp = text;
  return true;
}

export const FORMATS = { instant, timestamp };
