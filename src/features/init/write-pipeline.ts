// `chatform init --ci`: writes the files of a pipeline, makes the branch of the ledgers, and says what is left to do at the host.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { diskErrorCode, explained } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { repositoryAround } from '../../base/repository.ts';
import { few } from '../../base/text.ts';
import { packageRelease } from '../../base/version.ts';
import { confirm, notDone, type Result, refused } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { ignoreLocalFiles } from '../../project/gitignore.ts';
import { openProjectFile } from '../../target/choice.ts';
import { type AskGit, gitIn } from '../../target/git.ts';
import {
  changedLines,
  FROM,
  filledIn,
  type Pipeline,
  type PipelineHost,
  pinIn,
  pipelineFiles,
  requireUsable,
  secretsOf,
} from './pipeline.ts';
import { readTemplate } from './read-template.ts';

const LEDGER_BRANCH = 'chatform-ledger';

interface SeenFile {
  readonly path: string;
  /** Null where there is none. */
  readonly before: string | null;
  readonly after: string;
}

/** The files of a pipeline, as they are and as they are to be. */
interface SeenPipeline {
  readonly pipeline: Pipeline;
  readonly files: readonly SeenFile[];
  readonly addresses: readonly string[];
  readonly git: AskGit;
}

/** Null for a chatform.yaml with errors. @throws UsageError for a project whose targets cannot be run by jobs, and outside of a repository */
async function readPipeline(
  host: PipelineHost,
  opened: Awaited<ReturnType<typeof openProjectFile>>,
  { from }: { readonly from?: string },
  terminal: Terminal,
): Promise<SeenPipeline | null> {
  if (opened.project === null) return null;
  const settings = [...opened.project.targets.values()];
  requireUsable(settings);
  const here = resolve('.');
  const root = repositoryAround(here);
  if (root === null) throw new UsageError('there is no git repository here: run `git init` first');
  const git = gitIn(root, `--ci ${host}`, terminal);
  const targets = settings.map(({ name }) => name);
  const found = await Promise.all(
    pipelineFiles({ host, targets }).map(async ({ path, template }) => {
      const place = join(root, path);
      return { path: relative('.', place), template: readTemplate(template), before: await textAt(place) };
    }),
  );
  const pinned = found.flatMap(({ before }) => pinIn(before ?? '') ?? []);
  const pipeline: Pipeline = {
    host,
    from: from ?? pinned[0] ?? (await release(git)),
    branch: await mainBranch(git),
    folder: relative(root, here).replaceAll(sep, '/') || '.',
    targets,
    tokens: [...new Set(settings.map(({ tokenEnv }) => tokenEnv))].sort(),
  };
  if (!FROM.test(pipeline.from))
    throw new UsageError(
      `--from ${pipeline.from}: write it as OWNER/chatform@COMMIT, with all 40 digits of the commit`,
    );
  return {
    pipeline,
    files: found.map(({ path, template, before }) => ({ path, before, after: filledIn(template, pipeline) })),
    addresses: [
      ...new Set(
        settings.flatMap(({ baseUrl, accountsUrl }) => [baseUrl, ...(accountsUrl === null ? [] : [accountsUrl])]),
      ),
    ],
    git,
  };
}

