// Log of a run: what happens, for those who ask for it. Knows no format; `commands/log-lines.ts` writes the lines.

import type { JsonObject } from '../base/model.ts';
import { redactJson } from '../service/credential.ts';

/** From the fewest lines to the most. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Members that are null are left out. */
export type Log = (level: LogLevel, message: string, fields?: JsonObject) => void;

export const silent: Log = () => {};

/** The same log without the credential that `redact` removes: no line repeats it, whatever the line quotes. */
export function scrubbed(log: Log, redact: (text: string) => string): Log {
  return (level, message, fields = {}) => log(level, redact(message), redactJson(fields, redact) as JsonObject);
}
