// URLs, domains and parts of them in the spelling in which they are compared.

import { domainToUnicode } from 'node:url';
import { inNfc } from '../base/text.ts';
import { parsedUrl } from '../base/url.ts';

/** One character, as its UTF-8 bytes are escaped in a URL. */
const ESCAPED =
  /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}/gi;

/** Where a label begins. */
const PUNYCODE = /(?<![a-z0-9-])xn--[a-z0-9-]+/gi;

/** An escape that is no character stays as it is. */
function unescaped(text: string): string {
  // Most texts have no escape, and the pattern takes longer to compile than to use.
  if (!text.includes('%')) return text;
  return text.replace(ESCAPED, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

function unpunycoded(text: string): string {
  return text.replace(PUNYCODE, (label) => domainToUnicode(label) || label);
}

/** A URL in the spelling that is compared, and its domain. */
export interface PageUrl {
  readonly url: string;
  readonly domain: string;
}

/**
 * A page's URL as a browser reports it, then decoded: scheme and host in small letters, no credentials, no default port, no dot at the end of
 * the host, dots in the path resolved; international hosts and percent-escapes as the characters they mean. The domain is the host without
 * its port. Null for a text that no browser shows as the URL of a page: another scheme or none, no host.
 */
export function pageUrl(text: string): PageUrl | null {
  const parsed = /^\s*https?:/i.test(text) ? parsedUrl(text) : null;
  if (parsed === null) return null;
  const domain = domainText(parsed.hostname);
  if (domain === '') return null;
  parsed.username = '';
  parsed.password = '';
  const rest = parsed.href.slice(`${parsed.protocol}//${parsed.host}`.length);
  const port = parsed.port === '' ? '' : `:${parsed.port}`;
  return { url: `${parsed.protocol}//${domain}${port}${urlPart(rest)}`, domain };
}

/** Half a character is sent as U+FFFD. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** A whole domain. */
export function domainText(text: string): string {
  return domainPart(text).replace(/\.+$/, '');
}

/** A text to look for in a domain. */
export function domainPart(text: string): string {
  return inNfc(unpunycoded(wellFormed(text)).toLowerCase());
}

/** A text to look for in a URL. */
export function urlPart(text: string): string {
  return inNfc(unpunycoded(unescaped(wellFormed(text))));
}
