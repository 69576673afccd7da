// Which run has what a job needs. `plan`: the plan that was approved, which is the last one for the commit that was merged, or the one that a person
// names, if it is of what the default branch says now. `snapshot`: the newest one. Only runs of this repository count: those of forks can hold anything.
// In: the variables of the runner. Out: `run=NUMBER` and `request=NUMBER` in GITHUB_OUTPUT; for GitLab the file itself.

import { appendFile, writeFile } from 'node:fs/promises';

const { env } = process;
const [, , what, ...names] = process.argv;

/** Answers that pass: a host that is busy, or restarts. */
const TRIES = 4;

async function ask(url, headers, read = 'json') {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(15_000) }).catch(() => null);
    if (response?.ok) return response[read]();
    const mayPass = response === null || response.status === 429 || response.status >= 500;
    if (!mayPass || attempt === TRIES)
      throw new Error(`${new URL(url).pathname} was answered with ${response?.status ?? 'nothing'}`);
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
  if (merged.length !== 1) throw new Error(`no pull request was merged as ${sha}, so nobody approved a plan of it`);
  const [{ number, head }] = merged;
  const query = `event=pull_request&status=success&head_sha=${head.sha}&per_page=100`;
  const { workflow_runs: runs } = await github(`actions/workflows/${encodeURIComponent(workflow)}/runs?${query}`);
  const newest = runs
    .filter((run) => isOurs(run) && run.head_sha === head.sha && run.head_branch === head.ref)
    .toSorted((one, other) => other.id - one.id)[0];
  if (newest === undefined) throw new Error(`pull request ${number} has no plan of this repository for ${head.sha}`);
  return { run: newest.id, request: number };
}

/** What a person names is a plan of the commit that is applied, and made by that workflow. */
async function githubNamed(workflow, asked, sha) {
  if (!/^\d{1,15}$/.test(asked)) throw new Error('the run to apply has to be named by its number');
  const run = await github(`actions/runs/${asked}`);
  const isOfWorkflow = run.path?.split('@')[0] === `.github/workflows/${workflow}`;
  if (!isOfWorkflow || !isOurs(run) || run.event !== 'workflow_dispatch' || run.conclusion !== 'success')
    throw new Error(`run ${asked} is not one of ${workflow} that a person started here and that succeeded`);
  if (run.head_sha !== sha) throw new Error(`run ${asked} planned ${run.head_sha}, and this is ${sha}: plan again`);
  return run.id;
}

async function githubSnapshot(workflow, branch) {
  const query = `branch=${encodeURIComponent(branch)}&status=success&per_page=20`;
  const { workflow_runs: runs } = await github(`actions/workflows/${encodeURIComponent(workflow)}/runs?${query}`);
  const newest = runs
    .filter((run) => isOurs(run) && run.event !== 'pull_request')
    .toSorted((one, other) => other.id - one.id)[0];
  if (newest === undefined) throw new Error(`${workflow} has made no snapshot yet`);
  return { run: newest.id };
}

const gitlab = (path, read) =>
  ask(`${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}/${path}`, { 'private-token': env.GITLAB_TOKEN }, read);

async function gitlabPlan(job, file, into) {
  const sha = env.CI_COMMIT_SHA;
  const brought = await gitlab(`repository/commits/${sha}/merge_requests?per_page=100`);
  const merged = brought.filter((request) => request.state === 'merged' && isMergeOf(request, sha));
  if (merged.length !== 1) throw new Error(`no merge request was merged as ${sha}, so nobody approved a plan of it`);
  const [{ iid, sha: head }] = merged;
  const pipelines = await gitlab(`merge_requests/${iid}/pipelines?per_page=100`);
  for (const { id, project_id: project } of pipelines.toSorted((one, other) => other.id - one.id)) {
    if (String(project) !== env.CI_PROJECT_ID) continue;
    const jobs = await gitlab(`pipelines/${id}/jobs?scope[]=success&per_page=100`);
    const found = jobs.find(({ name, commit, pipeline }) => name === job && isPlanOf(commit, pipeline, head));
    if (found === undefined) continue;
    await writeFile(into, await gitlab(`jobs/${found.id}/artifacts/${file}`, 'text'));
    return { run: id, request: iid };
  }
  throw new Error(`merge request ${iid} has no plan of this project for ${head}`);
}

const isMergeOf = (request, sha) => [request.merge_commit_sha, request.squash_commit_sha, request.sha].includes(sha);

/** A pipeline for merged results runs at a merge that nobody has made, whose second parent is what was reviewed. */
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
