// Checks of versions, the credential and its scopes, from answers of the service.

import { type ApiFailure, assertNever } from '../../base/errors.ts';
import { LICENSE_API } from '../../kinds/actions.ts';
import type { Api, ApiAction } from '../../service/api.ts';
import { CONFIGURATION } from '../../service/configuration.ts';
import { includesScope, leastScopes } from '../../service/scopes.ts';
import type { VersionStage } from '../../service/sender.ts';
import { blamed, failuresOf, hasSpoken, wasLetIn } from './blame.ts';
import { type CheckResult, ok, problem, unchecked, warning } from './finding.ts';
import type { ActionAnswer, PlanSeen, ServiceSeen, TargetSeen, VersionSeen } from './observed.ts';

/** The part of an API that says what can be set in the place of a version. */
type Versions = Pick<Api, 'name' | 'versions' | 'stable'>;
/** Whether the service has this version of the Configuration API, its stage, and when that ends. */
export function checkVersion({ version }: TargetSeen, { answers, stage }: ServiceSeen, now: number): CheckResult {
  const [failure] = failuresOf('version', answers);
  const seen = { api: CONFIGURATION, setting: 'api_version', version } as const;
  if (failure !== undefined) return refusedVersion(seen, failure);
  if (stage === null || !hasSpoken(answers)) return unchecked('the service did not answer');
  return checkStage(seen, stage, now);
}

/** The same for an API that no plan needs, so that nothing about it is a problem. */
export function checkOtherVersion(seen: VersionSeen, now: number): CheckResult {
  const { stage, failure, because } = seen;
  if (because !== null) return unchecked(`${seen.version}; its stage is not known: ${because}`);
  if (failure?.type === 'unsupported_version') return asWarning(refusedVersion(seen, failure));
  if (stage === null) return unchecked(`the ${seen.api.name} did not answer`);
  return asWarning(checkStage(seen, stage, now));
}

function asWarning(result: CheckResult): CheckResult {
  return result.status === 'problem' ? { ...result, status: 'warning' } : result;
}

type UsedVersion = Pick<VersionSeen, 'setting' | 'version'> & { readonly api: Versions };

function refusedVersion({ api, setting, version }: UsedVersion, { message }: ApiFailure): CheckResult {
  const others = api.versions
    .filter((other) => other !== version)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
  const change = `set \`${setting}\` to ${others}, if the license has it, and plan again`;
  return problem(`the service refuses version ${version}: ${message}`, change);
}

function checkStage({ api, setting, version }: UsedVersion, stage: VersionStage, now: number): CheckResult {
  const change = `set \`${setting}\` to ${api.stable}, the stable version${setting === 'api_version' ? ', and plan again' : ''}`;
  switch (stage.name) {
    case 'stable':
      return ok(`${version}, the stable version, with no end announced`);
    case 'unknown':
      return warning(`${version} is older than the stable version, and the service does not say when it ends`, change);
    case 'preview':
      return ok(`${version}, a preview that the service may change; ${api.stable} is the stable version`);
    case 'legacy':
    case 'deprecated': {
      const { name, ends } = stage;
      const isOver = ends !== null && Date.parse(ends) < now;
      const end = ends === null ? 'at a date that the service does not say' : `on ${ends}`;
      const about = name === 'deprecated' ? name : 'a legacy version';
      const message = `${version} is ${about}, and this stage ${isOver ? 'ended' : 'ends'} ${end}`;
      const later = version === api.stable ? 'look for a chatform that knows a later version' : change;
      return isOver && name === 'deprecated' ? problem(message, later) : warning(message, later);
    }
    default:
      return assertNever(stage);
  }
}

/** Whether the service accepts the credential. */
export function checkCredential(subject: TargetSeen, { answers, noCredential }: ServiceSeen): CheckResult {
  const { tokenEnv } = subject;
  if (noCredential !== null) return problem(noCredential, `put the access token into ${tokenEnv}`);
  const kind = subject.credential === 'basic' ? 'personal access token' : 'access token';
  const [failure] = failuresOf('credential', answers);
  if (failure?.type === 'license_expired')
    return problem(`the subscription of the license has ended: ${failure.message}`, 'renew the subscription');
  if (failure !== undefined)
    return problem(
      `the service refuses the ${kind}: ${failure.message}`,
      subject.credential === 'basic'
        ? `put a valid token into ${tokenEnv}; \`account_id\` must be its account, and is left out for a token that is not personal`
        : `put a valid token into ${tokenEnv}; a personal access token needs \`account_id\` in chatform.yaml as well`,
    );
  if (wasLetIn(answers)) return ok(`the service accepts the ${kind}`);
  return unchecked('the service refused every request before it checked it');
}

