// What node:url has and a browser has not, for the script of a page: names of hosts in their letters.

import { toUnicode } from 'punycode/punycode.es6.js';

/** Empty for a host that has no such name, as in node. */
export function domainToUnicode(domain) {
  try {
    return toUnicode(domain);
  } catch {
    return '';
  }
}
