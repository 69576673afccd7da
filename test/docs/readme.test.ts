// README.md and the pages of docs/ as their readers use them: every command is run, every shown output is compared, every YAML block is valid.
// A page is its own snapshot: `vitest run test/docs -u` writes new outputs into it, except for those with `...` lines.

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { folder } from '../cli/chatform.ts';
import { atTerminal, fakeTerminal } from '../cli/terminal.ts';
import { postgresServer } from '../ledger/postgres/server.ts';
import { type Command, type Page, readPage, type Yaml } from './page.ts';
import { RECIPES } from './recipes.ts';
import { type Ended, runSteps } from './session.ts';

const CHECKOUT = new URL('../../', import.meta.url);

/**
 * Not run here: `npm cit` runs this test, and installing again would remove packages that other tests use. test/demo runs the demo, and
 * test/package.test.ts installs the package.
 */
const EXCEPTED = ['npm ci && npm run demo', 'npm cit', 'npm pack && npm install --global ./chatform-*.tgz'];

/** A page that names it has a database. */
const DATABASE = 'CHATFORM_DATABASE_URL';

/** Where README.md finds our files, because a package has neither docs/ nor examples/. */
const ADDRESS = /^https:\/\/github\.com\/chatform\/chatform\/(?:blob|tree)\/main\//;

const PAGES = [
  'README.md',
  ...readdirSync(new URL('docs', CHECKOUT), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== 'decisions.md')
    .map((name) => `docs/${name}`),
];

async function pageOf(name: string): Promise<Page> {
  return readPage(await readFile(new URL(name, CHECKOUT), 'utf8'));
}

