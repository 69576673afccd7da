// Forms in which a service may keep texts that it is given, instead of as they were written. The specification is silent about them.

import { domainToASCII, domainToUnicode } from 'node:url';
import { isObject } from '../../base/json.ts';

export const KEPT_FORMS = ['nfc', 'trimmed', 'joined-blanks', 'small', 'ascii-hosts', 'unicode-hosts'] as const;
type Form = (typeof KEPT_FORMS)[number];

const onHost = (text: string, change: (host: string) => string): string =>
  text.replace(/^([a-z]+:\/\/)?([^/?#:\s]+\.[^/?#:\s]+)/i, (_, scheme = '', host) => scheme + (change(host) || host));

const CHANGES: { readonly [form in Form]: (text: string) => string } = {
  nfc: (text) => text.normalize('NFC'),
  trimmed: (text) => text.trim(),
  'joined-blanks': (text) => text.replace(/\s+/g, ' '),
  small: (text) => text.toLowerCase(),
  'ascii-hosts': (text) => onHost(text, domainToASCII),
  'unicode-hosts': (text) => onHost(text, domainToUnicode),
};

/** Members with texts that people read; `properties` has values of any name. */
const TEXTS: readonly string[] = ['name', 'job_title', 'description', 'value', 'country', 'region', 'city'];

/** The body of a write with its texts as they are kept. A property and a tag are known by their names, which stay. */
export function inKeptForms(action: string, body: unknown, forms: readonly Form[]): unknown {
  if (forms.length === 0) return body;
  const isKnownByName = /_(?:property|tag)$/.test(action);
  const change = (value: unknown, isText: boolean): unknown => {
    if (typeof value === 'string') return isText ? forms.reduce((text, form) => CHANGES[form](text), value) : value;
    if (Array.isArray(value)) return value.map((item) => change(item, isText));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const isOwn = TEXTS.includes(name) && !(isKnownByName && name === 'name');
        return [name, change(member, isText || name === 'properties' || isOwn)];
      }),
    );
  };
  return change(body, false);
}
