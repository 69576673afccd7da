// The findings of a plan for programs that show them next to lines of files: findings about the files, what withholds the plan, policies, dangers, rerouted visitors.

import type { PolicyResult } from '../../base/model.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { Plan, PlannedRouting, SourcePlace } from '../../plan/plan.ts';
import type { PlanResult, ReviewedPlan } from '../../plan/review/plan-result.ts';
import { diagnosticFindings } from '../../view/diagnostics.ts';
import type { Finding, Findings } from '../../view/findings.ts';
import { DANGERS } from '../../view/words/plan.ts';
import { exposedText, madeUpSummary, reroutedText, splitByPages, wayOut } from '../../view/words/routing.ts';

/** `at`: when the plan was made, RFC 3339; null where that is not known. */
export function planFindings(of: PlanResult, at: string | null): Findings {
  const about = { operation: 'plan', at, check: 'the plan was made', rules: [], notes: [], fingerprints: null };
  if (of.outcome === 'failed') {
    const { target, diagnostics } = of;
    // Errors in the files say why.
    const isSaid = diagnostics.some(({ severity }) => severity === 'error');
    return {
      ...about,
      scope: target === null ? [] : [target],
      failure: isSaid ? null : of.message || 'no plan could be made',
      lines: [],
      findings: diagnosticFindings(diagnostics),
    };
  }
  const { add, change, destroy, adopt } = of.plan.summary;
  return {
    ...about,
    scope: [of.plan.target],
    failure: null,
    lines: [`${add} to add, ${change} to change, ${destroy} to destroy, ${adopt} to adopt`],
    findings: findingsIn(of),
  };
}

/** What stops an apply has failed. */
function findingsIn({ plan, cautions, diagnostics }: ReviewedPlan): readonly Finding[] {
  return [
    ...diagnosticFindings(diagnostics),
    ...vetoFindings(plan),
    ...plan.policies.map(policyFinding),
    ...cautions.map(caution),
    ...routingFindings(plan),
  ];
}

function finding(
  rule: string,
  title: string,
  lines: readonly string[],
  {
    place = null,
    level = 'warning',
  }: { readonly place?: SourcePlace | null; readonly level?: 'error' | 'warning' } = {},
): Finding {
  const result = level === 'error' ? 'failed' : 'reported';
  return { rule, level, result, subject: '', title, lines, item: null, place, fingerprint: null };
}

/** A policy has a finding of its own, whatever its result. */
export function vetoFindings({ withheld, resource_changes: changes }: Plan): readonly Finding[] {
  return withheld
    .filter(({ guard }) => guard !== 'policy')
    .map(({ guard, addresses, message, remedy }) => {
      const meant = new Set<string>(addresses);
      const place = changes.find(({ address, source }) => source !== null && meant.has(address))?.source ?? null;
      return finding(`withheld/${guard}`, `withheld by ${guard}`, [message, remedy], { place, level: 'error' });
    });
}

function policyFinding({ name, level, passed, message, failure }: PolicyResult): Finding {
  const said = `${name}: ${message}${failure === null ? '' : ` (${failure})`}`;
  const isDenied = level === 'deny';
  const found = finding(isDenied ? 'withheld/policy' : 'policy', `policy ${name}`, [said], {
    level: isDenied ? 'error' : 'warning',
  });
  return passed ? { ...found, result: 'passed' } : found;
}

function caution({ what, address, message, source }: Caution): Finding {
  const said = `${address} ${DANGERS[what].says}${message === '' ? '' : `: ${message}`}`;
  return finding(`caution/${what}`, `${what}: ${address}`, [said], { place: source });
}

/** Rerouted visitors, at the rule that causes it; visitors who are exposed on the way, at no rule. */
function routingFindings({ routing, resource_changes: changes }: Plan): readonly Finding[] {
  if (routing === null) return [];
  const sources = new Map<string, SourcePlace | null>(changes.map(({ address, source }) => [address, source]));
  const { likely, madeUp } = splitByPages(routing.rerouted);
  const rerouted = likely.map((each) => {
    const rule = each.after.groups.length === 0 ? 'caution/unrouted' : 'caution/rerouted';
    const text = reroutedText(each);
    return finding(rule, text, [text], { place: sources.get(each.cause.rule) ?? null });
  });
  const place = sources.get(madeUp[0]?.cause.rule ?? '') ?? null;
  const others = madeUpSummary(madeUp).map((text) => finding('caution/rerouted', text, [text], { place }));
  return [...rerouted, ...others, ...exposedFindings(routing)];
}

function exposedFindings({ way, exposed, longer }: PlannedRouting): readonly Finding[] {
  if (way === 'safe') return [];
  const exposure = (...lines: readonly [string, ...string[]]): Finding => finding('caution/exposed', lines[0], lines);
  if (exposed.length === 0)
    return [exposure('too many rules to tell whether chats are misrouted while the rules are written')];
  return exposed.map((each) => exposure(exposedText(each), wayOut(longer)));
}
