// Import rule of the design: data flows one way, the emulator stands on `base/` alone, and one file opens sockets to the service.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { KIND_NAMES } from '../../src/kinds/index.ts';

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

/** The room a file is in: its folder, or its own name at the top. */
function roomOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? path) : path;
}

/** Each room, and the rooms that it may import; every one of them stands above it. A file at the top is a room of its own. */
const ROOMS: { readonly [room: string]: readonly string[] | 'all' } = {
  base: [],
  yaml: ['base'],
  service: ['base'],
  kinds: ['base', 'service'],
  routing: ['base', 'kinds'],
  manifest: ['base', 'yaml', 'kinds', 'routing'],
  ledger: ['base', 'service', 'kinds'],
  plan: ['base', 'service', 'kinds', 'routing'],
  project: ['base', 'yaml', 'kinds', 'routing', 'manifest', 'ledger'],
  authoring: ['base', 'yaml', 'kinds', 'manifest', 'plan'],
  target: ['base', 'yaml', 'service', 'manifest', 'ledger', 'project'],
  license: ['base', 'service', 'kinds', 'ledger', 'plan', 'project', 'target', 'emulator'],
  demand: ['base', 'service', 'routing', 'project', 'target', 'license'],
  planning: [
    'base',
    'yaml',
    'kinds',
    'routing',
    'manifest',
    'ledger',
    'plan',
    'project',
    'target',
    'license',
    'demand',
  ],
  apply: ['base', 'service', 'kinds', 'ledger', 'plan', 'project', 'target', 'license', 'planning'],
  view: 'all',
  outlets: ['base', 'service', 'project', 'authoring', 'target', 'demand', 'view'],
  many: ['base', 'yaml', 'service', 'ledger', 'plan', 'project', 'target', 'license', 'planning', 'apply', 'view'],
  command: ['base', 'yaml', 'service', 'ledger', 'project', 'target', 'license', 'view', 'outlets', 'many'],
  emulator: ['base'],
  features: 'all',
  library: 'all',
  'command-line.ts': 'all',
  'cli.ts': ['base', 'command-line.ts'],
  'index.ts': 'all',
  'client.ts': ['base', 'service'],
  'parts.ts': 'all',
};

/** A file of a feature that only thinks, by its name: no command, no operation, nothing that reads, writes or serves, no entry of a script of a page. */
function isNoun(path: string): boolean {
  return (
    roomOf(path) === 'features' &&
    !/(?:^|[/-])(?:command|operation|validator|script)\.ts$|\/(?:read|send|serve|write|worker)-[\w-]+\.ts$/.test(path)
  );
}

test('every folder and every file at the top is a room with a list of what it may import', () => {
  expect([...new Set(FILES.map(roomOf))].sort()).toEqual(Object.keys(ROOMS).sort());
});

test('data flows one way: a room imports only rooms on its list, types included', () => {
  const wrong = IMPORTS.filter(({ from, to }) => {
    if (!to.endsWith('.ts')) return false;
    const [room, target] = [roomOf(from), roomOf(to)];
    const allowed = ROOMS[room] ?? [];
    return room !== target && allowed !== 'all' && !allowed.includes(target);
  });
  expect(wrong).toEqual([]);
});

/** Which features ask which others. A new pair is a decision. */
const FEATURES: { readonly [feature: string]: readonly string[] } = {
  apply: ['fleet', 'plan', 'report', 'test'],
  ci: ['plan', 'test'],
  diff: ['plan', 'show'],
  doctor: ['init', 'test'],
  fleet: ['apply', 'drift', 'ledger', 'plan', 'report', 'test', 'undo'],
  history: ['ledger', 'undo'],
  import: ['init'],
  init: ['import', 'plan'],
  plan: ['coverage', 'test'],
  secrets: ['apply'],
  show: ['coverage', 'plan', 'test', 'ui'],
  ui: ['coverage', 'drift', 'explain', 'history', 'plan', 'show'],
  undo: ['apply', 'history', 'plan'],
};

test('a feature asks only the features on its list, and each name on a list is needed', () => {
  const featureOf = (path: string): string => path.split('/')[1] ?? path;
  const pairs = IMPORTS.filter(
    ({ from, to }) => roomOf(from) === 'features' && roomOf(to) === 'features' && featureOf(from) !== featureOf(to),
  ).map(({ from, to }) => `${featureOf(from)} ${featureOf(to)}`);
  const allowed = Object.entries(FEATURES).flatMap(([from, others]) => others.map((to) => `${from} ${to}`));
  expect([...new Set(pairs)].sort()).toEqual(allowed.sort());
});

