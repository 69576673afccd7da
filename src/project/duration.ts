// A duration as people write it in; milliseconds out.

const UNITS: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

const ONE = String.raw`\d+(\.\d+)?(ms|s|m|h)`;

/** `150s`, `2m`, `500ms`. */
export const DURATION = `^${ONE}$`;

/** One duration, or the least and the most of one: `0s..120s`. */
export const DURATION_RANGE = String.raw`^${ONE}(\.\.${ONE})?$`;

/** Milliseconds; null when it is not a duration. */
export function milliseconds(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const unit = UNITS[match?.[2] ?? ''];
  return match?.[1] === undefined || unit === undefined ? null : Number(match[1]) * unit;
}

/** Least and most, in milliseconds; null when it is neither a duration nor a range of them. */
export function delayRange(text: string): { readonly from: number; readonly to: number } | null {
  const [least = '', most = least] = text.split('..');
  const from = milliseconds(least);
  const to = milliseconds(most);
  return from === null || to === null || from > to ? null : { from, to };
}
