// Texts that are credentials of the service by their form.

import { saidBy } from './encodings.ts';

/** Service notes, "Wire": tokens look like `dal:...` and `fra:...`. A colon that became `%3A` or `&#58;` is a common mistake. */
const TOKEN = /^((Bearer|Basic) )?(dal|fra):\S{6,}/i;

const URL_WITH_PASSWORD = /^[a-z]+:\/\/[^/]*@/i;

/** Whether a text is a token, or a URL that has a password. */
export function isCredential(text: string): boolean {
  return saidBy(text).some((said) => TOKEN.test(said) || URL_WITH_PASSWORD.test(said));
}
