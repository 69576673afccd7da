// What came of planning in; one list of what a program that shows findings beside lines should show, out: what is wrong with the files, what withholds
// the plan, policies, dangers, visitors who are led elsewhere. Each has a rule that it can be filtered by.

import { counted } from '../../base/text.ts';
import type { Caution } from '../../plan/guards/cautions.ts';
import type { Plan, PlannedRouting, SourcePlace } from '../../plan/plan.ts';
import type { Outcome } from '../comment/subject.ts';
import { plain } from '../plain.ts';
import type { PathInRepository } from '../repository-path.ts';
import { because, described, to, wayOut, who } from '../routing-text.ts';

export interface Finding {
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  /** Harmless text, one line each. */
  readonly lines: readonly string[];
  /** As the repository names the file; null for what no line of it says. */
  readonly source: SourcePlace | null;
}

const SAYS: { readonly [what in Caution['what']]: string } = {
  'data-loss': 'is replaced, and data is lost',
  irreversible: 'cannot be taken back',
  'other-licenses': 'reaches other licenses',
  destroy: 'is destroyed',
  credential: 'has a credential that begins, ends or is lost',
  access: 'gets more access',
};

/** What is about the plan as a whole stands at the beginning of what asked for it. */
export function projectPlace(pathOf: PathInRepository): SourcePlace {
  return { file: pathOf('chatform.yaml') ?? 'chatform.yaml', line: 1, column: 1 };
}

export function findingsOf(of: Outcome, pathOf: PathInRepository): readonly Finding[] {
  return foundIn(of).map((finding) => locatedIn(finding, pathOf));
}

/** No host can show a line of a file beyond the repository, so the words have to name it. */
function locatedIn(finding: Finding, pathOf: PathInRepository): Finding {
  const { source, lines } = finding;
  if (source === null) return finding;
  const file = pathOf(source.file);
  return file === null
    ? { ...finding, source: null, lines: [...lines, plain(`${source.file}:${source.line}`)] }
    : { ...finding, source: { ...source, file } };
}

function foundIn(of: Outcome): readonly Finding[] {
  const files = of.diagnostics.map(
    ({ code, severity, place, message, remedy }): Finding => ({
      rule: code,
      level: severity,
      lines: [plain(message), ...(remedy === null ? [] : [plain(remedy)])],
      source: place,
    }),
  );
  if (of.outcome === 'planned')
    return [...files, ...vetoes(of.plan), ...remarks(of.plan), ...of.cautions.map(danger), ...astray(of.plan)];
  const isSaid = files.some(({ level }) => level === 'error');
  return isSaid
    ? files
    : [
        { rule: 'failed', level: 'error', lines: [plain(of.message) || 'no plan could be made'], source: null },
        ...files,
      ];
}

function vetoes({ withheld, resource_changes: changes }: Plan): readonly Finding[] {
  return withheld.map(({ guard, addresses, message, remedy }) => ({
    rule: `withheld/${guard}`,
    level: 'error',
    lines: [plain(message), plain(remedy)],
    source: changes.find(({ address, source }) => source !== null && addresses.includes(address))?.source ?? null,
  }));
}

/** Those that deny are among what is withheld. */
function remarks({ policies }: Plan): readonly Finding[] {
  return policies
    .filter(({ level, passed }) => level === 'warn' && !passed)
    .map(({ name, message, failure }) => ({
      rule: 'policy',
      level: 'warning',
      lines: [plain(`${name}: ${message}${failure === null ? '' : ` (${failure})`}`)],
      source: null,
    }));
}

function danger({ what, address, message, source }: Caution): Finding {
  return {
    rule: `caution/${what}`,
    level: 'warning',
    lines: [plain(`${address} ${SAYS[what]}${message === '' ? '' : `: ${message}`}`)],
    source,
  };
}

/** Whose chats go elsewhere afterwards, stands at the rule that causes it; whose do so on the way, no single rule does. */
function astray({ routing, resource_changes: changes }: Plan): readonly Finding[] {
  if (routing === null) return [];
  const sources = new Map<string, SourcePlace | null>(changes.map(({ address, source }) => [address, source]));
  const rerouted = routing.rerouted.map((each): Finding => {
    const isLeft = each.after.groups.length === 0;
    const whither = `${who(each.examples)} go from ${to(each.before)} to ${to(each.after)} (${because(each.cause, each)})`;
    return {
      rule: isLeft ? 'caution/unrouted' : 'caution/rerouted',
      level: 'warning',
      lines: [isLeft ? `${whither}: no rule is left for them` : whither],
      source: sources.get(each.cause.rule) ?? null,
    };
  });
  return [...rerouted, ...onTheWay(routing)];
}

function onTheWay({ way, exposed, longer }: PlannedRouting): readonly Finding[] {
  if (way === 'safe') return [];
  const finding = (...lines: readonly string[]): Finding => ({
    rule: 'caution/exposed',
    level: 'warning',
    lines,
    source: null,
  });
  if (exposed.length === 0)
    return [finding('too many rules to tell whether chats go astray while the rules are written')];
  return exposed.map(({ visitor, meanwhile, writes }) =>
    finding(
      `after ${counted(writes, 'write')} ${described(visitor)} reaches ${to(meanwhile)} for a while, which is neither the old nor the new group`,
      wayOut(longer),
    ),
  );
}
