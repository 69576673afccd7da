// Texts that a terminal, a runner or a person would mistake for something else, in every name of a license, of a manifest and of a saved plan, and in
// every place of an answer: no output of any command has them as they are. The golden file lists the outputs that were tried.

import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TerminalStreams } from '../../src/command/terminal.ts';
import { terminalAt } from '../../src/command/terminal.ts';
import { FORMATS } from '../../src/many/formats.ts';
import { chatform, filesIn, folder, withoutLease } from '../cli/chatform.ts';
import { atTerminal, fakeTerminal } from '../cli/terminal.ts';
import { driftRenderers } from '../features/drift/outputs.ts';
import { PLAN_REPORTS } from '../features/plan/outputs.ts';
import { forged } from '../forged.ts';
import { PAYLOADS, passed } from '../payloads.ts';
import { tries } from '../tries.ts';

/** Looks at outputs, and remembers which. */
function watching() {
  const outputs = new Set<string>();
  const found: string[] = [];
  return {
    look: (name: string, text: string): void => {
      outputs.add(name);
      found.push(...passed(name, text));
    },
    /** Holds that nothing got through, and which outputs every payload was tried at. */
    expectNothing: (): void => {
      expect(found).toEqual([]);
      expect({ payloads: PAYLOADS.length, outputs: [...outputs].sort() }).toMatchSnapshot();
    },
  };
}

/** So many in a text. */
const joined = (most: number): readonly string[] =>
  Array.from({ length: Math.ceil(PAYLOADS.length / most) }, (_, at) =>
    PAYLOADS.slice(at * most, at * most + most).join('z'),
  );

/** Five in a name, so that few objects have them all. */
const NAMES = joined(5);

/** Every payload in a name of each kind that takes any text. */
function manifest(more: string): string {
  // A manifest with a zero byte is refused: the license has one, by its names.
  const named = (text: string): string => JSON.stringify(`x${text.replace('\0', '')}y${more}`);
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
  const { look, expectNothing } = watching();
  const hear = async (args: readonly string[], codes: readonly number[] = [0, 2]): Promise<void> => {
    const { code, stdout, stderr } = await chatform(args, { cwd });
    expect([args.join(' '), codes.includes(code ?? -1) ? '' : `${code} ${stdout}${stderr}`]).toEqual([
      args.join(' '),
      '',
    ]);
    look(`${args.join(' ')} stdout`, stdout);
    look(`${args.join(' ')} stderr`, stderr);
  };
  await hear(['plan', '--details', ...reports(PLAN_REPORTS, 'first'), '--events', 'first.events']);
  await hear(['apply', '--yes', '--log-level', 'debug', '--log-json']);
  await writeFile(join(cwd, 'manifest.yaml'), manifest(' changed'));
  await hear(['plan', '--out', 'plan.json', ...reports(PLAN_REPORTS, 'planned')]);
  await hear(['plan', '--json']);
  await hear(['show', 'plan.json']);
  await hear(['drift', ...reports(Object.keys(driftRenderers), 'drift')]);
  await hear(['drift', '--json']);
  await hear(['show', ...reports(FORMATS, 'show')]);
  await hear(['show', 'members', ...reports(FORMATS, 'members')]);
  await hear(['show', 'agents', '--csv']);
  await hear(['show', 'group/g0', '--json']);
  await hear(['coverage', ...reports(FORMATS, 'coverage')]);
  await hear(['history', '--only', 'group', ...reports(FORMATS, 'history')]);
  await hear(['explain', '--url', 'https://example.com/7/']);
  await hear(['validate']);
  await hear(['ci', 'snapshot', '--out', 'snapshot.json']);
  await hear(['import', '--json'], [0, 1]);
  await hear(['ledger', 'show']);
  await hear(['api', 'list_groups', '-d', '{}']);
  await hear(['apply', '--yes', 'plan.json']);
  for (const [name, text] of Object.entries(await filesIn(cwd))) if (!FOR_PROGRAMS.test(name)) look(name, text);
  expectNothing();
}, 120_000);

