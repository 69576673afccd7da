// Texts are not their spelling: what is equal in NFC is one, what only looks equal is told, and what no service can keep never gets further than files.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../src/base/model.ts';
import { parseSeed } from '../../src/emulator/index.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';
import { tries } from '../tries.ts';
import { world } from '../world.ts';

/** How a name may be written so that people take it for the same, and no two of them are equal. */
const LOOKS: { readonly [look: string]: (name: string) => string } = {
  plain: (name) => name,
  capitals: (name) => name.toUpperCase(),
  blank: (name) => `${name} `,
  wide: (name) => name.replace(' ', '\u3000'),
  hidden: (name) => `${name}\u200b`,
};

const NAMES = ['Café au lait', 'Zespół nr 1', 'Åsa et Zoë', 'Ops team'];

interface Called {
  readonly name: string;
  readonly look: string;
  readonly form: 'NFC' | 'NFD';
}

const textOf = ({ name, look, form }: Called): string => (LOOKS[look]?.(name) ?? name).normalize(form);

/** The names of some objects, no two of which are equal. */
const called = (most: number) =>
  fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...NAMES),
      look: fc.constantFrom(...Object.keys(LOOKS)),
      form: fc.constantFrom('NFC' as const, 'NFD' as const),
    }),
    { maxLength: most, selector: ({ name, look }) => `${name} ${look}` },
  );

const KINDS = ['group', 'bot', 'bot_template', 'auto_access'] as const;

const sides = (most: number) => fc.record({ live: called(most), declared: called(most) });

const situation = fc.record({
  group: sides(4),
  bot: sides(3),
  // A client can have five.
  bot_template: sides(2),
  auto_access: sides(3),
  form: fc.constantFrom('NFC' as const, 'NFD' as const),
  zones: fc.shuffledSubarray(['Europe/Kiev', 'Europe/Kyiv'], { minLength: 1 }),
  codes: fc.tuple(fc.constantFrom('pl', 'PL', 'Pl'), fc.constantFrom('pl', 'PL', 'Pl')),
});

const isSame = (one: Called, other: Called): boolean => one.name === other.name && one.look === other.look;

function rule(each: Called, code: string, about: string) {
  const value = `/é-${NAMES.indexOf(each.name)}-${each.look}-${about}`.normalize(each.form);
  return {
    description: textOf(each),
    conditions: { url: { values: [{ value }] }, geolocation: { values: [{ country_code: code }] } },
  };
}

const hours = (timezone: string | undefined) => ({
  timezone: timezone ?? 'Europe/Kyiv',
  schedule: [{ day: 'monday', enabled: true, start: '09:00', end: '17:00' }],
});

const keyed = (entries: readonly Called[], entry: (each: Called) => Json) =>
  Object.fromEntries(entries.map((each, index) => [`é${index}`.normalize(each.form), entry(each)]));

