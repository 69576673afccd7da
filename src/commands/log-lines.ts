// Lines of the log on stderr, as text or as JSON. Knows nothing of what they say.

import type { JsonObject } from '../base/model.ts';
import { plain, value } from '../render/plain.ts';
import { LOG_LEVELS, type Log, type LogLevel } from '../run/log.ts';

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

/** One JSON object a line. Loads pino, so call it only when such a log was asked for. */
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

function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, member]) => member !== null));
}

/** The level of a text for a person, where every line of stderr is a record of the log. */
export function levelOf(text: string): LogLevel {
  if (/^error:|^[^ ]*:\d+:\d+: error /im.test(text)) return 'error';
  return /^(warning|withheld):|^[^ ]*:\d+:\d+: warning /im.test(text) ? 'warn' : 'info';
}
