// What a link of a chat leads to. The emulator fetches nothing. Specification: "Status and other", get_url_info.

import { sha256Hex } from '../../base/digest.ts';
import { pageAddress } from '../chats/matching.ts';
import { defineFact, type EmulatedLicense } from '../engine/license.ts';
import type { ObjectShape } from '../engine/shape.ts';
import { described, int, object, optional, recordOf, string, webAddress } from '../engine/shape.ts';
import { type CustomerKind, readAction } from './action.ts';

const info = object({
  title: optional(string),
  description: optional(string),
  image_url: optional(string),
  image_original_url: optional(string),
  image_width: optional(int(0)),
  image_height: optional(int(0)),
});
type UrlInfo = ReturnType<typeof info>;
const known = defineFact('url_info', optional(recordOf(info)), undefined);

const seed = {
  url_info: described(
    {
      description: 'What `get_url_info` answers: URL -> members of the answer. Other URLs get values made of the URL.',
    },
    optional(recordOf(info)),
  ),
};

function plant(license: EmulatedLicense, { url_info }: ObjectShape<typeof seed>): void {
  known.of(license).value = url_info;
}

/** What an answer says of a page that the seed does not describe. The picture is that of its site. */
function derived(url: string): UrlInfo & { readonly image_original_url: string } {
  return {
    title: pageAddress(url)?.domain ?? url,
    description: '',
    image_original_url: new URL('/favicon.ico', url).href,
    image_width: 32,
    image_height: 32,
  };
}

const actions = [
  readAction('get_url_info', object({ url: webAddress }), {
    run: ({ url }, { license }) => {
      const described = known.of(license).value ?? {};
      const found = { ...derived(url), ...(Object.hasOwn(described, url) ? described[url] : {}) };
      const minified = `https://cdn.emulator.example/${sha256Hex(found.image_original_url).slice(0, 32)}.webp`;
      return { image_url: minified, ...found, url };
    },
  }),
];

export const urlInfoKind = { tables: [], facts: [known], seed, plant, actions } satisfies CustomerKind;