/** Files that import each other, in any circle. */
function circles(): readonly (readonly string[])[] {
  const targets = new Map(FILES.map((file) => [file, new Set<string>()]));
  for (const { from, to } of IMPORTS) if (targets.has(to)) targets.get(from)?.add(to);
  const reached = new Map(
    FILES.map((file) => {
      const seen = new Set<string>();
      const open = [file];
      for (let next = open.pop(); next !== undefined; next = open.pop())
        for (const target of targets.get(next) ?? [])
          if (!seen.has(target)) {
            seen.add(target);
            open.push(target);
          }
      return [file, seen];
    }),
  );
  const circleOf = (file: string) =>
    [...(reached.get(file) ?? [])].filter((other) => reached.get(other)?.has(file) === true).sort();
  return FILES.toSorted()
    .map((file) => [file, circleOf(file)] as const)
    .filter(([file, circle]) => circle[0] === file)
    .map(([, circle]) => circle);
}

test('no two files import each other, in any circle, types included', () => {
  expect(circles()).toEqual([]);
});

test('views and writers name the types of plans and reports, and run nothing that makes them', () => {
  const wrong = IMPORTS.filter(
    ({ from, to, typeOnly }) =>
      roomOf(from) === 'view' && to.endsWith('.ts') && !['view', 'base', 'kinds'].includes(roomOf(to)) && !typeOnly,
  );
  expect(wrong).toEqual([]);
});

test('the planner and the doctor read the table of an API and nothing else of the service', () => {
  const wrong = IMPORTS.filter(
    ({ from, to, typeOnly }) =>
      (['plan', 'kinds'].includes(roomOf(from)) ||
        (from.startsWith('features/doctor/') && isNoun(from) && !typeOnly)) &&
      to.startsWith('service/') &&
      !/^service\/(agent|api|configuration|scopes)\.ts$/.test(to),
  );
  expect(wrong).toEqual([]);
});

/** The files of an API: its table, its messages, and the objects in them. */
const OF_AN_API = /^service\/(?:agent|configuration|customer|reports)(?:-messages|-objects)?\.ts$/;

test('nothing generic of the service names an API, and no API names another', () => {
  const apiOf = (path: string): string => path.replace(/-(messages|objects)\.ts$|\.ts$/, '');
  const named = IMPORTS.filter(({ from, to }) => roomOf(from) === 'service' && OF_AN_API.test(to));
  expect(named.filter(({ from, to }) => apiOf(from) !== apiOf(to))).toEqual([]);
  expect(FILES.filter((file) => OF_AN_API.test(file))).toHaveLength(11);
});

/** What each folder of the emulator may import. Chats are state that several APIs show, and stand on the configuration. */
const EMULATOR: { readonly [folder: string]: readonly string[] } = {
  engine: ['engine'],
  configuration: ['engine', 'configuration'],
  chats: ['engine', 'configuration', 'chats'],
  customer: ['engine', 'configuration', 'chats', 'customer'],
  accounts: ['engine', 'configuration', 'chats', 'accounts'],
  agent: ['engine', 'configuration', 'chats', 'agent'],
  reports: ['engine', 'configuration', 'chats', 'customer', 'reports'],
  traffic: ['engine', 'configuration', 'chats', 'customer', 'traffic'],
};
/** The status of a group is that of its staff, which the routing of chats knows. */
const UPWARDS = ['emulator/configuration/groups.ts emulator/chats/routing.ts'];

test('the engine of the emulator knows no API, an API knows only the state that it shows, and of the rest all need base and Node', () => {
  const folderOf = (path: string): string => path.split('/')[1] ?? path;
  const inside = IMPORTS.filter(({ from }) => roomOf(from) === 'emulator' && from !== 'emulator/index.ts');
  const wrong = inside.filter(({ from, to }) =>
    roomOf(to) === 'emulator'
      ? EMULATOR[folderOf(from)]?.includes(folderOf(to)) !== true
      : !/^(?:base\/|node:|ws$)/.test(to),
  );
  expect(wrong.map(({ from, to }) => `${from} ${to}`)).toEqual(UPWARDS);
  expect(new Set(inside.map(({ from }) => folderOf(from)))).toEqual(new Set(Object.keys(EMULATOR)));
});

test('notifications and comments have a line and a redactor of the service, and know none of its actions', () => {
  const wrong = IMPORTS.filter(
    ({ from, to, typeOnly }) =>
      roomOf(from) === 'outlets' &&
      to.startsWith('service/') &&
      !typeOnly &&
      !/^service\/(http|credential|patience\/pause)\.ts$/.test(to),
  );
  expect(wrong).toEqual([]);
});

test('only one file loads the engine of runs on PostgreSQL, and only when it is asked to', () => {
  const loads = IMPORTS.filter(({ to, typeOnly }) => to === '@dbos-inc/dbos-sdk' && !typeOnly);
  expect(new Set(loads.map(({ from }) => from))).toEqual(new Set(['many/workers/dbos.ts']));
  expect(readFileSync(join(SRC, 'many/workers/dbos.ts'), 'utf8')).not.toMatch(/^import (?!type).*dbos-sdk/m);
});

