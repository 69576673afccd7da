// Durations as people write them: `150s`, `2m`, `500ms`. The bounds of every setting and flag.

const UNITS: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

const ONE = String.raw`\d+(\.\d+)?(ms|s|m|h)`;

/** Pattern of a duration. */
export const DURATION = `^${ONE}$`;

/** Pattern of a duration, or of the least and the most of one: `0s..120s`. */
export const DURATION_RANGE = String.raw`^${ONE}(\.\.${ONE})?$`;

/** The largest number that a setting or a flag can have, where nothing else says so. */
export const MOST = 1_000_000;

/** Milliseconds of the longest duration that a setting or a flag can have: 31 days. A longer one is rather a slip of the unit. */
const LONGEST = 744 * 3_600_000;

/** Why a duration cannot be meant, with what to do; null for a right one, and for what is no duration. */
export function durationMistake(
  value: unknown,
  { canBeZero }: { readonly canBeZero: boolean },
): { readonly message: string; readonly remedy: string } | null {
  const length = typeof value === 'string' ? milliseconds(value) : null;
  if (length === 0 && !canBeZero) return { message: `\`${value}\` is no time`, remedy: 'use more than 0s' };
  if (length === null || length <= LONGEST) return null;
  return { message: `\`${value}\` is too long`, remedy: 'use at most 744h' };
}

/** Null for a text that is no duration. */
export function milliseconds(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const unit = UNITS[match?.[2] ?? ''];
  return match?.[1] === undefined || unit === undefined ? null : Number(match[1]) * unit;
}

/** Least and most, in milliseconds; null for a text that is neither a duration nor a range. */
export function delayRange(text: string): { readonly from: number; readonly to: number } | null {
  const [least = '', most = least] = text.split('..');
  const from = milliseconds(least);
  const to = milliseconds(most);
  return from === null || to === null || from > to ? null : { from, to };
}
