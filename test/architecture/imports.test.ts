// The import rule of the design: data flows one way, the emulator stands alone, and only one file knows the network.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const statements = [...text.matchAll(/(?:^|\n)(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/g)];
  const dynamic = [...text.matchAll(/\bimport\('([^']+)'\)/g)].map((match) => ['', undefined, match[1]] as const);
  return [...statements, ...dynamic].flatMap((match): readonly Import[] => {
    const specifier = match[2];
    if (specifier === undefined) return [];
    const to = specifier.startsWith('.') ? relative(SRC, resolve(SRC, dirname(file), specifier)) : specifier;
    return [{ from: file, to, typeOnly: match[1] !== undefined }];
  });
}

const IMPORTS = FILES.flatMap(importsOf);

/** The part of the house a file belongs to: its folder, or its own name at the top. */
function partOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? path) : path;
}

/** What each part may import of ours, besides itself. */
const MAY_IMPORT: { readonly [part: string]: readonly string[] } = {
  'model.ts': [],
  'errors.ts': ['model.ts'],
  'canonical.ts': ['model.ts'],
  'few.ts': [],
  'once-per.ts': [],
  'url.ts': [],
  service: ['model.ts', 'errors.ts', 'url.ts'],
  kinds: ['model.ts', 'errors.ts', 'canonical.ts', 'once-per.ts', 'service'],
  manifest: ['model.ts', 'errors.ts', 'canonical.ts', 'kinds', 'routing'],
  policy: ['model.ts'],
  project: ['model.ts', 'errors.ts', 'canonical.ts', 'url.ts', 'kinds', 'manifest', 'policy', 'drift', 'routing'],
  'view.ts': ['model.ts', 'kinds'],
  'live.ts': ['model.ts', 'errors.ts', 'canonical.ts', 'kinds', 'service', 'view.ts'],
  routing: ['model.ts', 'canonical.ts', 'url.ts', 'kinds'],
  plan: ['model.ts', 'errors.ts', 'canonical.ts', 'few.ts', 'once-per.ts', 'kinds', 'service', 'routing'],
  ledger: ['model.ts', 'errors.ts', 'kinds'],
  apply: ['model.ts', 'errors.ts', 'canonical.ts', 'kinds', 'service', 'plan', 'ledger', 'view.ts', 'live.ts'],
  cover: ['model.ts', 'canonical.ts', 'kinds', 'plan', 'routing'],
  drift: ['model.ts', 'canonical.ts', 'kinds', 'plan'],
  import: ['model.ts', 'errors.ts', 'canonical.ts', 'kinds', 'manifest', 'plan', 'edit'],
  show: ['model.ts', 'canonical.ts', 'kinds', 'manifest', 'view.ts', 'plan', 'drift', 'routing'],
  edit: ['model.ts', 'errors.ts', 'canonical.ts', 'kinds', 'manifest'],
  accept: ['model.ts', 'errors.ts', 'canonical.ts', 'kinds', 'manifest', 'plan', 'drift', 'edit', 'import'],
  rehearse: ['model.ts', 'kinds', 'service'],
  saved: ['model.ts', 'errors.ts', 'canonical.ts', 'kinds', 'plan'],
  snapshot: ['model.ts', 'errors.ts', 'canonical.ts', 'kinds', 'plan', 'ledger', 'view.ts', 'saved'],
  undo: ['model.ts', 'errors.ts', 'canonical.ts', 'kinds', 'plan', 'ledger'],
  doctor: ['model.ts', 'errors.ts', 'url.ts', 'kinds', 'service', 'plan'],
  notify: ['model.ts', 'errors.ts', 'canonical.ts', 'kinds', 'service', 'plan', 'drift', 'render'],
  hosts: ['model.ts', 'errors.ts', 'url.ts', 'kinds', 'service', 'render'],
  render: ['model.ts', 'errors.ts', 'few.ts', 'once-per.ts'],
  emulator: [],
};

