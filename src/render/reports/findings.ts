// The findings of a plan for programs that show them next to lines of files: errors in the files, what withholds the plan, policies, dangers, rerouted
// visitors. Each finding has a rule to filter by.

import type { Caution } from '../../plan/guards/cautions.ts';
import type { Plan, PlannedRouting, SourcePlace } from '../../plan/plan.ts';
import type { PlanResult } from '../../tasks/review/plan-result.ts';
import { plain } from '../../view/plain.ts';
import { DANGERS, policyWarnings } from '../words/plan.ts';
import { exposedText, madeUpSummary, reroutedText, splitByPages, wayOut } from '../words/routing.ts';

/** A file as its repository names it, from the file as the command names it; null for a file beyond the repository. */
export type PathInRepository = (file: string) => string | null;

/** Names files as the command does, where no repository is known. */
export const asNamed: PathInRepository = (file) => file;

export interface PlanFinding {
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  /** Harmless text, one line each. */
  readonly lines: readonly string[];
  /** With the file as the repository names it; null for a finding without a line. */
  readonly source: SourcePlace | null;
}

/** Where a finding about the whole plan stands. */
export function projectPlace(pathOf: PathInRepository): SourcePlace {
  return { file: pathOf('chatform.yaml') ?? 'chatform.yaml', line: 1, column: 1 };
}

export function findingsOf(of: PlanResult, pathOf: PathInRepository): readonly PlanFinding[] {
  return allFindings(of).map((finding) => placedIn(finding, pathOf));
}

/** No host can show a line of a file beyond the repository, so the text names it. */
function placedIn(finding: PlanFinding, pathOf: PathInRepository): PlanFinding {
  const { source, lines } = finding;
  if (source === null) return finding;
  const file = pathOf(source.file);
  return file === null
    ? { ...finding, source: null, lines: [...lines, plain(`${source.file}:${source.line}`)] }
    : { ...finding, source: { ...source, file } };
}

function allFindings(of: PlanResult): readonly PlanFinding[] {
  const files = of.diagnostics.map(
    ({ code, severity, place, message, remedy }): PlanFinding => ({
      rule: code,
      level: severity,
      lines: [plain(message), ...(remedy === null ? [] : [plain(remedy)])],
      source: place,
    }),
  );
  if (of.outcome === 'planned')
    return [
      ...files,
      ...vetoes(of.plan),
      ...policyWarnings(of.plan).map(({ name, message }) => warning('policy', null, plain(`${name}: ${message}`))),
      ...of.cautions.map(caution),
      ...routingFindings(of.plan),
    ];
  const isSaid = files.some(({ level }) => level === 'error');
  return isSaid
    ? files
    : [
        { rule: 'failed', level: 'error', lines: [plain(of.message) || 'no plan could be made'], source: null },
        ...files,
      ];
}

function warning(rule: string, source: SourcePlace | null, ...lines: readonly string[]): PlanFinding {
  return { rule, level: 'warning', lines, source };
}

function vetoes({ withheld, resource_changes: changes }: Plan): readonly PlanFinding[] {
  return withheld.map(({ guard, addresses, message, remedy }) => {
    const meant = new Set<string>(addresses);
    return {
      rule: `withheld/${guard}`,
      level: 'error',
      lines: [plain(message), plain(remedy)],
      source: changes.find(({ address, source }) => source !== null && meant.has(address))?.source ?? null,
    };
  });
}

function caution({ what, address, message, source }: Caution): PlanFinding {
  const said = `${address} ${DANGERS[what].says}${message === '' ? '' : `: ${message}`}`;
  return warning(`caution/${what}`, source, plain(said));
}

/** Rerouted visitors, at the rule that causes it; visitors who are exposed on the way, at no rule. */
function routingFindings({ routing, resource_changes: changes }: Plan): readonly PlanFinding[] {
  if (routing === null) return [];
  const sources = new Map<string, SourcePlace | null>(changes.map(({ address, source }) => [address, source]));
  const { likely, madeUp } = splitByPages(routing.rerouted);
  const rerouted = likely.map((each) => {
    const rule = each.after.groups.length === 0 ? 'caution/unrouted' : 'caution/rerouted';
    return warning(rule, sources.get(each.cause.rule) ?? null, reroutedText(each));
  });
  const place = sources.get(madeUp[0]?.cause.rule ?? '') ?? null;
  const others = madeUpSummary(madeUp).map((text) => warning('caution/rerouted', place, text));
  return [...rerouted, ...others, ...exposedFindings(routing)];
}

function exposedFindings({ way, exposed, longer }: PlannedRouting): readonly PlanFinding[] {
  if (way === 'safe') return [];
  const finding = (...lines: readonly string[]): PlanFinding => warning('caution/exposed', null, ...lines);
  if (exposed.length === 0)
    return [finding('too many rules to tell whether chats are misrouted while the rules are written')];
  return exposed.map((each) => finding(exposedText(each), wayOut(longer)));
}