async function textAt(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (diskErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The commit that the tag of this version names. @throws UsageError where there is none */
async function release(git: AskGit): Promise<string> {
  const { repository, url, tag } = packageRelease();
  const { bytes } = await git(['ls-remote', url, `refs/tags/${tag}`, `refs/tags/${tag}^{}`]);
  // Of a signed tag, the second line names the commit.
  const commit = /^[0-9a-f]{40}/.exec(bytes.toString('utf8').trim().split('\n').at(-1) ?? '')?.[0];
  if (commit !== undefined) return `${repository}@${commit}`;
  throw new UsageError(
    `the release ${tag} of ${repository} cannot be found: name the release that you use with \`--from OWNER/chatform@COMMIT\``,
  );
}

async function mainBranch(git: AskGit): Promise<string> {
  const { bytes } = await git(['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']);
  const name = bytes
    .toString('utf8')
    .trim()
    .replace(/^origin\//, '');
  return /^[\w./-]+$/.test(name) ? name : 'main';
}

type BranchState = 'there' | 'missing' | 'no remote';

async function ledgerBranch(git: AskGit): Promise<BranchState> {
  const { code, bytes } = await git(['ls-remote', '--heads', 'origin', `refs/heads/${LEDGER_BRANCH}`]);
  return code !== 0 ? 'no remote' : bytes.length > 0 ? 'there' : 'missing';
}

const MAKE_BRANCH = `git push origin "$(git commit-tree -m 'Begin the ledgers' "$(git hash-object -t tree -w /dev/null)")":refs/heads/${LEDGER_BRANCH}`;

/** One commit without files. Says what git refused. */
async function pushBranch(git: AskGit): Promise<string | null> {
  const tree = await git(['hash-object', '-t', 'tree', '-w', '--no-filters', '/dev/null']);
  const commit = await git(['commit-tree', '-m', 'Begin the ledgers', tree.bytes.toString('utf8').trim()]);
  const made = commit.bytes.toString('utf8').trim();
  const { code, error } =
    commit.code === 0 ? await git(['push', '--quiet', 'origin', `${made}:refs/heads/${LEDGER_BRANCH}`]) : commit;
  return code === 0 ? null : error;
}

interface PipelineFlags {
  readonly ci: PipelineHost;
  readonly from?: string;
  readonly yes?: boolean;
}

/** A changed file is shown before it is replaced. */
export async function writePipeline(
  { ci: host, from, yes = false }: PipelineFlags,
  terminal: Terminal,
): Promise<Result> {
  const opened = await openProjectFile({}, terminal);
  const seen = await readPipeline(host, opened, from === undefined ? {} : { from }, terminal);
  if (seen === null) return refused(opened.diagnostics);
  const { files, git } = seen;
  const changed = files.filter(({ before, after }) => before !== null && before !== after);
  const diffs = changed.map(({ path, before, after }) => [path, ...changedLines(before ?? '', after)].join('\n'));
  if (diffs.length > 0) terminal.err(`${diffs.join('\n\n')}\n`);
  const declined =
    changed.length > 0 ? await confirm({ question: '', word: 'yes', so: 'replace these files', yes }, terminal) : null;
  if (declined !== null) return notDone(declined, terminal);
  for (const { path, after } of files)
    await explained(path, 'written', async () => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, after);
    });
  const ignored = await ignoreLocalFiles(['ledger/', 'chatform-ci/']);
  const written = files.map(({ path, before, after }) => [
    before === null ? 'created' : before === after ? 'kept' : 'changed',
    path,
  ]);
  const lines = [...written, [ignored, '.gitignore']].map(([what = '', path]) => `${what.padEnd(8)} ${path}\n`);
  const branch = await branchText(git, yes, terminal);
  return { code: 0, document: null, text: () => `${lines.join('')}\n${branch}\n${nextText(seen)}` };
}

async function branchText(git: AskGit, yes: boolean, terminal: Terminal): Promise<string> {
  const state = await ledgerBranch(git);
  if (state === 'there') return `The branch ${LEDGER_BRANCH} is on the remote.\n`;
  const byHand = `Make the branch of the ledgers once, empty:\n  ${MAKE_BRANCH}\n`;
  if (state === 'no remote') return byHand;
  const question = `The branch ${LEDGER_BRANCH}, which keeps the ledgers, is not on the remote.`;
  if ((await confirm({ question, word: 'yes', so: 'push an empty one', yes }, terminal)) !== null) return byHand;
  const refusal = await pushBranch(git);
  return refusal === null ? `Pushed the empty branch ${LEDGER_BRANCH}.\n` : `git says: ${refusal}\n${byHand}`;
}

function nextText({ pipeline, addresses }: SeenPipeline): string {
  const secrets = Object.entries(secretsOf(pipeline)).map(([place, names]) =>
    place === ''
      ? `  secrets of the repository, tokens that read: ${few(names)}`
      : `  secrets of the environment ${place}, tokens that write: ${few(names)}`,
  );
  return [
    'Set at the host; `chatform doctor --ci` lists all of it:',
    ...secrets,
    `  variable CHATFORM_BASE_URLS: ${addresses.join(' ')}`,
    '  in the environment production, who must approve an apply',
    'Then commit the files on a branch, and open a pull request.',
    '',
  ].join('\n');
}
