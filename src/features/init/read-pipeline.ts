// What a pipeline is to be, and what of it is there: chatform.yaml, the files in the repository, and the branch of the ledgers on the remote.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { diskErrorCode } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { repositoryAround, slashed } from '../../base/repository.ts';
import { packageRelease } from '../../base/version.ts';
import type { Project } from '../../project/project.ts';
import type { RunContext } from '../../target/context.ts';
import { type AskGit, gitIn, namesIn } from '../../target/git.ts';
import {
  FROM,
  filledIn,
  type Pipeline,
  type PipelineHost,
  pinIn,
  pipelineFiles,
  requireUsable,
  settingsIn,
} from './pipeline.ts';
import { readTemplate } from './read-template.ts';

export const LEDGER_BRANCH = 'chatform-ledger';

interface SeenFile {
  readonly path: string;
  /** Null where there is none. */
  readonly before: string | null;
  readonly after: string;
}

/** What in the repository stops the jobs or makes them fail, and a person has to mend. */
interface Obstacle {
  readonly name: string;
  readonly message: string;
  readonly remedy: string;
}

/** A pipeline with its files as they are and as they are to be, and git in the repository. */
export interface SeenPipeline extends Pipeline {
  readonly files: readonly SeenFile[];
  /** What a person sets at the host. */
  readonly settings: ReturnType<typeof settingsIn>;
  readonly git: AskGit;
  readonly hasOrigin: boolean;
  /** Whether the branch of the ledgers is on the remote; null without a remote that answers. */
  readonly hasLedgers: boolean | null;
  readonly obstacles: readonly Obstacle[];
  /** Files of the folder `ledger` that the index of git has: a job could not fetch the ledgers there. */
  readonly tracked: readonly string[];
}

/** @throws UsageError for a target that no job can run, outside of a repository, and where no release is known */
export async function readPipeline(
  { host, from }: { readonly host: PipelineHost; readonly from?: string },
  project: Project,
  context: Pick<RunContext, 'env'>,
): Promise<SeenPipeline> {
  const settings = [...project.targets.values()];
  requireUsable(settings);
  const here = resolve('.');
  const root = repositoryAround(here);
  if (root === null) throw new UsageError('there is no git repository here: run `git init` first');
  const git = gitIn(root, `the jobs for ${host}`, context);
  const targets = settings.map(({ name }) => name);
  const found = await Promise.all(
    pipelineFiles({ host, targets }).map(async ({ path, template }) => {
      const place = join(root, path);
      return { path: slashed(relative('.', place)), template: readTemplate(template), before: await textAt(place) };
    }),
  );
  const pinned = found.flatMap(({ before }) => pinIn(before ?? '') ?? []);
  const folder = slashed(relative(root, here)) || '.';
  if (host === 'gitlab' && folder !== '.')
    throw new UsageError(`the jobs for gitlab run at the root of the repository, and chatform.yaml is in ${folder}`);
  if (host === 'gitlab' && from === undefined && pinned.length === 0)
    throw new UsageError(
      'a component is in a project of your GitLab: push the release there, and name it with `--from GROUP/chatform@COMMIT`',
    );
  const chosen = from ?? pinned[0] ?? (await release(git));
  if (!FROM.test(chosen))
    throw new UsageError(`--from ${chosen}: write it as OWNER/chatform@COMMIT, with all 40 digits of the commit`);
  const remote = await git(['ls-remote', '--symref', 'origin', 'HEAD', `refs/heads/${LEDGER_BRANCH}`]);
  const answer = remote.bytes.toString('utf8');
  const { bytes: tracked } = await gitIn(here, `the jobs for ${host}`, context)(['ls-files', '-z', '--', 'ledger']);
  const pipeline: Pipeline = {
    host,
    from: chosen,
    branch: await mainBranch(answer, git),
    folder,
    targets,
    tokens: [...new Set(settings.map(({ tokenEnv }) => tokenEnv))].sort(),
    addresses: [...new Set(settings.flatMap(({ baseUrl, accountsUrl }) => [baseUrl, accountsUrl ?? baseUrl]))],
  };
  return {
    ...pipeline,
    files: found.map(({ path, template, before }) => ({ path, before, after: filledIn(template, pipeline) })),
    settings: settingsIn(filledIn(readTemplate(`${host}/settings.txt`), pipeline)),
    git,
    hasOrigin: (await git(['remote', 'get-url', 'origin'])).code === 0,
    hasLedgers: remote.code === 0 ? answer.includes(`\trefs/heads/${LEDGER_BRANCH}\n`) : null,
    obstacles: host === 'gitlab' ? await packageObstacles() : await forksObstacles(root, targets),
    tracked: namesIn(tracked),
  };
}

/** As the remote says; of one without commits, the branch that is checked out. The first branch that a host gets becomes its default, also that of the ledgers. */
async function mainBranch(answer: string, git: AskGit): Promise<string> {
  const known = ['refs/remotes/origin/HEAD', 'HEAD'].map((ref) => git(['symbolic-ref', '--quiet', '--short', ref]));
  const names = (await Promise.all(known)).map(({ bytes }) =>
    bytes
      .toString('utf8')
      .trim()
      .replace(/^origin\//, ''),
  );
  const said = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(answer)?.[1] ?? '';
  return [said, ...names].find((name) => name !== LEDGER_BRANCH && /^[\w./-]+$/.test(name)) ?? 'main';
}

async function forksObstacles(root: string, targets: readonly string[]): Promise<readonly Obstacle[]> {
  const name = '.github/workflows/forks.yml';
  if (targets.length === 1 || !(await textAt(join(root, name)))?.includes('written by `chatform init')) return [];
  return [{ name, message: 'jobs for forks are for a project with one target', remedy: `remove ${name}` }];
}

/** The jobs of GitLab install chatform with `npm ci`, from a file in the repository. */
async function packageObstacles(): Promise<readonly Obstacle[]> {
  const [, file = null] = /"chatform"\s*:\s*"file:([^"]+)"/.exec((await textAt('package.json')) ?? '') ?? [];
  const remedy =
    'run `npm install --save-exact --ignore-scripts ./vendor/chatform-VERSION.tgz` with the file of the release, and commit package.json, its lock file and vendor/ (docs/how-to/github-and-gitlab.md, "GitLab")';
  if (file === null) return [{ name: 'package.json', message: 'it does not have chatform as a file', remedy }];
  const isLocked = existsSync('package-lock.json') || existsSync('npm-shrinkwrap.json');
  const absent = [...(existsSync(file) ? [] : [file]), ...(isLocked ? [] : ['package-lock.json'])];
  return absent.map((name) => ({ name, message: 'it is not there', remedy }));
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
