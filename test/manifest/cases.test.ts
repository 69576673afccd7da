// The golden cases: manifests in `cases/`, each with the diagnostics it gets.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Diagnostic, DiagnosticCode, JsonObject, Place, Version } from '../../src/base/model.ts';
import type { KindLimits } from '../../src/kinds/limits.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { memoryDisk } from './memory-disk.ts';

interface Case {
  readonly name: string;
  readonly manifest?: string;
  /** Leaves the text as it is; otherwise it gets its `version: 1`. */
  readonly raw?: true;
  readonly files?: { readonly [name: string]: string };
  readonly read?: readonly string[];
  readonly overlays?: { readonly [name: string]: string };
  /** Tables of people. */
  readonly tables?: { readonly [name: string]: string };
  /** Of the target, where no file has them. */
  readonly vars?: JsonObject;
  readonly varFiles?: { readonly [name: string]: string };
  /** `--var`. */
  readonly flags?: { readonly [name: string]: string };
  readonly env?: { readonly [name: string]: string };
  readonly version?: Version;
  readonly credential?: 'bearer' | 'basic';
  /** `limits:` of the target. */
  readonly limits?: Partial<KindLimits>;
  /** `LINE:COLUMN code`, with the file where it is not the only manifest. */
  readonly expect: readonly string[];
  /** What the message of the first has to name. */
  readonly message?: string;
  /** What its remedy has to name. */
  readonly remedy?: string;
  /** Where the first refers to. */
  readonly related?: readonly string[];
}

const MAIN = 'manifest.yaml';
const FOLDER = new URL('cases/', import.meta.url);

const files = readdirSync(FOLDER).map((name): [string, readonly Case[]] => [
  name,
  parse(readFileSync(new URL(name, FOLDER), 'utf8')),
]);

function versioned({ raw }: Case, text: string): string {
  return raw === true || /^%|^version:/m.test(text) ? text : `${text}${text.endsWith('\n') ? '' : '\n'}version: 1\n`;
}

async function run(golden: Case) {
  const manifests = Object.entries(golden.files ?? { [MAIN]: golden.manifest ?? '' });
  const texts = Object.fromEntries(manifests.map(([name, text]) => [name, versioned(golden, text)]));
  const others = { ...golden.overlays, ...golden.varFiles, ...golden.tables };
  const io = memoryDisk({ ...texts, ...others });
  const loaded = await loadManifest({
    files: golden.read ?? Object.keys(texts),
    overlays: Object.keys(golden.overlays ?? {}),
    vars: golden.vars ?? {},
    varFiles: Object.keys(golden.varFiles ?? {}),
    flags: golden.flags ?? {},
    env: golden.env ?? {},
    version: golden.version ?? '3.6',
    credential: golden.credential ?? 'bearer',
    limits: golden.limits ?? {},
    now: Date.UTC(2026, 10, 23, 12),
    io,
  });
  const flags = Object.entries(golden.flags ?? {}).map(([name, text]) => [`--var ${name}`, text]);
  return { loaded, texts: { ...texts, ...others, ...Object.fromEntries(flags) } };
}

function position({ file, line, column }: Place): string {
  return file === MAIN ? `${line}:${column}` : `${file}:${line}:${column}`;
}

function summary({ place, code, severity }: Diagnostic): string {
  return `${position(place)} ${code}${severity === 'warning' ? ' (warning)' : ''}`;
}

describe.each(files)('%s', (_, cases) => {
  test.each(cases.map((golden) => [golden.name, golden] as const))('%s', async (_name, golden) => {
    const { loaded, texts } = await run(golden);
    const { diagnostics, desired } = loaded;
    expect(diagnostics.map(summary)).toEqual(golden.expect);
    expect(desired === null).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    if (golden.message !== undefined) expect(diagnostics[0]?.message).toContain(golden.message);
    if (golden.remedy !== undefined) expect(diagnostics[0]?.remedy).toContain(golden.remedy);
    if (golden.related !== undefined) {
      expect(diagnostics[0]?.related.map(({ place }) => position(place))).toEqual(golden.related);
    }
    for (const { place, excerpt, message, code } of diagnostics) {
      expect(message).not.toMatch(/\.$|^$/);
      if (code === 'file-unreadable') continue;
      expect(excerpt).toBe(texts[place.file]?.split('\n')[place.line - 1]);
      expect(place.column + place.length - 1).toBeLessThanOrEqual(Math.max(1, excerpt?.length ?? 0) + 1);
    }
  });
});