test('only the network clients import undici, and only the server of WebSockets loads ws, with the first one', () => {
  expect(
    IMPORTS.filter(({ to }) => to === 'undici')
      .map(({ from }) => from)
      .sort(),
  ).toEqual(['service/http.ts', 'service/websocket.ts']);
  expect(IMPORTS.filter(({ to }) => to === 'ws').map(({ from }) => from)).toEqual(['emulator/engine/sockets.ts']);
  expect(readFileSync(join(SRC, 'emulator/engine/sockets.ts'), 'utf8')).not.toMatch(/^import (?!type).*'ws'/m);
});

test('only these files open a server: the emulator, the port of a worker, and the page of a license', () => {
  const servers = IMPORTS.filter(
    ({ to, typeOnly }) => /^node:(?:http|https|http2|net|dgram)$/.test(to) && !typeOnly,
  ).filter(({ from }) => /\bcreateServer\b|\bcreateSocket\b/.test(readFileSync(join(SRC, from), 'utf8')));
  expect([...new Set(servers.map(({ from }) => from))].sort()).toEqual([
    'emulator/engine/listen.ts',
    'features/fleet/worker-port.ts',
    'features/ui/serve-page.ts',
  ]);
});

test('only the rules of policies import CEL, and whoever has no policy does not wait for it', () => {
  const wrong = IMPORTS.filter(({ to }) => to === '@marcbachmann/cel-js' || to.startsWith('project/policies/'));
  expect(wrong.filter(({ to, from }) => !to.startsWith('project/') && !from.startsWith('project/'))).toEqual([]);
  const atOnce = FILES.flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/^import (?!type)[^;]*'([^']+)';/gm)].map(([, to = '']) =>
      to.startsWith('.') ? relative(SRC, resolve(SRC, dirname(file), to)) : to,
    ),
  );
  expect(atOnce).not.toContain('@marcbachmann/cel-js');
  expect(atOnce).not.toContain('project/policies/judge.ts');
});

test('no file makes a formatter when it is loaded: that takes longer than most commands', () => {
  const wrong = FILES.filter((file) => /^\S.*\bnew Intl\./m.test(readFileSync(join(SRC, file), 'utf8')));
  expect(wrong).toEqual([]);
});

const PURE = ['routing', 'plan', 'authoring', 'demand'];
/** What of them reads or writes. */
const IMPURE_FILES = [
  'authoring/files.ts',
  'authoring/tables.ts',
  'demand/ask.ts',
  'demand/cache.ts',
  'demand/read.ts',
];
/** The decisions of a fleet run, which every driver shares. */
const PURE_FILES = [
  'many/log/events.ts',
  'many/log/log.ts',
  'many/next.ts',
  'many/spec.ts',
  'many/schedule.ts',
  'many/turns.ts',
];

test('the planner and all that only thinks like it touch no network, disk, clock or randomness', () => {
  const isPure = (file: string): boolean =>
    (PURE.includes(roomOf(file)) && !IMPURE_FILES.includes(file)) || PURE_FILES.includes(file) || isNoun(file);
  const text = FILES.filter(isPure).map((file) => [file, readFileSync(join(SRC, file), 'utf8')] as const);
  const impure = text.filter(([, code]) =>
    /node:(fs|net|http|timers|child_process)|\bDate\.now\b|new Date\(\)|Math\.random|\bfetch\(|setTimeout|process\./.test(
      code,
    ),
  );
  expect(impure.map(([file]) => file)).toEqual([]);
});

test('no kind is known by name outside of the kinds', () => {
  const names = new RegExp(`['"](${KIND_NAMES.join('|')})['"]`);
  const decides = new RegExp(`(===|!==|case)\\s*['"](${KIND_NAMES.join('|')})['"]`);
  const wrong = FILES.filter(
    (file) => !['kinds', 'emulator'].includes(roomOf(file)) && file !== 'base/model.ts',
  ).filter((file) => {
    // A channel of notifications is a webhook also, of another sort.
    if (file.startsWith('outlets/notify/')) return false;
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
  expect(withClasses).toEqual(['base/errors.ts']);
});

test('no two files export a type of one name: a name means one thing', () => {
  const declared = FILES.flatMap((file) =>
    Array.from(
      readFileSync(join(SRC, file), 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm),
      ([, name = '']) => `${name} ${file}`,
    ),
  ).sort();
  const nameOf = (entry: string | undefined): string | undefined => entry?.split(' ')[0];
  const isTwice = (entry: string, at: number): boolean =>
    [declared[at - 1], declared[at + 1]].some((other) => nameOf(other) === nameOf(entry));
  expect(declared.filter(isTwice)).toEqual([]);
});

test('every file says in its first lines what it is', () => {
  const silent = FILES.filter((file) => !/^(#!.*\n)?\/\/ /.test(readFileSync(join(SRC, file), 'utf8')));
  expect(silent).toEqual([]);
});