test('no text of a forged plan does either', async () => {
  const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': manifest('') });
  await chatform(['plan', '--out', 'plan.json'], { cwd });
  const saved: string = await readFile(join(cwd, 'plan.json'), 'utf8');
  const texts = [...new Set(saved.match(/"(?:[^"\\]|\\.)*"/g))].filter((text) => text.length > 2);
  const { look, expectNothing } = watching();
  // Now the files say something else, so that an apply says what the file has too much, and changes nothing.
  await writeFile(join(cwd, 'manifest.yaml'), manifest(' changed'));
  const shown = ['show', 'forged.json', ...reports(PLAN_REPORTS, 'shown')];
  for (const [at, payload] of PAYLOADS.entries())
    for (const [turn, [text = '', args]] of [
      [texts[(at * 7) % texts.length], shown] as const,
      [texts[(at * 13 + 5) % texts.length], ['show', 'forged.json', '--json']] as const,
      [texts[(at * 17 + 3) % texts.length], ['apply', 'forged.json', '--yes']] as const,
    ].entries()) {
      // A sample tries each payload at one of the commands.
      if ((at - turn) % tries(1, 3) !== 0) continue;
      const worse = saved.replaceAll(text, () => `${text.slice(0, -1)}${JSON.stringify(payload).slice(1)}`);
      await writeFile(join(cwd, 'forged.json'), forged(JSON.parse(worse)));
      const { stdout, stderr } = await chatform(args, { cwd });
      look(`${args.join(' ')} stdout`, stdout);
      look(`${args.join(' ')} stderr`, stderr);
      for (const [name, content] of Object.entries(await filesIn(cwd)))
        if (name.startsWith('shown.')) look(name, content);
    }
  expectNothing();
}, 120_000);

/** A service that gives every request one answer, byte for byte, for as long as the test takes. */
async function saying() {
  const say = { answer: '' };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.resume().end(say.answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { say, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** An answer, byte for byte. */
const answer = (status: string, body: string, ...headers: readonly string[]): string =>
  [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', ...headers, '', body].join(
    '\r\n',
  );
const refusal = (error: object, status = '403 Forbidden', ...headers: readonly string[]): string =>
  answer(status, JSON.stringify({ error: { type: 'authorization', message: 'm', ...error } }), ...headers);

const REPORTED = ['text', 'json', 'markdown', 'html', 'csv', 'junit', 'sarif', 'prometheus'];
const ASKING: readonly (readonly string[])[] = [
  ['api', 'list_groups', '-d', '{}', '--log-level', 'debug'],
  ['plan', '--events', 'plan.events', '--log-level', 'debug', '--log-json'],
  ['plan', '--json'],
  ['apply', '--yes', '--events', 'apply.events', '--log-level', 'debug'],
  ['drift', ...reports(REPORTED, 'drift')],
  ['drift', '--json'],
  ['doctor'],
  ['doctor', '--json'],
  ['show', '--json'],
  ['show', 'agents'],
  ['import'],
  ['import', '--json'],
  ['ci', 'snapshot', '--out', 'snapshot.json'],
];

/** Where a service can put a text, how many payloads get there at once, and the commands that are tried. A line of a header holds one. */
const PLACES: readonly (readonly [place: string, (text: string) => string, most: number, asking: typeof ASKING])[] = [
  ['the message of an error', (message) => refusal({ message }), PAYLOADS.length, ASKING],
  ['the data of an error', (text) => refusal({ data: { region: text, [text]: text } }), PAYLOADS.length, ASKING],
  ['the type of an error', (type) => refusal({ type }), 5, ASKING.slice(0, 3)],
  ['a page of a gateway', (text) => answer('403 Forbidden', `<h1>${text}</h1>`, 'Content-Type: text/html'), 20, ASKING],
  ['a page in the place of an answer', (text) => answer('200 OK', `<h1>${text}</h1>`), 20, ASKING],
  ['an answer of another shape', (text) => answer('200 OK', JSON.stringify({ [text]: text })), 20, ASKING],
  [
    'headers',
    (text) =>
      refusal({}, '403 Forbidden', ...['X-Debug-Id', 'Legacy', 'Deprecation'].map((name) => `${name}: ${text}`)),
    1,
    ASKING.slice(0, 1),
  ],
  ['a status text', (text) => refusal({}, `403 x${text}y`), 1, ASKING.slice(0, 1)],
  ['a redirect', (text) => answer('302 Found', '', `Location: /x${text}y`), 1, ASKING.slice(0, 1)],
];

test.each(PLACES)(
  'no text of a service does either: %s',
  async (_, answered, most, asking) => {
    const { say, url } = await saying();
    const project = PROJECT.replace('"emulator:license.json"', `"${url}"`);
    const cwd = await folder({
      'chatform.yaml': project,
      'manifest.yaml': 'version: 1\ngroups: { g0: { name: G } }\n',
    });
    const { look, expectNothing } = watching();
    const home = process.cwd();
    process.chdir(cwd);
    onTestFinished(() => process.chdir(home));
    for (const text of joined(most))
      for (const args of asking) {
        say.answer = answered(text);
        const said = { stdout: '', stderr: '' };
        const { terminal } = fakeTerminal(null, { CHATFORM_TOKEN: 'dal:token' });
        const into = (stream: keyof typeof said) => (more: string) => {
          said[stream] += more;
        };
        await atTerminal(args, { ...terminal, out: into('stdout'), err: into('stderr') });
        for (const [stream, heard] of Object.entries(said)) look(`${args.join(' ')} ${stream}`, heard);
        expect(`${said.stdout}${said.stderr}`).not.toBe('');
      }
    for (const [name, text] of Object.entries(withoutLease(await filesIn(cwd))))
      if (!/^(chatform|manifest)\.yaml$/.test(name)) look(name, text);
    expectNothing();
  },
  120_000,
);

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