/** Which part of the program gives each code; typed, so that a new one has to be put somewhere. */
const CODES: { readonly [code in DiagnosticCode]: 'manifest' | 'size' | 'elsewhere' } = {
  'file-unreadable': 'manifest',
  'file-too-large': 'size',
  'yaml-syntax': 'manifest',
  'yaml-alias': 'manifest',
  'yaml-tag': 'manifest',
  'duplicate-key': 'manifest',
  'duplicate-declaration': 'manifest',
  'overlay-patch': 'manifest',
  'missing-variable': 'manifest',
  'bad-substitution': 'manifest',
  'wrong-type': 'manifest',
  'unknown-field': 'manifest',
  'missing-field': 'manifest',
  'not-allowed': 'manifest',
  'not-writable': 'manifest',
  'too-long': 'manifest',
  'too-short': 'manifest',
  'out-of-range': 'manifest',
  'bad-format': 'manifest',
  'duplicate-item': 'manifest',
  'exclusive-fields': 'manifest',
  'bad-time': 'manifest',
  'bad-date': 'manifest',
  'bad-timezone': 'manifest',
  'bad-range': 'manifest',
  'bad-default': 'manifest',
  'too-many': 'manifest',
  'dangling-reference': 'manifest',
  'duplicate-name': 'manifest',
  'duplicate-id': 'manifest',
  contradiction: 'manifest',
  'unsupported-by-version': 'manifest',
  'ambiguous-match': 'elsewhere',
  'unknown-target': 'elsewhere',
  'orphaned-target': 'elsewhere',
  'unknown-address': 'manifest',
  'unused-exception': 'elsewhere',
  'not-in-snapshot': 'elsewhere',
  'bad-rule': 'elsewhere',
  'route-failed': 'elsewhere',
  'more-findings': 'size',
  'unreachable-rule': 'elsewhere',
  'never-matches': 'elsewhere',
  'duplicate-rule': 'elsewhere',
  'unlike-a-browser': 'elsewhere',
  'nobody-there': 'elsewhere',
  'idle-agent': 'elsewhere',
  'unrouted-group': 'elsewhere',
  'hand-over': 'elsewhere',
  'lost-cover': 'elsewhere',
  'suspended-member': 'elsewhere',
  'overnight-shift': 'elsewhere',
  'past-exception': 'manifest',
  expired: 'manifest',
  'absence-without-hours': 'manifest',
  'unused-calendar': 'manifest',
  'overlay-near-key': 'manifest',
  'like-a-pattern': 'manifest',
  'stray-blank': 'manifest',
  'unused-column': 'manifest',
  'greeting-never-shows': 'elsewhere',
  'greetings-together': 'elsewhere',
  'past-greeting': 'elsewhere',
  'greeting-switched-off': 'elsewhere',
  'greeting-when-offline': 'elsewhere',
  'bot-webhook-without-bot': 'elsewhere',
  'bots-without-webhooks': 'elsewhere',
  'webhook-switched-off': 'elsewhere',
  'greeting-without-text': 'elsewhere',
};

test('Every code that a manifest can get stands in a case', () => {
  const shown = new Set(
    files.flatMap(([, cases]) => cases.flatMap(({ expect: each }) => each.map((one) => one.split(' ')[1]))),
  );
  const expected = Object.entries(CODES).flatMap(([code, where]) => (where === 'manifest' ? [code] : []));
  expect(expected.filter((code) => !shown.has(code))).toEqual([]);
});
