// The phrases of the widget by language, and the version that changes with them.
// Specification: "Configuration and localization"; customer-and-reports-notes.md, section 2.

import { createHash } from 'node:crypto';
import { control } from '../chats/controls.ts';
import { defineTable, type EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import type { ObjectShape } from '../engine/shape.ts';
import { closed, described, int, object, optional, quoted, recordOf, string, text } from '../engine/shape.ts';
import { type CustomerContext, type CustomerKind, readAction } from './action.ts';
import { requireGroup } from './group-view.ts';
import { standardPhrases } from './phrases.ts';

const phrases = recordOf(string);
const phraseRecord = object({ language: text, phrases });
const phraseTable = defineTable('phrases', phraseRecord, ({ language }) => language, {});

const seed = {
  phrases: described(
    {
      description:
        'Phrases of the widget: language -> key -> phrase. The others, and other languages, have English ones that name the language.',
    },
    optional(recordOf(phrases)),
  ),
};

function plant(license: EmulatedLicense, { phrases = {} }: ObjectShape<typeof seed>): void {
  for (const [language, own] of Object.entries(phrases)) phraseTable.of(license).set({ language, phrases: own });
}

type Reading = Pick<CustomerContext, 'license' | 'at'>;

/** Key -> phrase, in a language. */
function phrasesIn({ license, at }: Reading, language: string): { readonly [key: string]: string } {
  return { ...standardPhrases(language), ...phraseTable.of(license).get(language, at)?.phrases };
}

/** A text of JSON that is the same for equal values, whatever the order of their members. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

const md5 = (given: string): string => createHash('md5').update(given).digest('hex');

/** Rule 16. Two digests, of the language and of its phrases. */
export const localizationVersion = (context: Reading, language: string): string =>
  `${md5(language)}_${md5(canonical(phrasesIn(context, language)))}`;

/** Refuses a version that is not one of these, where the settings say so. */
export function requireVersion({ settings }: CustomerContext, given: string, present: readonly string[]): void {
  if (settings.staleConfigurationVersion === 'validation' && !present.includes(given))
    refuse('validation', `${quoted('version')} is not the present one, which \`get_dynamic_configuration\` answers`);
}

const actions = [
  readAction('get_localization', object({ group_id: int(0), language: text, version: text }), {
    token: 'configuration',
    inQuery: true,
    // Also for a language that is not that of the group.
    run: ({ group_id, language, version }, context) => {
      const { language_code } = requireGroup(context, group_id);
      requireVersion(
        context,
        version,
        [language_code, language].map((one) => localizationVersion(context, one)),
      );
      return phrasesIn(context, language);
    },
  }),
];

const controls = [
  control('phrases/set', closed({ language: text, phrases }), ({ language, phrases }, { license }) => {
    phraseTable.of(license).set({ language, phrases });
    return undefined;
  }),
];

export const localizationKind = { tables: [phraseTable], seed, plant, controls, actions } satisfies CustomerKind;
