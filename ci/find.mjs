// Finds the CI run with the approved plan, or with the newest snapshot. The approved plan is the last one for the merged commit, or the one that a
// person names, if it planned this commit. A job controls its artifacts, so only a run counts whose workflow the reviewers of the request could read.
// Reads the variables of the runner. Writes `run`, `request` and `approved` to GITHUB_OUTPUT; on GitLab it downloads the plan, or a folder of plans.

import { createHash } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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

/** Every page, because a list that is cut off could hide what matters. */
async function pages(read, path) {
  const found = [];
  for (let page = 1; ; page += 1) {
    const items = await read(`${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`);
    if (items.length === 0) return found;
    found.push(...items);
  }
}

const isOurs = ({ head_repository: of }) => of?.full_name === env.GITHUB_REPOSITORY;

/** Whether a run is a successful one of the workflow, in this repository. */
const isRunOf = (run, workflow, event) =>
  run.path?.split('@')[0] === `.github/workflows/${workflow}` &&
  isOurs(run) &&
  run.event === event &&
  run.conclusion === 'success';

/** What an apply holds the plan against (`--approved`). */
function approval(members) {
  return Object.entries(members)
    .map(([name, value]) => `${name}=${word(name, value)}`)
    .join(' ');
}

/** No branch, commit or number has white space, which would begin another member or another output. */
function word(name, value) {
  if (!/^[^\s\p{C}]+$/u.test(String(value))) throw new Error(`the host answers with a ${name} that is none: ${value}`);
  return value;
}

async function githubPlan(workflow, asked) {
  if (!/^[\w.-]+$/.test(workflow))
    throw new Error('the input workflow must be the name of a file in .github/workflows');
  const { GITHUB_SHA: sha, GITHUB_REF_NAME: base } = env;
  await requireNewest();
  if (asked !== '') {
    const run = await githubNamed(workflow, asked);
    return { run, request: '', approved: approval({ commit: sha, base, workflow, run }) };
  }
  const brought = await pages(github, `commits/${sha}/pulls`);
  const merged = brought.filter(
    (pull) => pull.merge_commit_sha === sha && pull.merged_at !== null && pull.base?.ref === base,
  );
  if (merged.length !== 1)
    throw new Error(`${several(merged, 'pull request')} merged as ${sha} into ${base}: plan again`);
  const [{ number, head }] = merged;
  const query = `event=pull_request&status=success&head_sha=${head.sha}&per_page=100`;
  const { workflow_runs: runs } = await github(`actions/workflows/${encodeURIComponent(workflow)}/runs?${query}`);
  const newest = runs
    .filter(
      (run) => isRunOf(run, workflow, 'pull_request') && run.head_sha === head.sha && run.head_branch === head.ref,
    )
    .toSorted((one, other) => other.id - one.id)[0];
  if (newest === undefined)
    throw new Error(`pull request ${number} has no plan of this repository for ${head.sha}: plan again`);
  await requireOneBase(newest, { number, head, base });
  const approved = approval({ commit: head.sha, base, workflow, request: number, run: newest.id });
  return { run: newest.id, request: number, approved };
}

function several(found, what) {
  return found.length === 0 ? `no ${what} was` : `more than one ${what} was`;
}

/** A run is created a little later than what starts it. */
const LATE = 5 * 60_000;

/**
 * GitHub runs the workflow of the merge of head and base, and a run does not say which base that was. So a request with the same head and another base,
 * or the same request before its base was changed, could have made the run with another workflow.
 */
async function requireOneBase(run, { number, head, base }) {
  const created = Date.parse(run.created_at);
  const [owner] = env.GITHUB_REPOSITORY.split('/');
  const of = await pages(github, `pulls?state=all&head=${encodeURIComponent(`${owner}:${head.ref}`)}`);
  // A request that was closed before the run was created did not start it, unless it stood at the same commit.
  const other = of.find(
    (pull) =>
      pull.number !== number &&
      pull.base?.ref !== base &&
      (pull.head?.sha === head.sha || !(Date.parse(pull.closed_at ?? '') < created - LATE)),
  );
  if (other !== undefined)
    throw new Error(
      `pull request ${other.number} has the same branch with another base, ${other.base?.ref}, so its workflow may have made run ${run.id}: plan again`,
    );
  const events = await pages(github, `issues/${number}/timeline`);
  const changed = events.find(
    ({ event, created_at: at }) => BASE_CHANGES.includes(event) && !(Date.parse(at) < created - LATE),
  );
  if (changed !== undefined)
    throw new Error(`the base of pull request ${number} was changed after run ${run.id} had planned it: plan again`);
}

