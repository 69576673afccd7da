// Limits that the license states, and what a plan leaves of them. Specification: service notes, "Properties".

import { isObject } from '../../base/json.ts';
import type { Json, JsonObject, KindName, Live } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import { KIND_NAMES, KINDS } from '../../kinds/index.ts';
import { type CheckResult, ok, problem, unchecked, warning } from './finding.ts';
import type { Allowance, PlanSeen, ServiceSeen } from './observed.ts';

/** The namespace of the license properties that state its limits. */
export const LIMITS_NAMESPACE = 'limits';

const UNLIMITED = -1;

/** Null when the member is missing or not a number. */
function numberOf(values: JsonObject, name: string): number | null {
  const value = values[name];
  return typeof value === 'number' ? value : null;
}

/** Base and additional, at most hard; -1 is unlimited. Null when the license does not say the base. */
function effective(values: JsonObject, resource: string): number | null {
  const base = numberOf(values, `${resource}.base`);
  if (base === null) return null;
  const additional = numberOf(values, `${resource}.additional`) ?? 0;
  const hard = numberOf(values, `${resource}.hard`) ?? UNLIMITED;
  const sum = base === UNLIMITED || additional === UNLIMITED ? Number.POSITIVE_INFINITY : base + additional;
  return hard === UNLIMITED ? sum : Math.min(sum, hard);
}

/** What a reply of list_license_properties allows of each kind; null when it does not hold the namespace. */
export function allowancesOf(reply: Json, live: Live['objects']): readonly Allowance[] | null {
  const values = isObject(reply) ? reply[LIMITS_NAMESPACE] : undefined;
  if (!isObject(values)) return null;
  return KIND_NAMES.flatMap((kind): readonly Allowance[] => {
    const resource = KINDS[kind].allowance;
    const allowed = resource === undefined ? null : effective(values, resource);
    if (resource === undefined || allowed === null) return [];
    return [{ resource, kind, allowed, present: live[kind]?.length ?? null }];
  });
}

/** One allowance, and what a plan uses of it. */
export interface LimitUse extends Allowance {
  /** Objects that the plan creates, and deletes. */
  readonly creates: number;
  readonly deletes: number;
  /** What is left after the plan; null when the number of objects is unknown. */
  readonly left: number | null;
}

export function usesOf({ allowances }: ServiceSeen, planned: PlanSeen): readonly LimitUse[] | null {
  if (allowances === null) return null;
  const count = (kind: KindName, verb: 'create' | 'delete'): number =>
    planned.status !== 'planned'
      ? 0
      : planned.plan.resource_changes.filter(
          ({ type, change: { actions } }) => type === kind && actions.length === 1 && actions[0] === verb,
        ).length;
  return allowances.map((allowance) => {
    const [creates, deletes] = [count(allowance.kind, 'create'), count(allowance.kind, 'delete')];
    const left = allowance.present === null ? null : allowance.allowed - allowance.present - creates + deletes;
    return { ...allowance, creates, deletes, left };
  });
}

function described({ resource, allowed, present, creates, deletes }: LimitUse): string {
  const planned = [
    ...(creates === 0 ? [] : [`${creates} to add`]),
    ...(deletes === 0 ? [] : [`${deletes} to destroy`]),
  ].join(', ');
  const used = present === null ? `at most ${allowed}` : `${present} of ${allowed}`;
  return `${resource.replaceAll('_', ' ')} ${used}${planned === '' ? '' : ` (${planned})`}`;
}

const MORE = 'delete what is not needed, or have the limit of the license raised';

/** Whether the license allows as many objects as the plan makes. */
export function checkLimits(uses: readonly LimitUse[] | null, { answers }: ServiceSeen): CheckResult {
  if (uses === null) {
    const isRefused = answers.some(
      ({ action, failure }) => action === 'list_license_properties' && failure?.type === 'authorization',
    );
    if (isRefused)
      return unchecked(
        'the token may not read the limits of the license',
        'use a token with properties.license.value--all:ro to see them',
      );
    const wasTold = answers.some((answer) => answer.action === 'list_license_properties' && answer.failure === null);
    return unchecked(wasTold ? 'the license does not say' : 'they could not be read');
  }
  const finite = uses.filter(({ allowed }) => Number.isFinite(allowed));
  if (finite.length === 0) return ok('unlimited');
  const all = finite.map(described).join(', ');
  const beyond = finite.filter(({ left, creates }) => left !== null && left < 0 && creates > 0);
  if (beyond.length > 0) return problem(`the plan does not fit: ${beyond.map(described).join(', ')}`, MORE);
  // Creates come before deletes, so a plan that fits at its end may not fit on its way.
  const tight = finite.filter(({ left, creates, deletes }) => left !== null && creates > 0 && left - deletes < 0);
  if (tight.length > 0)
    return warning(
      `the plan fits only after its own deletes, which come last: ${tight.map(described).join(', ')}`,
      'apply the deletes first: --only takes addresses',
    );
  const full = finite.filter(({ left }) => left !== null && left <= 0);
  if (full.length > 0) return warning(`${counted(full.length, 'limit')} reached: ${all}`, MORE);
  return ok(all);
}
