// Amounts as people read them: counts, times and scores.

import { thousands } from '../../base/text.ts';
import type { Unit } from '../../demand/forms.ts';

let tenths: Intl.NumberFormat | undefined;

/** `1,240`. */
function inWhole(value: number): string {
  return thousands(Math.round(value));
}

/** `1,240.5`. */
function inTenths(value: number): string {
  tenths ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  return tenths.format(value);
}

/** `1,240`, `34 s`, `12 min`, `7.5 h`, `$12.50`. */
export function amount(value: number, unit: Unit): string {
  switch (unit) {
    case 'count':
      return inWhole(value);
    case 'seconds':
      return timeText(value);
    case 'minutes':
      return `${inWhole(value)} min`;
    case 'hours':
      return `${inTenths(value)} h`;
    case 'score':
      return value.toFixed(3);
    case 'usd':
      return `$${value.toFixed(2)}`;
  }
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

function timeText(seconds: number): string {
  if (seconds < 10 * MINUTE) return `${inWhole(seconds)} s`;
  return seconds < 2 * HOUR ? `${inWhole(seconds / MINUTE)} min` : `${inTenths(seconds / HOUR)} h`;
}
