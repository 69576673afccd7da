// What happens in; a line of text or of JSON for each event that is loud enough, out. Must not know what it means.

import type { JsonObject } from '../base/model.ts';
import { plain, value } from '../render/plain.ts';
import { redactJson } from '../service/credential.ts';

/** From the fewest lines to the most. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Members that are null are left out. */
export type Log = (level: LogLevel, message: string, fields?: JsonObject) => void;

export const silent: Log = () => {};

/** `2026-01-05T09:00:00.000Z info request action=list_groups status=200`. */
export function textLog(level: LogLevel, now: () => number, write: (text: string) => void): Log {
  return (own, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(own) > LOG_LEVELS.indexOf(level)) return;
    const members = Object.entries(present(fields)).map(
      ([name, member]) =>
        `${name}=${typeof member === 'string' && /^[\w.:/@-]+$/.test(member) ? member : value(member)}`,
    );
    write(`${[new Date(now()).toISOString(), own, plain(message), ...members].join(' ')}\n`);
  };
}

/** One JSON object a line. Loads pino, so call it only when it was asked for. */
export async function jsonLog(level: LogLevel, now: () => number, write: (text: string) => void): Promise<Log> {
  const { pino } = await import('pino');
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return (own, message, fields = {}) => logger[own](present(fields), message);
}

/** The same log for somebody who holds a credential: no line repeats it, whoever quotes it. */
export function scrubbed(log: Log, redact: (text: string) => string): Log {
  return (level, message, fields = {}) => {
    const clean = redactJson(fields, redact);
    log(level, redact(message), clean as JsonObject);
  };
}

function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, member]) => member !== null));
}

/** How loud a text for a person is, where everything has to be a line of the log. */
export function levelOf(text: string): LogLevel {
  if (/^error:|^[^ ]*:\d+:\d+: error /im.test(text)) return 'error';
  return /^(warning|withheld):|^[^ ]*:\d+:\d+: warning /im.test(text) ? 'warn' : 'info';
}
