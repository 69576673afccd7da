// Finds the CI run with the approved plan, or with the newest snapshot. The approved plan is the last one for the merged commit, or the one that a
// person names, if it planned this commit. Only runs of this repository count, because a fork can put anything into its artifacts.
// Reads the variables of the runner. Writes `run=NUMBER` and `request=NUMBER` to GITHUB_OUTPUT; on GitLab it downloads the file.

import { appendFile, writeFile } from 'node:fs/promises';

const { env } = process;
const [, , what, ...names] = process.argv;

/** Attempts for failures that pass: a busy or restarting host. */
const TRIES = 4;

const UNCHECKED = 'NODE_TLS_REJECT_UNAUTHORIZED';

// The certificate is always checked before a token is sent.
if (env[UNCHECKED] === '0') {
  delete env[UNCHECKED];
  process.stderr.write(`Warning: ${UNCHECKED}=0 is ignored: certificates are always checked\n`);
}

/** Follows no redirect: the token goes to the API only, and what another address answers is no approved plan. */
async function ask(url, headers, read = 'json') {
  const request = { headers, redirect: 'manual' };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(15_000) }).catch(() => null);
    if (response?.ok) return response[read]();
    if (response?.status >= 300 && response.status < 400)
      throw new Error(
        `${new URL(url).pathname} got a redirect (${response.status}), which is not followed: check the address of the API, and the name of the repository`,
      );
    const mayPass = response === null || response.status === 429 || response.status >= 500;
    if (!mayPass || attempt === TRIES)
      throw new Error(`${new URL(url).pathname} got ${response === null ? 'no answer' : `status ${response.status}`}`);
    await new Promise((resolve) => setTimeout(resolve, Number(env.FIND_PAUSE ?? 1000 * 2 ** attempt)));
  }
}

const github = (path) =>
  ask(`${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}/${path}`, {
    authorization: `Bearer ${env.GITHUB_TOKEN}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'chatform',
  });

const isOurs = ({ head_repository: of }) => of?.full_name === env.GITHUB_REPOSITORY;

async function githubPlan(workflow, asked) {
  const sha = env.GITHUB_SHA;
  if (asked !== '') return { run: await githubNamed(workflow, asked, sha), request: '' };
  const brought = await github(`commits/${sha}/pulls?per_page=100`);
  const merged = brought.filter((pull) => pull.merge_commit_sha === sha && pull.merged_at !== null);
  if (merged.length !== 1) throw new Error(`no pull request was merged as ${sha}, so no plan of it was approved`);
  const [{ number, head }] = merged;
  const query = `event=pull_request&status=success&head_sha=${head.sha}&per_page=100`;
  const { workflow_runs: runs } = await github(`actions/workflows/${encodeURIComponent(workflow)}/runs?${query}`);
  const newest = runs
    .filter((run) => isOurs(run) && run.head_sha === head.sha && run.head_branch === head.ref)
    .toSorted((one, other) => other.id - one.id)[0];
  if (newest === undefined)
    throw new Error(`pull request ${number} has no plan of this repository for ${head.sha}: plan again`);
  return { run: newest.id, request: number };
}

/** The run that a person names must be of that workflow and must have planned the commit that is applied. */
async function githubNamed(workflow, asked, sha) {
  if (!/^\d{1,15}$/.test(asked)) throw new Error('the run to apply must be a number');
  const run = await github(`actions/runs/${asked}`);
  const isOfWorkflow = run.path?.split('@')[0] === `.github/workflows/${workflow}`;
  if (!isOfWorkflow || !isOurs(run) || run.event !== 'workflow_dispatch' || run.conclusion !== 'success')
    throw new Error(`run ${asked} is not a successful run of ${workflow} that a person started in this repository`);
  if (run.head_sha !== sha) throw new Error(`run ${asked} planned ${run.head_sha}, not ${sha}: plan again`);
  return run.id;
}

async function githubSnapshot(workflow, branch) {
  const query = `branch=${encodeURIComponent(branch)}&status=success&per_page=20`;
  const { workflow_runs: runs } = await github(`actions/workflows/${encodeURIComponent(workflow)}/runs?${query}`);
  const newest = runs
    .filter((run) => isOurs(run) && run.event !== 'pull_request')
    .toSorted((one, other) => other.id - one.id)[0];
  if (newest === undefined) throw new Error(`${workflow} has made no snapshot yet: run it once on the default branch`);
  return { run: newest.id };
}

const gitlab = (path, read) =>
  ask(`${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}/${path}`, { 'private-token': env.GITLAB_TOKEN }, read);

async function gitlabPlan(job, file, into) {
  const sha = env.CI_COMMIT_SHA;
  const brought = await gitlab(`repository/commits/${sha}/merge_requests?per_page=100`);
  const merged = brought.filter((request) => request.state === 'merged' && isMergeOf(request, sha));
  if (merged.length !== 1) throw new Error(`no merge request was merged as ${sha}, so no plan of it was approved`);
  const [{ iid, sha: head }] = merged;
  const pipelines = await gitlab(`merge_requests/${iid}/pipelines?per_page=100`);
  for (const { id, project_id: project } of pipelines.toSorted((one, other) => other.id - one.id)) {
    if (String(project) !== env.CI_PROJECT_ID) continue;
    const jobs = await gitlab(`pipelines/${id}/jobs?scope[]=success&per_page=100`);
    const found = jobs.find(({ name, commit, pipeline }) => name === job && isPlanOf(commit, pipeline, head));
    if (found === undefined) continue;
    await writeFile(into, await gitlab(`jobs/${found.id}/artifacts/${file}`, 'text'), { mode: 0o600 });
    return { run: id, request: iid };
  }
  throw new Error(`merge request ${iid} has no plan of this project for ${head}: plan again`);
}

const isMergeOf = (request, sha) => [request.merge_commit_sha, request.squash_commit_sha, request.sha].includes(sha);

/** A merged results pipeline runs at a temporary merge commit, whose second parent is the reviewed commit. */
const isPlanOf = (commit, pipeline, head) => pipeline.sha === head || commit.parent_ids?.includes(head) === true;

const FINDERS = {
  plan: () => githubPlan(names[0], names[1] ?? ''),
  snapshot: () => githubSnapshot(names[0], names[1]),
  'gitlab-plan': () => gitlabPlan(...names),
};

try {
  const found = await FINDERS[what]();
  const lines = Object.entries(found).map(([name, value]) => `${name}=${value}\n`);
  process.stdout.write(lines.join(''));
  if (env.GITHUB_OUTPUT) await appendFile(env.GITHUB_OUTPUT, lines.join(''));
} catch (error) {
  process.stderr.write(`${env.GITHUB_ACTIONS === 'true' ? '::error title=chatform::' : ''}${error.message}\n`);
  process.exitCode = 1;
}