/** What is known of the token's scopes, from what it was allowed and refused, and what a plan needs of it. */
export interface Scopes {
  /** To plan and to apply; null when there is no plan. */
  readonly needed: readonly string[] | null;
  /** Reads that need these were allowed. */
  readonly granted: readonly string[];
  /** Reads that need these were refused. */
  readonly missingToRead: readonly string[];
  /** A token with these could have read what was refused. */
  readonly missingToWrite: readonly string[];
  /** Only a write can try them. */
  readonly untried: readonly string[];
}

function scopesOfAnswers(answers: readonly ActionAnswer[]): readonly string[] {
  return leastScopes(answers.flatMap(({ action }) => LICENSE_API.actions[action].scopes));
}

/** Scopes that an answer proves: of a list that may be a part, the narrower ones. */
function provenBy(answers: readonly ActionAnswer[]): readonly string[] {
  return leastScopes(
    answers.flatMap(({ action }) => {
      const { partial, scopes, ownScopes }: ApiAction = LICENSE_API.actions[action];
      return partial === true ? ownScopes : scopes;
    }),
  );
}

function isRefused({ failure }: ActionAnswer): boolean {
  return failure?.type === 'authorization';
}

/** The table says what an action needs; `rw` includes `ro`, so a refused read also says something about writes. */
export function scopesOf({ answers }: ServiceSeen, planned: PlanSeen): Scopes {
  const granted = provenBy(answers.filter(({ failure }) => failure === null));
  const refused = answers.filter(isRefused);
  const lacking = scopesOfAnswers(refused);
  const needed = planned.status === 'planned' ? planned.plan.scopes : null;
  const wanted = needed ?? (planned.status === 'prevented' ? planned.guess : null) ?? [];
  const missingToWrite = wanted.filter((scope) => lacking.some((read) => includesScope(scope, read)));
  return {
    needed,
    granted,
    missingToRead: scopesOfAnswers(refused.filter(({ planning }) => planning)),
    missingToWrite,
    untried: wanted.filter(
      (scope) => !missingToWrite.includes(scope) && !granted.some((have) => includesScope(have, scope)),
    ),
  };
}

/** Whether the token may read everything that the manifest and the ledger name. */
export function checkReadScopes({ answers, noCredential }: ServiceSeen): CheckResult {
  const asked = answers.filter(({ planning }) => planning);
  const refused = asked.filter(isRefused);
  if (refused.length > 0) {
    const actions = [...new Set(refused.map(({ action }) => action))].join(', ');
    const scopes = scopesOfAnswers(refused).join(', ');
    const everything = refused.length === asked.length && asked.length > 1;
    return problem(
      `the token may not read everything that is declared or owned: ${actions} refused, missing ${scopes}`,
      everything
        ? `use a token with ${scopes}; if it has them, its agent may be suspended, or wait for approval`
        : `use a token with ${scopes}`,
    );
  }
  if (asked.length === 0) return unchecked(noCredential === null ? 'there is nothing to read' : 'there is no token');
  // A refusal of one question for another reason says nothing about scopes, and some kinds ask again without it.
  if (asked.some(({ failure }) => failure !== null && blamed(failure) !== 'plan'))
    return unchecked('not every read was answered');
  const [proven, needed] = [provenBy(asked), scopesOfAnswers(asked)];
  const unproven = needed.filter((scope) => !proven.includes(scope));
  const rest =
    unproven.length === 0
      ? ''
      : `; no answer tells whether it also has ${unproven.join(', ')}, without which a list has only what its agent's groups have`;
  return ok(`the token has what reading takes: ${proven.join(', ')}${rest}`);
}

/** What the token needs to write. Writes are never tried, so only a missing family is certain. */
export function checkWriteScopes(planned: PlanSeen, { needed, missingToWrite, untried }: Scopes): CheckResult {
  const needs = needed === null ? 'on an empty license, an apply would need' : 'the plan needs';
  if (missingToWrite.length > 0) {
    const absent = missingToWrite.join(', ');
    const rest = untried.length === 0 ? '' : `, and ${untried.join(', ')}, which only a write can try`;
    return problem(`${needs} ${absent}, which the token lacks${rest}`, `use a token with ${absent}`);
  }
  if (planned.status === 'planned' && planned.plan.steps.length === 0) return ok('the plan writes nothing');
  if (planned.status === 'planned' && untried.length === 0) return ok('the plan needs no more than reading does');
  if (untried.length === 0) return unchecked('there is no plan');
  return unchecked(`${needs} ${untried.join(', ')}: only a write can try that`, 'make sure that the token has them');
}