const BASE_CHANGES = ['base_ref_changed', 'automatic_base_change_succeeded'];

/** An old run that is started again would bring back what a newer one replaced. */
async function requireNewest() {
  const [, workflow] = /\/\.github\/workflows\/([^/@]+)@/.exec(env.GITHUB_WORKFLOW_REF ?? '') ?? [];
  if (workflow === undefined) return;
  const query = `branch=${encodeURIComponent(env.GITHUB_REF_NAME)}&status=success&per_page=20`;
  const { workflow_runs: runs } = await github(`actions/workflows/${encodeURIComponent(workflow)}/runs?${query}`);
  const newer = runs.find(
    (run) => isOurs(run) && run.head_branch === env.GITHUB_REF_NAME && run.id > Number(env.GITHUB_RUN_ID),
  );
  if (newer !== undefined)
    throw new Error(
      `run ${newer.id} of ${workflow} has succeeded since this one was created: start a new run of it instead`,
    );
}

/** The run that a person names must be of that workflow and must have planned the commit that is applied, on its branch. */
async function githubNamed(workflow, asked) {
  const { GITHUB_SHA: sha, GITHUB_REF_NAME: branch } = env;
  if (!/^\d{1,15}$/.test(asked)) throw new Error('the run to apply must be a number');
  const run = await github(`actions/runs/${asked}`);
  if (!isRunOf(run, workflow, 'workflow_dispatch') || run.head_branch !== branch)
    throw new Error(
      `run ${asked} is not a successful run of ${workflow} that a person started on ${branch} in this repository`,
    );
  if (run.head_sha !== sha) throw new Error(`run ${asked} planned ${run.head_sha}, not ${sha}: plan again`);
  return run.id;
}

/** The workflow also comments, so its newest run need not have the artifact. */
async function githubSnapshot(workflow, branch) {
  const query = `branch=${encodeURIComponent(branch)}&status=success&per_page=100`;
  const { workflow_runs: runs } = await github(`actions/workflows/${encodeURIComponent(workflow)}/runs?${query}`);
  const ours = runs
    .filter((run) => isOurs(run) && run.event !== 'pull_request')
    .toSorted((one, other) => other.id - one.id);
  for (const { id } of ours) {
    const run = word('run', id);
    const { artifacts } = await github(`actions/runs/${run}/artifacts?name=snapshot`);
    if (artifacts.some(({ expired }) => expired === false)) return { run };
  }
  throw new Error(`${workflow} has made no snapshot yet: run it once on the default branch`);
}

const gitlab = (path, read) =>
  ask(`${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}/${path}`, { 'private-token': env.GITLAB_TOKEN }, read);

/** `download` gets what reads a file of the job's artifacts, and returns what else an apply holds the plans against. */
async function gitlabPlan(job, download) {
  const { CI_COMMIT_SHA: sha, CI_COMMIT_BRANCH: base, CI_PROJECT_ID: project } = env;
  const brought = await pages(gitlab, `repository/commits/${sha}/merge_requests`);
  const merged = brought.filter(
    (request) => request.state === 'merged' && isMergeOf(request, sha) && request.target_branch === base,
  );
  if (merged.length !== 1)
    throw new Error(`${several(merged, 'merge request')} merged as ${sha} into ${base}: plan again`);
  const [{ iid, sha: head, source_project_id: source }] = merged;
  if (String(source) !== project)
    throw new Error(`merge request ${iid} is of a fork, whose plan is not applied: plan again`);
  const pipelines = await pages(gitlab, `merge_requests/${iid}/pipelines`);
  for (const pipeline of pipelines.toSorted((one, other) => other.id - one.id)) {
    if (String(pipeline.project_id) !== project || !isOfRequest(pipeline, iid)) continue;
    const jobs = await pages(gitlab, `pipelines/${pipeline.id}/jobs?scope[]=success`);
    const found = jobs.find(({ name }) => name === job);
    if (found === undefined || !(await isPlanOf(found, head, sha))) continue;
    const more = await download((file) => artifact(found.id, file));
    const approved = approval({ commit: head, base, workflow: job, request: iid, run: pipeline.id, ...more });
    return { run: pipeline.id, request: iid, approved };
  }
  throw new Error(`merge request ${iid} has no plan of this project for ${head}: plan again`);
}

