// Texts that a terminal, a runner or a person would mistake for something else, in every name of a license, of a manifest and of a saved plan: no
// output of any command has them as they are.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TerminalStreams } from '../../src/commands/terminal.ts';
import { terminalAt } from '../../src/commands/terminal.ts';
import { coverageRenderers } from '../../src/render/reports/coverage.ts';
import { driftRenderers, PLAN_REPORTS } from '../../src/render/reports/formats.ts';
import { SHOW_REPORTS } from '../../src/render/reports/show.ts';
import { chatform, filesIn, folder } from '../cli/chatform.ts';
import { fakeTerminal } from '../cli/terminal.ts';

const PAYLOADS: readonly string[] = [
  ...[
    '\u001b[2J',
    '\u001b]0;owned\u0007',
    '\u009b31m',
    '\u001b[8m',
    '\u0007',
    '\u0008\u0008\u0008',
    '\u007f',
    '\u0000',
  ],
  ...[
    '\r',
    '\n::error::',
    '\n  ::set-output name=x::1',
    '::add-mask::a',
    '\u0085::error::',
    '\u2028::error::',
    '\v::stop-commands::',
  ],
  ...['##[error]', '##vso[task.setvariable variable=x]1', '##teamcity[buildStop]', '\n##[group]', '###[endgroup]'],
  ...['\u202e', '\u2066', '\u2069', '\u061c', '\u200e', '\u200f', '\u202a'],
  ...['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u180e', '\u{e0041}', '\u{e0100}'],
  ...['\u2800', '\u3000', '\u17b4', '\u{1d173}', 'a\ufe0f', '\u3164', '\u115f', '\uffa0', '\u00a0', '\u2007', '\u205f'],
  ...['\ufff9', '\ufffe', '\uffff'],
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what must not get out
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]|\r(?!\n)|##\w*\[|^[ \t]*::/m;
const UNSEEN =
  /[\u00a0\u00ad\u061c\u115f\u1160\u17b4\u17b5\u2000-\u200f\u202a-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]|\u034f|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]/u;

/** What an output has as it is; `##` and `::` count only where a runner reads. */
function passed(name: string, text: string): readonly string[] {
  const isLog = name.endsWith('stdout') || name.endsWith('stderr');
  const found = [OBEYED, UNSEEN].flatMap((pattern) => {
    const match = pattern.exec(isLog ? text : text.replaceAll(/^[ \t]*::/gm, ''));
    return match === null ? [] : [JSON.stringify(text.slice(Math.max(0, match.index - 30), match.index + 20))];
  });
  return found.map((excerpt) => `${name}: ${excerpt}`);
}

/** Five in a name, so that few objects have them all. */
const NAMES = Array.from({ length: Math.ceil(PAYLOADS.length / 5) }, (_, at) =>
  PAYLOADS.slice(at * 5, at * 5 + 5).join('z'),
);

/** Every payload in a name of each kind that takes any text. */
function manifest(more: string): string {
  const named = (text: string): string => JSON.stringify(`x${text}y${more}`);
  const groups = NAMES.map((text, at) => `  g${at}: { name: ${named(text)} }\n`).join('');
  const agents = NAMES.map(
    (text, at) =>
      `  a${at}@example.com: { name: ${named(text)}, job_title: ${named(text)}, groups: { g${at}: first } }\n`,
  ).join('');
  const rules = NAMES.map(
    (text, at) =>
      `  - { key: r${at}, description: ${named(text)}, access: { groups: [g${at}] }, conditions: { url: { values: [{ value: /${at}/ }] } } }\n`,
  ).join('');
  return `version: 1\ngroups:\n${groups}agents:\n${agents}auto_access:\n${rules}`;
}

const reports = (formats: readonly string[], name: string): readonly string[] =>
  formats.flatMap((format) => ['--report', `${format}=${name}.${format}`]);

const PROJECT =
  'version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here: { base_url: "emulator:license.json", ledger: ledger.ndjson, max_deletes: 500, max_delete_percent: 100 }\n';

/** Files for programs, whose readers take any text: state of the emulator, the ledger, and the files of the author. */
const FOR_PROGRAMS = /^(license\.json|ledger\.ndjson.*|manifest\.yaml)$/;