/** What differs from run to run. */
function normalised(text: string): readonly string[] {
  return text
    .replaceAll(/\d+\.\d s\b/g, 'N s')
    .replaceAll(/\[\d+s elapsed\]/g, '[Ns elapsed]')
    .replaceAll(/\b[0-9a-f]{32}\b/g, '(id)')
    .replaceAll(/\b[0-9a-f]{8}\b/g, '(run)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d\b/g, '(minute)')
    .replaceAll(/, the last on \d{4}-\d\d-\d\d\b/g, ', the last on (day)')
    .trim()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** Whether the output is as the page shows it; a line `...` stands for any lines. */
function isShown(printed: string, shown: string): boolean {
  const pattern = normalised(shown).map((line) => (line === '...' ? '(?:.*\\n)*?' : `${escaped(line)}\\n`));
  return new RegExp(`^${pattern.join('')}$`).test(`${normalised(printed).join('\n')}\n`);
}

function isAbridged(shown: string): boolean {
  return shown.split('\n').includes('...');
}

/** The page with the outputs of this run; an output that the page shows correctly stays as it is written. */
function rewritten(text: string, ended: readonly Ended[]): string {
  const lines = text.split('\n');
  for (const { command, output } of ended.toReversed()) {
    const { shown, line } = command;
    if (shown === null || isAbridged(shown) || isShown(output, shown)) continue;
    const printed = output.trim() === '' ? [] : output.trimEnd().split('\n');
    lines.splice(line, shown === '' ? 0 : shown.split('\n').length, ...printed);
  }
  return lines.join('\n');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function runnable(page: Page): Page['steps'] {
  return page.steps.filter((step) => step.type === 'file' || !EXCEPTED.includes(step.text));
}

/** Whether the next command prints the exit code of this one. */
function isLookedAt(commands: readonly Command[], command: Command): boolean {
  return commands[commands.indexOf(command) + 1]?.text === 'echo $?';
}

/** A value of a variable, by its declared type. */
const EXAMPLES: { readonly [type: string]: string } = { integer: '1', list: '[]', map: '{}' };

/** A table with one target, and a value for each column that the template uses. */
function oneRow(project: string): string {
  const used = Array.from(project.matchAll(/\$\{row\.(\w+)\}/g), ([, column = '']) => column);
  const columns = [...new Set(['name', ...used])];
  return `${columns.join(',')}\n${columns.map((_, index) => (index === 0 ? 'one' : '1')).join(',')}\n`;
}

/** A table with the columns that a manifest names, and one person, who is in its first group. */
function onePerson(manifest: string): string {
  const { agents_from: { email = 'email', columns = {}, left = { column: 'status' } } = {}, groups } =
    parse(manifest) ?? {};
  const cells = Object.keys(columns).map((field) => (field === 'groups' ? Object.keys(groups)[0] : ''));
  return `${[email, ...Object.values(columns), left.column].join()}\n${['ann@example.com', ...cells, ''].join()}\n`;
}

/** Output of `validate` in a project that is made for one block. */
async function validated(block: Yaml, page: Page): Promise<string> {
  const isProject = /^targets(_from)?:/m.test(block.text);
  const isOverlay = block.name?.startsWith('overlays/') === true;
  const base = page.yaml.findLast(({ line, name }) => line < block.line && name?.startsWith('overlays/') !== true);
  const project = page.yaml.findLast(({ line, text }) => line < block.line && /^targets:/m.test(text));
  const [, version = '3.6'] = /api_version: "([\d.]+)"/.exec(project?.text ?? '') ?? [];
  const declared = new Map(
    Array.from(block.text.matchAll(/^ {2}(\w+): \{ type: (\w+)/gm), ([, name, type]) => [name, type]),
  );
  const exampleOf = (name: string): string => EXAMPLES[declared.get(name) ?? 'string'] ?? 'example';
  const variables = [...new Set(Array.from(block.text.matchAll(/\$\{(?:env|var)\.(\w+)\}/g), ([, name = '']) => name))];
  const files: Record<string, string> = isProject
    ? {
        'manifest.yaml': 'version: 1\n',
        'manifest/groups.yaml': 'version: 1\n',
        'overlays/production.yaml': '{}\n',
        'tenants/one.yaml': '{}\n',
        'licenses.csv': oneRow(block.text),
        'chatform.yaml': block.text,
      }
    : {
        'manifest.yaml': isOverlay ? (base?.text ?? '') : block.text,
        'people.csv': onePerson(block.text),
        'overlay.yaml': isOverlay ? block.text : '{}\n',
        'chatform.yaml': [
          'version: 1',
          'manifest: [manifest.yaml]',
          `env: [${variables.join(', ')}]`,
          'targets:',
          '  page:',
          '    base_url: emulator:license.json',
          `    api_version: "${version}"`,
          '    overlays: [overlay.yaml]',
          `    vars: { ${variables.map((name) => `${name}: ${exampleOf(name)}`).join(', ')} }`,
          '',
        ].join('\n'),
      };
  const env = Object.fromEntries(variables.map((name) => [name, 'example']));
  const { terminal, said } = fakeTerminal(null, env);
  process.chdir(await folder(files));
  try {
    await atTerminal(['validate'], terminal);
  } finally {
    process.chdir(fileURLToPath(CHECKOUT));
  }
  return said();
}

describe.each(PAGES)('%s', (name) => {
  test('Its commands do what it says', async ({ skip, onTestFinished }) => {
    const url = new URL(name, CHECKOUT);
    const text = await readFile(url, 'utf8');
    const server = text.includes('```yaml') && text.includes(DATABASE) ? await postgresServer() : null;
    if (server !== null && 'missing' in server) return skip(server.missing);
    if (server !== null) onTestFinished(server.stop);
    const env = server === null ? {} : { [DATABASE]: await server.newDatabase(), PATH: server.bin };
    const ended = await runSteps(runnable(readPage(text)), name === 'README.md' ? 'checkout' : 'elsewhere', env);
    const commands = ended.map(({ command }) => command);
    for (const { command, output, code } of ended) {
      const here = `${name}:${command.line} ${command.text}`;
      if (!isLookedAt(commands, command)) expect([here, code, output]).toEqual([here, 0, output]);
      if (isAbridged(command.shown ?? '') && !isShown(output, command.shown ?? ''))
        expect(`${here}\n${output}`).toBe(`${here}\n${command.shown}`);
    }
    await expect(rewritten(text, ended)).toMatchFileSnapshot(fileURLToPath(url));
  });

  test('Its YAML is valid', async () => {
    const page = await pageOf(name);
    const ours = page.yaml.filter(({ name }) => !RECIPES.some((other) => other === name));
    for (const block of ours) {
      const answer = block.name?.startsWith('wrong/') === true ? /\berrors?\n$/ : /^Valid: /;
      const place = `${name}:${block.line}`;
      expect([place, await validated(block, page)]).toEqual([place, expect.stringMatching(answer)]);
    }
  });

  test('What is not run are few blocks of plain text', async () => {
    const { inert } = await pageOf(name);
    expect(inert.filter((language) => language !== 'text')).toEqual([]);
    expect(inert.length).toBeLessThan(4);
  });

  test('Its links lead somewhere', async () => {
    const url = new URL(name, CHECKOUT);
    const text = await readFile(url, 'utf8');
    for (const [, address = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
      const target = address.replace(ADDRESS, '');
      if (/^https?:/.test(target)) continue;
      // The address of the repository is that of its root.
      const from = target === address ? url : CHECKOUT;
      const [path = '', heading] = target.split('#');
      const linked = await readFile(path === '' ? url : new URL(path, from), 'utf8').catch(() => null);
      const isFolder = linked === null && readdirSync(fileURLToPath(new URL(path, from))).length > 0;
      expect([target, linked !== null || isFolder]).toEqual([target, true]);
      if (heading !== undefined)
        expect([target, slugs(linked ?? '')]).toEqual([target, expect.arrayContaining([heading])]);
    }
  });
});

/** Anchors of the headings, as GitHub makes them. */
function slugs(text: string): readonly string[] {
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('The commands that are not run are those of README.md', async () => {
  const { steps } = await pageOf('README.md');
  const excepted = steps.flatMap((step) =>
    step.type === 'command' && EXCEPTED.includes(step.text) ? [step.text] : [],
  );
  expect(excepted).toEqual(EXCEPTED);
});
