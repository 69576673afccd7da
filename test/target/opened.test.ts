// Targets of one opened project: each is read as if it were alone, and what they share is read once.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openProjectFile, type TargetChoice } from '../../src/target/choice.ts';
import { prepare } from '../../src/target/prepare.ts';
import { disk, readFile, remembering } from '../../src/yaml/read.ts';
import { folder } from '../cli/chatform.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';
import { tries } from '../tries.ts';
import { virtualClock } from '../world.ts';

const HERE = fileURLToPath(new URL('../..', import.meta.url));
const SURROUNDINGS = { env: { CHATFORM_VAR_CITY: 'Riga' }, clock: virtualClock() };

const MANIFEST = `version: 1
variables:
  shop: { type: string }
  chats: { type: integer, default: 5 }
agents:
  ann@example.com: { name: Ann, max_chats_count: "\${var.chats}" }
groups:
  sales: { name: "\${var.shop} in \${env.CHATFORM_VAR_CITY}", agent_priorities: { ann@example.com: normal } }
auto_access:
  - { key: home, access: { groups: [sales] }, conditions: { url: { values: [{ value: "\${var.shop}" }] } } }
`;

/** Overlays, with and without mistakes. The last two files are not there, or no YAML. */
const OVERLAYS: { readonly [file: string]: string } = {
  'o/desk.yaml': 'groups: { desk: { name: Desk, agent_priorities: { ann@example.com: last } } }\n',
  'o/gone.yaml': 'agents: { ann@example.com: null }\n',
  'o/wrong.yaml': 'groups: { sales: { nmae: "${var.shop}" } }\n',
  'o/near.yaml': 'groups: { sale: { name: Sale } }\n',
  'o/broken.yaml': 'groups: { sales: [\n',
  'o/lost.yaml': '',
};

const MISTAKES = [
  '',
  'groups: { other: { name: Other, agent_priorities: { bob@example.com: normal } } }\n',
  'bot: {}\n',
];

const target = fc.record({
  shop: fc.constantFrom('acme', 'bravo', 7),
  chats: fc.constantFrom('3', 'many', undefined),
  overlays: fc.uniqueArray(fc.constantFrom(...Object.keys(OVERLAYS), 'o'), { maxLength: 2 }),
});

const fleets = fc.record({
  targets: fc.array(target, { minLength: 1, maxLength: 4 }),
  second: fc.constantFrom(...MISTAKES),
  varFile: fc.constantFrom(undefined, 'chats: 4\n', 'chats: none\n', 'chatz: 1\n'),
});

function write(files: { readonly [name: string]: string }): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(name), { recursive: true });
    writeFileSync(name, text);
  }
}

async function seen(choice: TargetChoice) {
  const { settings, desired, diagnostics, ...others } = await prepare(choice, SURROUNDINGS);
  const { moved, routes, variables, values } = { moved: [], routes: [], variables: [], values: {}, ...others };
  return { settings, desired, diagnostics, moved, routes, variables, values };
}

test('a target of an opened project is read as if it were alone', async () => {
  process.chdir(await folder({}));
  onTestFinished(() => process.chdir(HERE));
  await fc.assert(
    fc.asyncProperty(fleets, async ({ targets, second, varFile }) => {
      const named = targets.map(({ shop, chats, overlays }, nth) => {
        const vars = { shop, ...(chats === undefined ? {} : { chats }) };
        return [`t${nth}`, { base_url: 'https://api.example.com', vars, overlays }] as const;
      });
      const { 'o/lost.yaml': _, ...written } = OVERLAYS;
      write({
        'chatform.yaml': `version: 1\nmanifest: [m]\ntargets: ${JSON.stringify(Object.fromEntries(named))}\n`,
        'm/one.yaml': MANIFEST,
        'm/two.yaml': `version: 1\n${second}`,
        ...written,
        'values.yaml': varFile ?? '',
      });
      const files = varFile === undefined ? {} : { varFile: ['values.yaml'] };
      const opened = await openProjectFile(files, SURROUNDINGS);
      for (const [name] of named)
        expect(await seen({ ...files, target: name, opened })).toEqual(await seen({ ...files, target: name }));
    }),
    { numRuns: tries(400, 40) },
  );
});

test('a file of several targets is parsed once, and one of a single target is not kept', async () => {
  process.chdir(await folder({}));
  onTestFinished(() => process.chdir(HERE));
  write({
    'chatform.yaml': `version: 1
manifest: [m]
defaults: { base_url: "https://api.example.com/\${target.name}", vars: { shop: s } }
targets: { a: { overlays: [own, both.yaml] }, b: { overlays: [./both.yaml] } }
`,
    'm/one.yaml': MANIFEST,
    'both.yaml': 'groups: { sales: { language_code: pl } }\n',
    'own/a.yaml': 'groups: { sales: { language_code: en } }\n',
  });
  const { io } = await openProjectFile({}, SURROUNDINGS);
  const isKept = async (file: string) => {
    const first = await readFile(file, io);
    return (await readFile(file, io)) === first;
  };
  expect(await isKept('m/one.yaml')).toBe(true);
  expect(await isKept('both.yaml')).toBe(true);
  expect(await isKept('own/a.yaml')).toBe(false);
});

test('a project that is opened is read no more, nor a file that is kept', async () => {
  process.chdir(await folder({}));
  onTestFinished(() => process.chdir(HERE));
  write({
    'chatform.yaml': 'version: 1\nmanifest: [m.yaml]\ntargets: { a: { base_url: "https://x", vars: { shop: s } } }\n',
    'm.yaml': MANIFEST,
  });
  const opened = await openProjectFile({}, SURROUNDINGS);
  const before = await seen({ target: 'a', opened });
  write({ 'chatform.yaml': '[', 'm.yaml': '[' });
  expect(await seen({ target: 'a', opened })).toEqual(before);
  expect(before.desired).not.toBeNull();
});

test('a file that cannot be read is asked for once', async () => {
  let reads = 0;
  const { read, ...others } = memoryDisk({});
  const system = remembering(
    {
      ...others,
      read: (path, most) => {
        reads += 1;
        return read(path, most);
      },
    },
    () => true,
  );
  expect(await readFile('m.yaml', system)).toBe(await readFile('m.yaml', system));
  expect(reads).toBe(1);
  expect(disk().once).toBeUndefined();
});
