// Where in CI a plan was made, as the job says; and whether an approved plan is the one that this job may apply. Reads no token.

import { readFile } from 'node:fs/promises';
import { UsageError } from '../base/errors.ts';
import { jsonIn, textAt } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import type { PlanOrigin, SavedPlan } from '../plan/saved/saved-plan.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { RunContext } from '../target/context.ts';
import { startedBy } from '../target/started-by.ts';
import { type Approved, foreignTo, wrongDay } from './approved.ts';
import type { PlanningChoice } from './planning.ts';

type Environment = RunContext['env'];

/** What the host says of the plan that was approved: members of its origin, or its digest. */
export type Approval = { readonly [member in (typeof APPROVAL)[number]]?: string };

export const APPROVAL = ['commit', 'base', 'workflow', 'request', 'run', 'digest'] as const satisfies readonly (
  | keyof PlanOrigin
  | keyof SavedPlan
)[];

/** Null outside of CI. A member that the job does not tell is left out. */
export async function originOf({ env, self }: Pick<RunContext, 'env' | 'self'>): Promise<PlanOrigin | null> {
  const { ci, repository, request, commit } = startedBy({ env, self });
  if (ci === undefined) return null;
  const found = { repository, request, commit, ...partsIn(env, await eventOf(env)) };
  const stated = Object.entries(found).filter(([, value]) => value !== undefined && SHOWN.test(value));
  return { ci, ...Object.fromEntries(stated) };
}

/** No white space, so that a list of members can be divided at it. */
const SHOWN = /^[^\s\p{C}]{1,255}$/u;

/** What the ledger does not keep of a job. */
function partsIn(env: Environment, event: Json | undefined): Partial<PlanOrigin> {
  if (env['GITHUB_ACTIONS'] === 'true') {
    // GITHUB_SHA of a pull request is a merge that exists nowhere else.
    const head = textAt(event, 'pull_request', 'head', 'sha');
    return filled({
      commit: head,
      base: env['GITHUB_BASE_REF'] || env['GITHUB_REF_NAME'],
      workflow: /\/\.github\/workflows\/([^/@]+)@/.exec(env['GITHUB_WORKFLOW_REF'] ?? '')?.[1],
      run: env['GITHUB_RUN_ID'],
    });
  }
  if (env['GITLAB_CI'] === 'true')
    return filled({
      base: env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME'] || env['CI_COMMIT_BRANCH'],
      workflow: env['CI_JOB_NAME'],
      run: env['CI_PIPELINE_ID'],
    });
  return {};
}

function filled(
  members: {
    readonly [member in keyof PlanOrigin]?: string | null | undefined;
  },
): Partial<PlanOrigin> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}

/** What the job runs for, as GitHub says; null where it says nothing, undefined where it names no file of JSON. */
export function eventOf(env: Environment): Promise<Json | undefined> {
  const event = EVENTS.get(env) ?? readEvent(env['GITHUB_EVENT_PATH'] ?? '');
  EVENTS.set(env, event);
  return event;
}

/** A run asks for it more than once. */
const EVENTS = new WeakMap<Environment, Promise<Json | undefined>>();

async function readEvent(file: string): Promise<Json | undefined> {
  return file === '' ? null : jsonIn(await readFile(file, 'utf8').catch(() => ''));
}

/** Reads `name=value` of `--approved`. @throws UsageError for another name, or the same one with two values */
export function approvalIn(given: readonly string[]): Approval {
  const approval: { [member: string]: string } = {};
  for (const each of given) {
    const [name = '', value = ''] = [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)];
    if (!APPROVAL.some((member) => member === name) || value === '')
      throw new UsageError(`--approved ${each}: write name=value, with one of ${APPROVAL.join(', ')}`);
    if (approval[name] !== undefined && approval[name] !== value)
      throw new UsageError(`--approved names two values of ${name}: give one`);
    approval[name] = value;
  }
  return approval;
}

const HERE: unique symbol = Symbol('here');

/** An approved plan that belongs to this target, this day and this job. `approvedHere` alone makes one, and no apply takes another. */
export interface ApprovedHere extends Approved {
  readonly [HERE]: true;
}

/** The plan for an apply of this target in this job; otherwise why it may not be applied here. `given`: the choice before the plan narrowed it. */
export async function approvedHere(
  approved: Approved,
  settings: TargetSettings,
  { approval, given }: { readonly approval: Approval; readonly given: Pick<PlanningChoice, 'destroys'> },
  context: Pick<RunContext, 'env' | 'self' | 'clock'>,
): Promise<ApprovedHere | { readonly foreign: string }> {
  const foreign =
    swapped(approved, await originOf(context), approval, given) ??
    foreignTo(approved, settings) ??
    wrongDay(approved, context.clock.now());
  return foreign === null ? { ...approved, [HERE]: true } : { foreign };
}

/**
 * Why an approved plan is not the one that may be applied here; null when it may be. `here` is null outside of CI, where only `approval` counts.
 * A plan that was made outside of CI has no origin, and is held against `approval` only.
 */
export function swapped(
  { file, saved }: Approved,
  here: PlanOrigin | null,
  approval: Approval,
  { destroys }: Pick<PlanningChoice, 'destroys'>,
): string | null {
  const { origin, digest } = saved;
  for (const name of APPROVAL) {
    const expected = approval[name];
    const found = name === 'digest' ? digest : origin?.[name];
    if (expected === undefined || found === expected) continue;
    return found === undefined
      ? `${file} does not say its ${name}, and the approved plan is of ${name} ${expected}`
      : `${file} is a plan of ${name} ${found}, and the approved one is of ${name} ${expected}`;
  }
  if (here === null) return null;
  if (saved.plan.destroys !== undefined && destroys === undefined)
    return `${file} is a plan of a destroy, which no file declares: in a job of CI, only \`chatform destroy ${file}\` applies it`;
  if (origin === undefined) return null;
  // A request is merged as another commit, which only the host can tell.
  const isOfHere = origin.request === here.request;
  const compared = isOfHere ? COMPARED : COMPARED.filter((name) => name !== 'commit');
  for (const name of compared) {
    if (origin[name] === undefined || here[name] === undefined || origin[name] === here[name]) continue;
    return `${file} is a plan of ${name} ${origin[name]}, and this job is of ${name} ${here[name]}`;
  }
  if (isOfHere || here.request === undefined) return null;
  return `${file} is not a plan of request ${here.request}, for which this job runs`;
}

const COMPARED = ['ci', 'repository', 'base', 'commit'] as const satisfies readonly (keyof PlanOrigin)[];
