// The matrix of operations: each in each situation, with what must be in every format of its reports.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { FORMATS, type Format } from '../../src/many/formats.ts';
import { ownFormats, writersOf } from './writers.ts';

const WRITERS = await writersOf();

export const PROJECT = `version: 1
fleet: { max_failures: 100 }
manifest: [manifest.yaml]
targets:
  calm: { base_url: "emulator:calm.json" }
  odd: { base_url: "emulator:odd.json" }
  unapplied: { base_url: "emulator:unapplied.json" }
  misrouted: { base_url: "emulator:misrouted.json", overlays: [misrouted.yaml] }
  edited: { base_url: "emulator:edited.json", overlays: [edited.yaml] }
  nightly: { base_url: "emulator:nightly.json", overlays: [nightly.yaml] }
  shrunk: { base_url: "emulator:shrunk.json", overlays: [shrunk.yaml] }
  broken: { base_url: "emulator:broken.json", overlays: [broken.yaml] }
  away: { base_url: "http://127.0.0.1:9", plain_http: true, token_env: TOKEN, request_timeout: 1s, run_timeout: 1s }
`;

export const FILES = {
  'chatform.yaml': PROJECT,
  'manifest.yaml': `version: 1
agents: { ann@example.com: { name: Ann } }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: normal } } }
auto_access:
  - { key: pricing, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
routes: [{ name: prices, when: { url: "https://shop.example/pricing" }, expect: sales }]
`,
  'misrouted.yaml': 'version: 1\nroutes: [{ name: astray, when: { url: "https://shop.example/" }, expect: sales }]\n',
  'edited.yaml': 'version: 1\ngroups: { sales: { language_code: en } }\n',
  'nightly.yaml':
    'version: 1\nagents: { ann@example.com: { work_scheduler: { timezone: UTC, schedule: [{ day: monday, enabled: true, start: "22:00", end: "06:00" }] } } }\n',
  'shrunk.yaml': 'version: 1\ngroups: { a: { name: A }, b: { name: B }, c: { name: C } }\n',
  'broken.yaml': 'version: 1\n',
};

export interface Operation {
  readonly args: readonly string[];
  /** The target on which something differs, or is wrong; what says so, in every format. */
  readonly odd: string;
  readonly differs: RegExp;
  /** Exit code of that target alone. */
  readonly code: number;
  /** It finds nothing that a program could show next to a line. */
  readonly isView?: true;
  /** It needs no manifest, so that errors in it are none of its own. */
  readonly needsFiles?: false;
  /** It asks no service, so that nothing is out of reach. */
  readonly isOffline?: true;
  /** Errors in the files are its result. */
  readonly findsErrors?: true;
  /** What it finds on the odd target means that it has not done its work. */
  readonly fails?: true;
  /** It is about targets that a run changed: another one is absent. */
  readonly isOfRun?: true;
  /** That a service is out of reach is its result. */
  readonly findsAway?: true;
}

export const OPERATIONS: { readonly [name: string]: Operation } = {
  plan: { args: ['plan'], odd: 'unapplied', differs: /pricing/, code: 0 },
  apply: { args: ['apply', '--yes'], odd: 'shrunk', differs: /max_delete_percent/, code: 3, fails: true },
  drift: { args: ['drift'], odd: 'unapplied', differs: /pricing/, code: 2 },
  'import --plan': { args: ['import', '--plan'], odd: 'odd', differs: /owner@/, code: 0, isView: true },
  validate: {
    args: ['validate'],
    odd: 'misrouted',
    differs: /route-failed/,
    code: 1,
    isOffline: true,
    findsErrors: true,
  },
  test: { args: ['test'], odd: 'misrouted', differs: /astray/, code: 1, isOffline: true },
  doctor: { args: ['doctor'], odd: 'broken', differs: /1 error/, code: 1, findsErrors: true, findsAway: true },
  'test --on customer': {
    args: ['test', '--on', 'customer', '--visitor'],
    odd: 'edited',
    differs: /speaks en; language_code says pl/,
    code: 2,
  },
  'test --on live': { args: ['test', '--on', 'live'], odd: 'misrouted', differs: /astray/, code: 1 },
  explain: {
    args: ['explain', '--url', 'https://shop.example/pricing', '--on', 'both'],
    odd: 'unapplied',
    differs: /auto_access\/pricing/,
    code: 0,
  },
  coverage: { args: ['coverage'], odd: 'nightly', differs: /overnight-shift|group\/sales/, code: 0, isOffline: true },
  report: {
    args: ['report', 'total_chats', '--from', '2025-10-06', '--to', '2025-10-06'],
    odd: 'odd',
    differs: /2025-10-06/,
    code: 0,
    isView: true,
    needsFiles: false,
  },
  show: { args: ['show', 'agents'], odd: 'odd', differs: /ann@example\.com/, code: 0, isView: true, needsFiles: false },
  'show members': {
    args: ['show', 'members'],
    odd: 'odd',
    differs: /ann@example\.com/,
    code: 0,
    isView: true,
    needsFiles: false,
  },
  'undo --plan': {
    args: ['undo', '--plan'],
    odd: 'odd',
    differs: /sales/,
    code: 0,
    isView: true,
    needsFiles: false,
    isOffline: true,
    isOfRun: true,
  },
  history: {
    args: ['history'],
    odd: 'odd',
    differs: /apply/,
    code: 0,
    isView: true,
    needsFiles: false,
    isOffline: true,
  },
};

