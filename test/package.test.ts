// What `npm pack` makes: small, whole, and at work in a folder that knows no checkout.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** A folder in which the package is installed. */
const app = mkdtempSync(join(tmpdir(), 'chatform-package-'));
const installed = join(app, 'node_modules/chatform');
let packed: Packed;

beforeAll(() => {
  const made = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', app], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  [packed] = JSON.parse(made) as [Packed];
  const quietly = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  execFileSync('npm', ['install', ...quietly, join(app, packed.filename)], { cwd: app, stdio: 'ignore' });
});
afterAll(() => {
  rmSync(app, { recursive: true });
});

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, args, {
    cwd: app,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
    stdio: 'pipe',
  });

const command = (...args: readonly string[]): string => run(join(installed, 'dist/cli.cjs'), ...args);

/** 200 kB are the docs and examples. */
const MOST_BYTES = 1_800_000;

test('It has less than 1.8 megabytes, and no tests, source maps or code caches', () => {
  expect(packed.size).toBeLessThan(MOST_BYTES);
  expect(packed.files.filter(({ path }) => /\.(map|v8|test\.\w+)$|^(test|src)\//.test(path))).toEqual([]);
});

test('No file says where it was built, so that anyone who builds the same sources gets the same bytes', () => {
  const told = packed.files.filter(({ path }) => readFileSync(join(installed, path), 'latin1').includes(ROOT));
  expect(told).toEqual([]);
});

test('It is the only package that is installed: what it needs of others is in its script, with their licences', () => {
  expect(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['chatform']);
  const notices = readFileSync(join(installed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8').split(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
  const packages = notices
    .slice(1, -1)
    .map((notice) => /^(\S+) \d\S* \((MIT|ISC)\)\n\n.*Copyright/is.exec(notice)?.[1]);
  expect(packages.length).toBeGreaterThan(20);
  expect(packages).not.toContain(undefined);
});

test('What people start is readable for a Node.js that is too old, so that it can say so', () => {
  const script = readFileSync(join(installed, 'dist/cli.cjs'), 'latin1');
  // Each came later than Node.js 6.
  expect(script).not.toMatch(/\basync\b|\?\?|\?\.[a-z[(]|\|\|=|\{\.\.\.|catch\{/);
});

test('A newcomer begins a project and applies it', () => {
  command('init');
  expect(command('validate')).toContain('Valid: 6 resources');
  expect(command('apply', '--yes')).toContain('Apply complete. 6 added');
  expect(command('plan')).toContain('No changes.');
});

test('What is loaded late is there: the log in JSON, policies, and the parser of HTTP', () => {
  const project = readFileSync(join(app, 'chatform.yaml'), 'utf8');
  writeFileSync(
    join(app, 'chatform.yaml'),
    `${project}\npolicies: [{ name: cheap, rule: plan.requests.total < 50 }]\n`,
  );
  expect(command('plan', '--json', '--log-json')).toMatch(/"name":\s*"cheap"/);
  writeFileSync(
    join(app, 'ask.mjs'),
    `import { createServer } from 'node:http';
import { createLine } from 'chatform/parts';
const server = createServer((_, reply) => reply.end('heard')).listen(0, '127.0.0.1', async () => {
  const { exchange, close } = createLine({});
  const { body } = await exchange({ url: 'http://127.0.0.1:' + server.address().port, headers: {}, body: '', timeout: 5000 });
  console.log(body);
  await close();
  server.close();
});
`,
  );
  expect(run('ask.mjs')).toBe('heard\n');
});

test('A visitor sees over a WebSocket where a page is routed: both of its ends are in the package', async () => {
  const cwd = join(app, 'visit');
  mkdirSync(cwd);
  writeFileSync(
    join(cwd, 'manifest.yaml'),
    `version: 1
agents: { ann@example.com: { name: Ann } }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: first } } }
auto_access: [{ key: prices, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }]
routes: [{ name: prices, when: { url: "https://shop.example/pricing" }, expect: sales }]
`,
  );
  const served = spawn(process.execPath, [join(installed, 'dist/cli.cjs'), 'emulate', '--port', '0'], { cwd });
  try {
    const [url] = await once(served.stdout.setEncoding('utf8'), 'data');
    const target = { base_url: String(url).trim(), ledger: 'ledger.ndjson', organization_id: 'o-1' };
    const project = { version: 1, manifest: ['manifest.yaml'], targets: { here: target } };
    writeFileSync(join(cwd, 'chatform.yaml'), JSON.stringify(project));
    const env = { PATH: process.env['PATH'], CHATFORM_TOKEN: 'dal:agent', CHATFORM_CUSTOMER_TOKEN: 'dal:customer' };
    const args = ['apply', '--yes', '--assume-settled', '--visitor'];
    const { stdout, status } = spawnSync(process.execPath, [join(installed, 'dist/cli.cjs'), ...args], {
      cwd,
      encoding: 'utf8',
      env,
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('https://shop.example/pricing reaches group/sales')]);
  } finally {
    served.kill();
  }
});

test('Each door of the library opens, with its types', () => {
  writeFileSync(
    join(app, 'doors.ts'),
    `import { openProject } from 'chatform';
import { createServiceClient } from 'chatform/client';
import { createEmulator } from 'chatform/emulator';
import * as parts from 'chatform/parts';
export async function failuresIn(path: string): Promise<readonly string[]> {
  const targets = (await openProject(path)).targets({ label: ['region=eu'] });
  const plans = (await targets.plan()).flatMap(({ result }) => (result === null ? [] : [result]));
  const { results, stopped } = await targets.apply(plans, { throughFreeze: true });
  return [...results.flatMap(({ message }) => message ?? []), String(stopped?.kind)];
}
const named: string[] = [openProject, createServiceClient, createEmulator].map(({ name }) => typeof name);
console.log(named.length, Object.keys(parts).length > 50);
`,
  );
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(app, 'one.ts'),
    "import { openProject } from 'chatform';\nexport const opened = openProject('.');\n",
  );
  // Nothing else is installed there, no types of Node.js either, and the declarations are checked as well.
  const options = ['--strict', '--target', 'es2023', '--module', 'nodenext'];
  for (const [compiler, file] of [
    ['typescript-native', 'doors.ts'],
    ['typescript-5', 'one.ts'],
    ['typescript', 'one.ts'],
  ] as const)
    run(join(ROOT, 'node_modules', compiler, 'bin/tsc'), ...options, file);
  expect(run('doors.js')).toBe('3 true\n');
}, 120_000);

test('publint and arethetypeswrong find nothing', async () => {
  const [{ publint }, { checkPackage, createPackageFromTarballData }] = await Promise.all([
    import('publint'),
    import('@arethetypeswrong/core'),
  ]);
  expect((await publint({ pkgDir: installed, level: 'suggestion', strict: true })).messages).toEqual([]);
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(join(app, packed.filename))));
  // A package of ES modules: those who need another form are told by their Node.js.
  const formsOfBefore = new Set(['node10', 'node16-cjs']);
  const problems = analysis.types === false ? ['no types'] : analysis.problems;
  expect(
    problems.filter(
      (problem) =>
        typeof problem === 'string' || !('resolutionKind' in problem) || !formsOfBefore.has(problem.resolutionKind),
    ),
  ).toEqual([]);
}, 60_000);

test('Without the packages of the build, it says so, and deletes nothing', () => {
  const bare = join(app, 'bare');
  mkdirSync(join(bare, 'scripts'), { recursive: true });
  mkdirSync(join(bare, 'dist'));
  cpSync(join(ROOT, 'scripts/build.mjs'), join(bare, 'scripts/build.mjs'));
  cpSync(join(ROOT, 'package.json'), join(bare, 'package.json'));
  writeFileSync(join(bare, 'dist/cli.cjs'), 'built before');
  const { status, stderr } = spawnSync('npm', ['pack'], { cwd: bare, encoding: 'utf8' });
  expect([status === 0, stderr]).toEqual([false, expect.stringContaining('Run `npm ci` first; nothing was changed.')]);
  expect(readFileSync(join(bare, 'dist/cli.cjs'), 'utf8')).toBe('built before');
  expect(readdirSync(bare).toSorted()).toEqual(['dist', 'package.json', 'scripts']);
});

test('Each link of its pages leads to a file that is packed, or to another site', () => {
  const pages = packed.files.flatMap(({ path }) => (/\.md$/.test(path) ? [path] : []));
  expect(pages.length).toBeGreaterThan(25);
  const lost = pages.flatMap((page) => {
    const text = readFileSync(join(installed, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');
    const links = Array.from(text.matchAll(/\]\(([^)#\s]+)/g), ([, link = '']) => link);
    const isThere = (link: string): boolean => /^https:/.test(link) || existsSync(join(installed, dirname(page), link));
    return links.filter((link) => !isThere(link)).map((link) => `${page}: ${link}`);
  });
  expect(lost).toEqual([]);
});