test('data flows one way: every part imports only what stands before it', () => {
  const wrong = IMPORTS.filter(({ from, to, typeOnly }) => {
    if (!to.endsWith('.ts')) return false;
    const [part, target] = [partOf(from), partOf(to)];
    const allowed = MAY_IMPORT[part];
    if (allowed === undefined || part === target) return false;
    // The types of plans and reports are nouns; the renderer may name them and never run what makes them.
    if (part === 'render' && typeOnly) return false;
    return !allowed.includes(target);
  });
  expect(wrong).toEqual([]);
});

test('the planner and the doctor read the table of actions and nothing else of the service', () => {
  const wrong = IMPORTS.filter(
    ({ from, to, typeOnly }) =>
      (['plan', 'kinds'].includes(partOf(from)) || (partOf(from) === 'doctor' && !typeOnly)) &&
      to.startsWith('service/') &&
      !/^service\/(actions|scopes)\.ts$/.test(to),
  );
  expect(wrong).toEqual([]);
});

test('notifications and comments go over an exchange, and know nothing else of the service', () => {
  const wrong = IMPORTS.filter(
    ({ from, to, typeOnly }) =>
      ['notify', 'hosts'].includes(partOf(from)) && to.startsWith('service/') && !typeOnly && to !== 'service/pause.ts',
  );
  expect(wrong).toEqual([]);
});

test('only the network client imports undici', () => {
  expect(IMPORTS.filter(({ to }) => to === 'undici').map(({ from }) => from)).toEqual(['service/http.ts']);
});

test('only the rules of policies import CEL, and whoever has no policy does not wait for it', () => {
  const wrong = IMPORTS.filter(({ to }) => to === '@marcbachmann/cel-js' || to.startsWith('policy/'));
  expect(wrong.filter(({ to, from }) => !to.startsWith('policy/') && !from.startsWith('policy/'))).toEqual([]);
  const text = FILES.map((file) => readFileSync(join(SRC, file), 'utf8')).join('\n');
  expect(text).not.toMatch(/^import (?!type).*'(@marcbachmann\/cel-js|\.\.?\/(?:policy\/)?judge\.ts)'/m);
});

const PURE = [
  'rehearse',
  'plan',
  'saved',
  'snapshot',
  'routing',
  'cover',
  'doctor',
  'undo',
  'drift',
  'show',
  'edit',
  'accept',
  'import',
];

test('the planner and all that only thinks like it touch no network, disk, clock or randomness', () => {
  const text = FILES.filter((file) => PURE.includes(partOf(file))).map(
    (file) => [file, readFileSync(join(SRC, file), 'utf8')] as const,
  );
  const impure = text.filter(([, code]) =>
    /node:(fs|net|http|timers|child_process)|\bDate\b(?!\.parse|`)|Math\.random|\bfetch\(|setTimeout|process\./.test(
      code,
    ),
  );
  expect(impure.map(([file]) => file)).toEqual([]);
});

test('no kind is known by name outside of the kinds', () => {
  const names = /['"](agent|group|bot|bot_template|auto_access|property|license_property|group_property)['"]/;
  const decides =
    /(===|!==|case)\s*['"](agent|group|bot|bot_template|auto_access|property|license_property|group_property)['"]/;
  const wrong = FILES.filter((file) => !['kinds', 'emulator', 'model.ts'].includes(partOf(file))).filter((file) => {
    const code = readFileSync(join(SRC, file), 'utf8');
    return names.test(code) && decides.test(code);
  });
  expect(wrong).toEqual([]);
});

test('nobody asks URL.canParse, which Node 20 gets wrong as soon as it is asked often', () => {
  expect(FILES.filter((file) => /URL\.canParse\(/.test(readFileSync(join(SRC, file), 'utf8')))).toEqual([]);
});

test('the only classes are the errors', () => {
  const withClasses = FILES.filter((file) =>
    /^\s*(export\s+)?(abstract\s+)?class\s/m.test(readFileSync(join(SRC, file), 'utf8')),
  );
  expect(withClasses).toEqual(['errors.ts']);
});

test('every file says in its first lines what it is', () => {
  const silent = FILES.filter((file) => !/^(#!.*\n)?\/\/ /.test(readFileSync(join(SRC, file), 'utf8')));
  expect(silent).toEqual([]);
});
