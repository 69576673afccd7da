// `chatform init --ci`: writes the files of a pipeline, makes the branch of the ledgers, and says what is left to do at the host.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, posix, resolve } from 'node:path';
import { explained } from '../../base/disk.ts';
import { few } from '../../base/text.ts';
import { confirm, notDone, type Result, refused } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { ignoreLocalFiles } from '../../project/gitignore.ts';
import { openProjectFile } from '../../target/choice.ts';
import type { PipelineHost } from './pipeline.ts';
import { LEDGER_BRANCH, readPipeline, type SeenPipeline } from './read-pipeline.ts';

interface PipelineFlags {
  readonly host: PipelineHost;
  readonly from?: string;
  readonly yes?: boolean;
}

/** A changed file is shown before it is replaced. */
export async function writePipeline({ yes = false, ...asked }: PipelineFlags, terminal: Terminal): Promise<Result> {
  const { project, diagnostics } = await openProjectFile({}, terminal);
  if (project === null) return refused(diagnostics);
  const seen = await readPipeline(asked, project, terminal);
  const changes = await Promise.all(seen.files.map((file) => changesOf(file, seen)));
  if (changes.some((text) => text !== '')) {
    terminal.err(changes.join(''));
    const declined = await confirm({ question: '', word: 'replace', so: 'replace these files', yes }, terminal);
    if (declined !== null) return notDone(declined, terminal);
  }
  const lines = [['.gitignore', await ignoreLocalFiles(['ledger/', 'chatform-ci/'])]];
  for (const { path, before, after } of seen.files) {
    await explained(path, 'written', async () => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, after);
    });
    lines.push([path, before === null ? 'created' : before === after ? 'kept' : 'changed']);
  }
  const written = lines.map(([path, what = '']) => `${what.padEnd(8)} ${path}\n`).join('');
  const branch = await makeBranch(seen, yes, terminal);
  const untracked = await leaveLedgers(seen, yes, terminal);
  const names = seen.settings.map(([name, what]) => `  ${few(name.split(', '))}: ${what}\n`).join('');
  const merged = `A request into ${seen.branch} is planned, and applied once it is merged.\n`;
  const toDo = seen.obstacles.map(({ name, message, remedy }) => `${name}: ${message}: ${remedy}\n`).join('');
  const next = `Set at the host; \`chatform doctor --ci ${asked.host}\` checks what it can:\n${names}`;
  return { code: 0, document: null, text: () => `${written}\n${branch}${untracked}${merged}${toDo}\n${next}` };
}

/** The lines that change in a file that is there. */
async function changesOf(
  { path, before, after }: SeenPipeline['files'][number],
  { git }: SeenPipeline,
): Promise<string> {
  if (before === null || before === after) return '';
  const { bytes } = await git(['diff', '--no-index', '--no-color', '--unified=1', '--', resolve(path), '-'], after);
  return `${path}\n${bytes.toString('utf8').replace(/^[\s\S]*?(?=^@@)/m, '')}\n`;
}

/** The branch begins with the ledgers that are here, such as that of an import. Returns what there is to say. */
async function makeBranch(
  { hasOrigin, hasLedgers, git, host }: SeenPipeline,
  yes: boolean,
  terminal: Terminal,
): Promise<string> {
  if (hasLedgers === true) return `The branch ${LEDGER_BRANCH} is on the remote.\n`;
  if (!hasOrigin)
    return `There is no remote: run \`git remote add origin URL\`, then \`chatform init --ci ${host}\` again.\n`;
  const here = (await readdir('ledger').catch(() => [])).filter((name) => name.endsWith('.ndjson'));
  const entries = here.map(async (name) => {
    const { bytes } = await git(['hash-object', '-w', '--no-filters', resolve('ledger', name)]);
    return `100644 blob ${bytes.toString('utf8').trim()}\t${name}\n`;
  });
  const tree = await git(['mktree'], (await Promise.all(entries)).join(''));
  const made = await git(['commit-tree', '-m', 'Begin the ledgers', tree.bytes.toString('utf8').trim()]);
  if (made.code !== 0) return `The branch ${LEDGER_BRANCH} cannot be made: ${made.error}\n`;
  const push = ['push', 'origin', `${made.bytes.toString('utf8').trim()}:refs/heads/${LEDGER_BRANCH}`];
  const byHand = `Make the branch of the ledgers: git ${push.join(' ')}\n`;
  if (hasLedgers === null) return `The remote \`origin\` gives no answer.\n${byHand}`;
  const question = `The branch ${LEDGER_BRANCH}, which keeps the ledgers, is not on the remote.\nType push to push it`;
  const declined = yes ? null : await asked(question, 'push', terminal);
  if (declined !== null) return `${byHand}${declined}`;
  const { code, error } = await git(push);
  return code === 0
    ? `Pushed the branch ${LEDGER_BRANCH}, ${here.length === 0 ? 'empty' : `with ${few(here)}`}.\n`
    : `git says: ${error}\n${byHand}`;
}

/** Takes the ledgers out of the index, where they would stop each job; the files stay. Returns what there is to say. */
async function leaveLedgers({ tracked, git, folder }: SeenPipeline, yes: boolean, terminal: Terminal): Promise<string> {
  if (tracked.length === 0) return '';
  const remove = (path: string) => ['rm', '-r', '--cached', '--quiet', path];
  const byHand = `git has ${few(tracked)}, and the jobs need the folder for the branch of the ledgers: run git ${remove('ledger').join(' ')}, and commit that\n`;
  const question = `git has ${few(tracked)}, which stops the jobs: the branch ${LEDGER_BRANCH} keeps the ledgers.\nType remove to take the folder out of git; the files stay`;
  const declined = yes ? null : await asked(question, 'remove', terminal);
  if (declined !== null) return `${byHand}${declined}`;
  const { code, error } = await git(remove(posix.join(folder, 'ledger')));
  return code === 0 ? `Took ${few(tracked)} out of git: commit that.\n` : `git says: ${error}\n${byHand}`;
}

/** Null for a yes; otherwise what to say after the command that does it by hand. */
async function asked(question: string, word: string, terminal: Terminal): Promise<string | null> {
  const answer = await terminal.ask(`\n${question}: `);
  if (answer === null) return `No person can confirm it here: use --yes to ${word} without asking.\n`;
  return answer.trim() === word ? null : '';
}