test('no name of a license or a manifest reaches a terminal, a log, a document or a report as it is', async () => {
  const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': manifest('') });
  const heard: string[] = [];
  const hear = async (args: readonly string[], codes: readonly number[] = [0, 2]): Promise<void> => {
    const { code, stdout, stderr } = await chatform(args, { cwd });
    expect([args.join(' '), codes.includes(code ?? -1) ? '' : `${code} ${stdout}${stderr}`]).toEqual([
      args.join(' '),
      '',
    ]);
    heard.push(...passed(`${args.join(' ')} stdout`, stdout), ...passed(`${args.join(' ')} stderr`, stderr));
  };
  await hear(['plan', '--details', ...reports(PLAN_REPORTS, 'first'), '--events', 'first.events']);
  await hear(['apply', '--yes', '--log-level', 'debug', '--log-json']);
  await writeFile(join(cwd, 'manifest.yaml'), manifest(' changed'));
  await hear(['plan', '--out', 'plan.json', ...reports(PLAN_REPORTS, 'plan')]);
  await hear(['plan', '--json']);
  await hear(['show', 'plan.json']);
  await hear(['drift', ...reports(Object.keys(driftRenderers), 'drift')]);
  await hear(['drift', '--json']);
  await hear(['show', ...reports(SHOW_REPORTS, 'show')]);
  await hear(['show', 'members', ...reports(SHOW_REPORTS, 'members')]);
  await hear(['show', 'agents', '--csv']);
  await hear(['show', 'group/g0', '--json']);
  await hear(['coverage', ...reports(Object.keys(coverageRenderers), 'coverage')]);
  await hear(['explain', '--url', 'https://example.com/7/']);
  await hear(['validate']);
  await hear(['snapshot', '--out', 'snapshot.json']);
  await hear(['import', '--json'], [0, 1]);
  await hear(['ledger', 'show']);
  await hear(['api', 'list_groups', '-d', '{}']);
  await hear(['apply', '--yes', 'plan.json']);
  for (const [name, text] of Object.entries(await filesIn(cwd)))
    if (!FOR_PROGRAMS.test(name)) heard.push(...passed(name, text));
  expect(heard).toEqual([]);
}, 120_000);

test('no text of a forged plan does either', async () => {
  const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': manifest('') });
  await chatform(['plan', '--out', 'plan.json'], { cwd });
  const saved: string = await readFile(join(cwd, 'plan.json'), 'utf8');
  const texts = [...new Set(saved.match(/"(?:[^"\\]|\\.)*"/g))].filter((text) => text.length > 2);
  const heard: string[] = [];
  for (const [at, payload] of PAYLOADS.entries())
    for (const text of [texts[(at * 7) % texts.length] ?? '', texts[(at * 13 + 5) % texts.length] ?? '']) {
      const forged = `${text.slice(0, -1)}${JSON.stringify(payload).slice(1)}`;
      await writeFile(
        join(cwd, 'forged.json'),
        saved.replaceAll(text, () => forged),
      );
      const { stdout, stderr } = await chatform(['show', 'forged.json'], { cwd });
      heard.push(...passed(`${text} stdout`, stdout), ...passed(`${text} stderr`, stderr));
    }
  expect(heard).toEqual([]);
}, 120_000);

/** The members of a terminal that take a text of ours. */
type Sink = {
  [member in keyof TerminalStreams]-?: NonNullable<TerminalStreams[member]> extends (...args: infer A) => unknown
    ? A extends readonly [first: infer First, ...rest: readonly unknown[]]
      ? string extends First
        ? member
        : never
      : never
    : never;
}[keyof TerminalStreams];

test.each(PAYLOADS.map((payload) => [JSON.stringify(payload), payload]))(
  'no sink of a terminal takes %s',
  async (_, payload) => {
    const heard: string[] = [];
    const hear = (text: string | null): void => void heard.push(text ?? '');
    const sinks: Required<Pick<TerminalStreams, Sink>> = {
      out: hear,
      err: hear,
      status: hear,
      ask: async (question) => {
        hear(question);
        return null;
      },
    };
    const { terminal: seat } = fakeTerminal(null);
    const terminal = await terminalAt({ ...seat, ...sinks }, { logLevel: 'debug', logJson: false, quiet: false });
    terminal.out(payload);
    terminal.err(payload);
    await terminal.ask(payload);
    terminal.log('info', payload, { [payload]: payload });
    terminal.notice({ type: 'working', verb: payload, done: null, total: 1, noun: payload });
    terminal.notice({ type: 'license-doubt', reason: payload });
    expect(heard.length).toBeGreaterThanOrEqual(6);
    expect(heard.flatMap((text) => passed('stdout', text))).toEqual([]);
  },
);
