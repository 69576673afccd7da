// What a plan does to the ways of visitors in; the lines about it that belong among the cautions out: whose chats go elsewhere, who has nobody left, whose
// go astray on the way.

import type { Diagnostic, DiagnosticCode } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { PlannedRouting } from '../../plan/plan.ts';
import { code } from '../markdown-text.ts';
import { plain } from '../plain.ts';
import { because, described, to, wayOut, who } from '../routing-text.ts';
import type { Planned } from './subject.ts';
import { cut } from './words.ts';

/** One heading of it: a total, and its lines. */
export interface RoutingCaution {
  readonly total: string;
  readonly lines: readonly string[];
}

/** Lines that say of somebody that nobody is there for them. */
const GAPS: ReadonlySet<DiagnosticCode> = new Set(['nobody-there', 'lost-cover', 'route-failed']);

const MOST = 20;
const LONGEST = 200;

export function routingCautions({ plan: { routing }, diagnostics }: Planned): readonly RoutingCaution[] {
  const gaps = diagnostics.filter(({ code: found }) => GAPS.has(found));
  const lines = [...(routing === null ? [] : [...rerouted(routing), ...astray(routing)]), ...gaps.map(gapLine)];
  if (lines.length === 0) return [];
  const moved = routing?.rerouted.length ?? 0;
  const exposed = routing?.exposed.length ?? 0;
  const counts = [
    ...(moved === 0 ? [] : [`**${moved}** ${moved === 1 ? 'kind' : 'kinds'} of visitors routed to other groups`]),
    ...(exposed === 0 ? [] : [`**${exposed}** astray while rules are written`]),
    ...(gaps.length === 0 ? [] : [`**${gaps.length}** ${gaps.length === 1 ? 'gap' : 'gaps'} in routing`]),
  ];
  return [{ total: counts.length === 0 ? 'routing not certain' : counts.join(' · '), lines }];
}

function quoted(text: string): string {
  return code(cut(text, LONGEST));
}

function rerouted({ rerouted: all, exact }: PlannedRouting): readonly string[] {
  const more = all.length - MOST;
  return [
    ...all
      .slice(0, MOST)
      .map(
        (each) =>
          `routing: ${quoted(who(each.examples))} go from ${quoted(to(each.before))} to ${quoted(to(each.after))} (${quoted(because(each.cause, each))})${each.after.rule === null ? ': no rule is left for them' : ''}`,
      ),
    ...(more > 0 ? [`routing: and ${exact ? '' : 'at least '}${more} more`] : []),
    ...(exact || more > 0 ? [] : ['routing: perhaps others too; not every pair of rules could be decided']),
  ];
}

function astray({ way, exposed, longer }: PlannedRouting): readonly string[] {
  if (way === 'safe') return [];
  if (exposed.length === 0)
    return ['routing: too many rules to tell whether chats go astray while the rules are written'];
  const lines = exposed
    .slice(0, MOST)
    .map(
      ({ visitor, meanwhile, writes }) =>
        `routing: after ${counted(writes, 'write')} ${quoted(described(visitor))} reaches ${quoted(to(meanwhile))} for a while, which is neither the old nor the new group`,
    );
  return [...lines, `routing: ${quoted(wayOut(longer))}`];
}

function gapLine({ message, place }: Diagnostic): string {
  return `routing: ${quoted(plain(message))} (${code(cut(`${place.file}:${place.line}`, LONGEST))})`;
}
