// Lists and folds of a comment around its changes: what withholds the plan, findings, notes, what was overwritten, what is not managed.

import type { Diagnostic } from '../../base/model.ts';
import { counted, few, findingCounts } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { bytes, code, cut, fitting, folded, type LineUrl, listed, placeLink } from '../../view/markdown.ts';
import { entities, plain, value } from '../../view/plain.ts';
import { byMessage, overwrittenText, policyWarnings } from '../words/plan.ts';

const LONGEST_VETO = 600;

/** What withholds a plan and what would let it go, then the policies that warn. */
export function vetoList(plan: Plan, room: number): string {
  const more = (left: number): string => `- and ${left} more\n`;
  const quoted = (text: string): string => code(cut(text, LONGEST_VETO));
  const vetoes = plan.withheld.map(
    ({ guard, message, remedy }) => `- **${guard}**: ${quoted(message)}\n  to continue: ${quoted(remedy)}\n`,
  );
  const warnings = policyWarnings(plan).map(({ name, message }) => `- ${quoted(name)}: ${quoted(message)}\n`);
  const stops = listed('\n**Withheld: nothing is applied until this is resolved.**\n\n', vetoes, room, more);
  return `${stops}${listed('\n**Policy warnings:**\n\n', warnings, room - bytes(stops), more)}`;
}

/** Why there is no plan: errors first, each with its place. */
export function findingList(diagnostics: readonly Diagnostic[], lineOf: LineUrl | null, room: number): string {
  const rank = ({ severity }: Diagnostic): number => (severity === 'error' ? 0 : 1);
  const lines = diagnostics
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ severity, place, message, remedy }) => {
      const help = remedy === null ? '' : `\n  to continue: ${code(cut(remedy, LONGEST_VETO))}`;
      return `- **${severity}** at ${placeLink(place, lineOf)}: ${code(cut(message, LONGEST_VETO))}${help}\n`;
    });
  const shown = (left: number): number => lines.length - left;
  return listed('', lines, room, (left) => `- and ${total(diagnostics) - shown(left)} more, listed by the run\n`);
}

/** With those that are not told, of which the last finding says how many they are. */
function total(diagnostics: readonly Diagnostic[]): number {
  const { errors, warnings } = findingCounts(diagnostics);
  return errors + warnings;
}

const LONGEST = 500;
const LONGEST_NAMES = 300;

/** A fold with as many lines as fit, and how many of `count` do not; empty when not even one does. */
function fold(summary: string, all: readonly string[], room: number, count = all.length): string {
  if (all.length === 0) return '';
  const lines = all.map((line) => cut(line, LONGEST));
  const frame = 200;
  const sized = lines.map((line) => `${entities(line)}\n`);
  const { left } = fitting(sized, room - frame);
  if (left === lines.length) return '';
  const shown = lines.slice(0, lines.length - left);
  return folded(summary, left === 0 ? shown : [...shown, `and ${count - shown.length} more`]);
}

/** The known ones come last. */
export function findingFold(diagnostics: readonly Diagnostic[], room: number): string {
  const known = diagnostics.filter((each) => each.known !== undefined).length;
  const sorted = diagnostics.toSorted((a, b) => Number(a.known !== undefined) - Number(b.known !== undefined));
  const lines = sorted.map(({ severity, code: what, place, message, remedy }) => {
    const help = remedy === null ? '' : `; ${remedy}`;
    return `${severity}: ${place.file}:${place.line}:${place.column}: ${message}${help} (${what})`;
  });
  const count = total(diagnostics);
  const summary = counted(count, 'finding in the files', 'findings in the files');
  return fold(known === 0 ? summary : `${summary}, ${known} known since the last apply`, lines, room, count);
}

/** Addresses in one line of the notes. */
const MOST_NAMED = 3;

/** One line for each message. */
export function noteFold({ notes }: Plan, room: number): string {
  const lines = [...byMessage(notes)].map(
    ([message, addresses]) => `${cut(few(addresses, MOST_NAMED), LONGEST_NAMES)}: ${message}`,
  );
  return fold(counted(notes.length, 'note'), lines, room);
}

/** What was changed on the license by hand, and the plan replaces. */
export function overwrittenFold({ resource_drift: all }: Plan, room: number): string {
  const count = counted(all.length, 'resource');
  return fold(
    `Changed on the license since the last apply (will be overwritten): ${count}`,
    all.map(overwrittenText),
    room,
  );
}

/** Unmanaged objects of the kinds that the plan touches, and objects that are no longer declared. */
export function unmanagedFold(plan: Plan, room: number): string {
  const touched = new Set(plan.resource_changes.map(({ type }) => type));
  const lines = plan.unmanaged
    .filter(({ type, released }) => released !== null || touched.has(type))
    .map(({ type, id, name, released, reason }) => {
      const what = released === null ? `${type} ${value(name)} (${plain(String(id))})` : released;
      return `${what}${reason === null ? '' : `: ${reason}`}`;
    });
  return fold(`Unmanaged (not changed): ${counted(lines.length, 'object')}`, lines, room);
}