export const SITUATIONS = ['one', 'many', 'one of many fails', 'one of many is out of reach'] as const;
export type Situation = (typeof SITUATIONS)[number];

export function chosenFor(situation: Situation, { odd }: Operation): readonly string[] {
  switch (situation) {
    case 'one':
      return [odd];
    case 'many':
      return ['calm', odd];
    case 'one of many fails':
      return ['calm', 'broken'];
    case 'one of many is out of reach':
      return ['calm', 'away'];
  }
}

/** Targets that are applied; then the files of some of them change. */
export const APPLIED = ['calm', 'odd', 'edited', 'shrunk', 'broken'];

export async function changeFiles(cwd: string): Promise<void> {
  await writeFile(join(cwd, 'edited.yaml'), FILES['edited.yaml'].replace('en', 'pl'));
  await writeFile(join(cwd, 'shrunk.yaml'), 'version: 1\n');
  await writeFile(join(cwd, 'broken.yaml'), 'version: 1\ngroups: { sales: { nmae: Sales } }\n');
}

/** A report in each format. */
export const REPORTS = FORMATS.flatMap((format) => ['--report', `${format}=report.${format}`]);

/** What differs, and what failed, is in every format; whether the operation did its work is in SARIF and the exit code. */
export async function expectReports(
  operation: Operation,
  situation: Situation,
  { code, stderr }: { readonly code: number | null; readonly stderr: string },
  cwd: string,
): Promise<void> {
  const targets = chosenFor(situation, operation);
  const isAway = situation === 'one of many is out of reach' && operation.isOffline !== true;
  const isBroken = situation === 'one of many fails';
  const isOdd = situation === 'one' || situation === 'many';
  expect({ code, stderr }).toMatchObject({
    code: isOdd ? operation.code : isAway || (isBroken && operation.needsFiles !== false) ? 1 : 0,
  });
  const isFinding = (format: Format): boolean => ['junit', 'sarif', 'codequality'].includes(format);
  const said = isOdd ? operation.differs : isBroken ? /broken/ : isAway ? /away/ : /^/;
  for (const format of FORMATS) {
    const text = await readFile(join(cwd, `report.${format}`), 'utf8');
    expect(ownFormats(text, WRITERS)).toEqual([format]);
    if (!(operation.isView === true && !isAway && !(isBroken && operation.needsFiles !== false) && isFinding(format)))
      expect([format, text]).toEqual([format, expect.stringMatching(said)]);
    if (format === 'sarif')
      expect(successesIn(text)).toEqual(
        targets.toSorted().map((each) => {
          const isFailed =
            (each === operation.odd && operation.fails === true) ||
            (isBroken && each === 'broken' && operation.findsErrors !== true && operation.needsFiles !== false) ||
            (isAway && each === 'away' && operation.findsAway !== true) ||
            (each === 'away' && operation.isOfRun === true);
          return !isFailed;
        }),
      );
  }
}

function successesIn(sarif: string): readonly boolean[] {
  const { runs } = JSON.parse(sarif);
  return runs.map(
    ({ invocations: [{ executionSuccessful }] }: { invocations: [{ executionSuccessful: boolean }] }) =>
      executionSuccessful,
  );
}