const artifact = (job, file) =>
  gitlab(`jobs/${job}/artifacts/${file}`, 'text').catch((error) => {
    throw new Error(`${file} of job ${job} could not be read: ${error.message}; if its artifacts are gone, plan again`);
  });

const PRIVATE = { mode: 0o600 };

/** The report `targets.json` of the job names the targets. Every one has a plan, because a job without one does not succeed. */
const gitlabFolder = (job, into) =>
  gitlabPlan(job, async (read) => {
    const text = await read('targets.json');
    const { names, digest } = reportIn(text);
    await newFolder(into);
    await newFolder(join(into, 'plans'));
    await writeFile(join(into, 'targets.json'), text, PRIVATE);
    const digests = {};
    for (const name of names) {
      const plan = await read(`plans/${name}.json`);
      digests[name] = digestIn(plan, name);
      await writeFile(join(into, 'plans', `${name}.json`), plan, PRIVATE);
    }
    const found = names.length === 0 ? null : digestOf(digests);
    if (found !== digest)
      throw new Error(
        `the plans of job ${job} have the digest ${found}, and its targets.json says ${digest}: plan again`,
      );
    return found === null ? {} : { digest: found };
  });

/** A file of the repository in it would be applied with the plans. */
async function newFolder(path) {
  await mkdir(path).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`${path} exists already: the plans need a folder of their own`);
  });
}

/** Names of targets become paths and addresses, and the job may have written anything. */
const TARGET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The targets of a report of `plan`, and the digest of their plans; null when there are none. */
function reportIn(text) {
  const { command, targets, summary } = objectIn(text, 'targets.json');
  if (command !== 'plan' || !Array.isArray(targets))
    throw new Error('targets.json is no report of a plan of several targets: plan again');
  const names = targets.map((each) => each?.target);
  const wrong = names.find((name) => typeof name !== 'string' || !TARGET_NAME.test(name));
  if (wrong !== undefined || names.includes(undefined))
    throw new Error(`targets.json has ${JSON.stringify(wrong ?? null)} where the name of a target belongs: plan again`);
  return { names: names.toSorted(), digest: summary?.digest ?? null };
}

/** The digest that a saved plan says it has: `show` and `apply` check it. */
function digestIn(text, name) {
  const { target, digest } = objectIn(text, `plans/${name}.json`);
  if (target !== name || typeof digest !== 'string')
    throw new Error(`plans/${name}.json is no saved plan of target ${name}: plan again`);
  return digest;
}

function objectIn(text, file) {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new Error(`${file} is no JSON: plan again`);
  }
}

/** As src/many/plans/plans.ts makes it; the names are in order. */
const digestOf = (digests) => createHash('sha256').update(JSON.stringify(digests)).digest('hex');

const isMergeOf = (request, sha) => [request.merge_commit_sha, request.squash_commit_sha, request.sha].includes(sha);

/** Not of another request with this head, nor one that a person started on the branch with variables. */
const isOfRequest = ({ ref, source }, iid) =>
  source === 'merge_request_event' && new RegExp(`^refs/merge-requests/${iid}/(head|merge|train)$`).test(ref);

/**
 * A merged results pipeline runs at a temporary merge commit: first its base, then the reviewed commit. With a base that is no part of what is applied,
 * the file of the pipeline may be another one than the reviewers read.
 */
async function isPlanOf({ commit, pipeline }, head, sha) {
  if (pipeline.sha === head) return true;
  const [base, reviewed] = commit.parent_ids ?? [];
  if (reviewed !== head || base === undefined) return false;
  const common = await gitlab(`repository/merge_base?refs[]=${base}&refs[]=${sha}`);
  return common.id === base;
}

const FINDERS = {
  plan: () => githubPlan(names[0], names[1] ?? ''),
  snapshot: () => githubSnapshot(names[0], names[1]),
  'gitlab-plans': () => gitlabFolder(...names),
};

try {
  const found = await FINDERS[what]();
  const lines = Object.entries(found).map(([name, value]) => `${name}=${value}\n`);
  process.stdout.write(lines.join(''));
  if (env.GITHUB_OUTPUT) await appendFile(env.GITHUB_OUTPUT, lines.join(''));
} catch (error) {
  // A line of its own could command the runner.
  const message = error.message.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  process.stderr.write(`${env.GITHUB_ACTIONS === 'true' ? '::error title=chatform::' : ''}${message}\n`);
  process.exitCode = 1;
}