test('An object is made only where none has its name in NFC, and never without a note next to one that looks the same', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(situation, async (given) => {
      const { form, zones, codes } = given;
      const other = form === 'NFC' ? 'NFD' : 'NFC';
      const license = world({
        seed: parseSeed({
          agents: [
            { id: 'ann@example.com', name: 'Zoë', job_title: 'Café'.normalize(form), work_scheduler: hours(zones[0]) },
          ],
          groups: given.group.live.map((each) => ({ name: textOf(each) })),
          bots: given.bot.live.map((each) => ({ name: textOf(each), owner_client_id: 'abc' })),
          bot_templates: given.bot_template.live.map((each) => ({ name: textOf(each), owner_client_id: 'abc' })),
          auto_access: given.auto_access.live.map((each) => ({
            ...rule(each, codes[0], 'same'),
            access: { groups: [0] },
          })),
        }),
      });
      const rules = given.auto_access.declared.map((each, index) => {
        const isThere = given.auto_access.live.some((live) => isSame(live, each));
        const access = { groups: [{ external: { id: 0 } }] };
        return { key: `é${index}`.normalize(each.form), access, ...rule(each, codes[1], isThere ? 'same' : 'new') };
      });
      const [first] = given.group.declared;
      const teams = first === undefined ? '' : `é0`.normalize(first.form === 'NFC' ? 'NFD' : 'NFC');
      const { desired, diagnostics } = await loadManifest({
        files: ['manifest.yaml'],
        env: {},
        version: '3.6',
        io: memoryDisk({
          'manifest.yaml': JSON.stringify({
            version: 1,
            agents_from: { csv: 'people.csv', columns: { job_title: 'métier'.normalize(form), groups: 'team' } },
            agents: { 'bob@example.com': { name: 'Bob' } },
            groups: keyed(given.group.declared, (each) => ({ name: textOf(each) })),
            bots: keyed(given.bot.declared, (each) => ({ name: textOf(each), owner_client_id: 'abc' })),
            bot_templates: keyed(given.bot_template.declared, (each) => ({
              name: textOf(each),
              owner_client_id: 'abc',
            })),
            auto_access: rules,
          }),
          'people.csv': `email,${'métier'.normalize(other)},team\nann@example.com,${'Café'.normalize(other)},${teams}\n`,
        }),
      });
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      if (desired === null) return;
      const plan = await license.plan(desired);
      for (const kind of KINDS) {
        const { live, declared } = given[kind];
        for (const [index, each] of declared.entries()) {
          const address = `${kind}/é${index}`;
          const isThere = live.some((one) => isSame(one, each));
          const isMade = (one: Called): boolean => !live.some((has) => isSame(has, one));
          const others = [...live, ...declared.slice(0, index).filter(isMade)];
          const isAlike = !isThere && others.some(({ name }) => name === each.name);
          const change = plan.resource_changes.find((one) => one.address === address);
          // A rule that is there may move.
          const isMoved = kind === 'auto_access' && change?.moved != null;
          const actions = isMoved ? ['no-op'] : (change?.change.actions ?? ['no-op']);
          expect([address, actions]).toEqual([address, [isThere ? 'no-op' : 'create']]);
          if (isThere) expect([address, change?.fields ?? []]).toEqual([address, []]);
          const isTold = plan.notes.some((note) => note.address === address && note.kind === 'second');
          expect([address, isTold]).toEqual([address, isAlike]);
        }
      }
      const report = await license.apply(plan, desired);
      expect(report.outcome).toBe('done');
      const again = await license.plan(desired);
      expect(again.steps).toEqual([]);
    }),
    { numRuns: tries(5000, 8) },
  );
});

/** Texts with what no service can keep, and with what shows nothing. */
const anyText = fc.oneof(
  fc.string({ maxLength: 6, unit: 'binary' }),
  fc
    .array(fc.constantFrom('a', 'e\u0301', '\0', '\ud83d', '\udc00', ' ', '\u200b', '\t', '\u2800', '🎉', 'é'), {
      maxLength: 5,
    })
    .map((parts) => parts.join('')),
);

const HALF = /\p{Surrogate}/u;

test('A text that no service can keep is an error at its place, wherever it comes from', {
  timeout: 1_800_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ name: anyText, key: anyText, value: anyText, env: anyText, variable: anyText, cell: anyText }),
      async ({ name, key, value, env, variable, cell }) => {
        const { desired, diagnostics } = await loadManifest({
          files: ['manifest.yaml'],
          varFiles: ['values.yaml'],
          env: { CHATFORM_VAR_TEXT: env },
          version: '3.6',
          io: memoryDisk({
            'manifest.yaml': JSON.stringify({
              version: 1,
              agents_from: { csv: 'people.csv', columns: { name: 'name' } },
              groups: {
                [key.replaceAll('${', '')]: { name: 'Keyed' },
                a: { name: name.replaceAll('${', '') },
                b: { name: '${env.CHATFORM_VAR_TEXT}' },
                c: { name: 'Team ${var.text}' },
              },
              license_properties: { abc: { note: value.replaceAll('${', '') } },
            }),
            'values.yaml': JSON.stringify({ text: variable.replaceAll('${', '') }),
            'people.csv': `email,name\nann@example.com,"${cell.replaceAll('"', '""')}"\n`,
          }),
        });
        if (desired === null) {
          const [error] = diagnostics.filter(({ severity }) => severity === 'error');
          expect(error?.place.line).toBeGreaterThan(0);
          return;
        }
        const text = JSON.stringify(desired.resources.map(({ address, spec }) => [address, spec]));
        expect(text).not.toContain('\\u0000');
        for (const { address, spec } of desired.resources)
          for (const each of [address, ...Object.values(spec)]) {
            if (typeof each !== 'string') continue;
            expect(HALF.test(each)).toBe(false);
            expect(each.normalize('NFC')).toBe(each);
          }
        for (const { spec } of desired.resources)
          if (typeof spec['name'] === 'string') expect(spec['name']).toMatch(/[^\s\u200b\u2800]/);
      },
    ),
    { numRuns: tries(5000, 40) },
  );
});
