// The license around a plan, before and after, as a page shows it. Reads nothing: what the plan did not read is shown as unknown.

import type { Place } from '../../base/model.ts';
import { weekAt } from '../../base/week.ts';
import { ORDERED } from '../../kinds/index.ts';
import type { Comparison } from '../../plan/compare.ts';
import { ruleLists } from '../../plan/rerouting/rule-lists.ts';
import { staffsOf } from '../../planning/routing-lints.ts';
import type { RoutingRule } from '../../routing/rules.ts';
import type { Declared } from '../../target/prepare.ts';
import { type CoverageReport, coverageReport } from '../coverage/report.ts';
import { coverSection } from '../coverage/view.ts';
import type { ListedRule, PlanPictures, RuleOrder } from './pictures.ts';

export function picturesOf(declared: Declared, compared: Comparison, now: number): PlanPictures {
  const cover = coverOf(declared, compared, now);
  return { rules: rulesOf(compared), cover, weeks: coverSection(cover) };
}

function coverOf(declared: Declared, compared: Comparison, now: number): CoverageReport {
  const { settings, desired } = declared;
  const staffs = staffsOf(settings, compared);
  const week = weekAt(settings.routing.timezone, now);
  const places = new Map<string, Place>(desired.resources.map(({ address, place }) => [address, place]));
  const about = {
    target: settings.name,
    week,
    wants: () => true,
    lint: settings.routing.lint,
    placeOf: (reference: string) => places.get(reference) ?? null,
  };
  return coverageReport({ ...about, view: 'both', before: staffs.before, staff: staffs.after });
}

function rulesOf(compared: Comparison): RuleOrder {
  const { before, after } = ruleLists(compared);
  const { live, bindings, drafts } = compared;
  const known = new Map<string, string>(
    (live.objects[ORDERED.name] ?? []).map(({ id, name }) => [bindings.referenceTo(ORDERED.name, id), name]),
  );
  // By their names of today; new rules by their names to be.
  for (const { address, object } of drafts) if (object !== null && !known.has(address)) known.set(address, object.name);
  const coming = new Map(
    drafts.flatMap(({ kind, address, desired }): readonly (readonly [string, string])[] =>
      kind === ORDERED ? [[address, String(desired?.['description'] || known.get(address) || address)]] : [],
    ),
  );
  const listed = (rule: RoutingRule, name: string | undefined): ListedRule => ({
    reference: rule.name,
    name: name ?? rule.name,
    groups: rule.groups,
  });
  return {
    before: before.map((rule) => listed(rule, known.get(rule.name))),
    after: after.map((rule) => listed(rule, coming.get(rule.name) ?? known.get(rule.name))),
  };
}
