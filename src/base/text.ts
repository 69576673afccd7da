// Numbers, lists of names, holders of leases and missing variables, in the words of a sentence.

import type { Diagnostic, FindingCounts, Json } from './model.ts';

const MOST = 8;

/** At most `most` of the names, and how many more there are. */
export function few(names: readonly string[], most: number = MOST): string {
  const more = names.length - most;
  return more <= 0 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${more} more`;
}

/** With a capital letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 request`, `2 requests`; `many` where an s does not make the plural. */
export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

/** `12,345`, of a whole number: what Intl makes of it, without the time that its first formatter takes. */
export function thousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `a, b and c`. */
export function series(texts: readonly string[], joint: 'and' | 'or'): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} ${joint} ${last}`;
}

/** A value among words. Texts that could be read as something else are quoted: what holds a comma or an arrow, or looks like another type. */
export function clear(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isClear =
    /^[^\s",](?:[^",]*[^\s",])?$/.test(value) && !/->|^(?:none|null|true|false|[-+]?\d[\d.]*)$/.test(value);
  return isClear ? value : JSON.stringify(value);
}

/** All other characters are NFC in every text. */
const MAY_COMPOSE = /[\u0300-\uffff]/;

/** The one spelling (NFC) in which texts are compared: an accent can be a character of its own, and looks the same. */
export function inNfc(text: string): string {
  return MAY_COMPOSE.test(text) ? text.normalize('NFC') : text;
}

/** What may stand for a text in another spelling, or for one that no service keeps; a backslash may escape such a character. */
const RARE = /[\0\\]|[\u0300-\uffff]/;

/** Whether all texts of a file are in NFC and can be kept, as in most files: nothing in it could make one that is not. */
export function isPlainText(file: string): boolean {
  return !RARE.test(file);
}

/** Equal for texts that differ only in capitals and small letters. For comparisons only. */
export function caseless(text: string): string {
  return inNfc(inNfc(text).toLowerCase());
}

/** `an agent`, `a group`. */
export function oneOf(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** How many findings there are, with those that are not told. */
export function findingCounts(diagnostics: readonly Diagnostic[]): FindingCounts {
  let [errors, warnings] = [0, 0];
  for (const { severity, more } of diagnostics) {
    errors += more?.errors ?? (severity === 'error' ? 1 : 0);
    warnings += more?.warnings ?? (severity === 'error' ? 0 : 1);
  }
  return { errors, warnings };
}

interface Holder {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly command: string;
  readonly reason?: string;
}

/** `ann@build-7 (pid 4711, chatform apply)`, or by hand `ann@build-7 (new shifts)`. It comes from outside, so escape the text before printing it. */
export function holderText({ user, host, pid, command, reason }: Holder): string {
  return `${user}@${host} (${reason ?? `pid ${pid}, chatform ${command}`})`;
}

/** `the environment variable CHAT_TOKEN is not set`, or that it is empty. */
export function noValue(env: { readonly [name: string]: string | undefined }, name: string): string {
  return `the environment variable ${name} is ${env[name] === undefined ? 'not set' : 'empty'}`;
}

/** The text without its byte order mark; null for other encodings. UTF-16 is recognised by its zero bytes. */
export function utf8In(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
