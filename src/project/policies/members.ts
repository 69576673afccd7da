// Members of the document of a plan that a rule can read, and the ones that a rule names and no plan has. A test holds them to the schema of a plan.

import { nearest } from '../../base/nearest.ts';
import { KINDS } from '../../kinds/index.ts';

/** What is wrong with a rule, and which of its characters are meant. */
export interface RuleMistake {
  /** One sentence without a full stop. */
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** Null: not known, so every name may be right. */
export type PlanMembers = { readonly [name: string]: PlanMembers } | null;

/** `name{members}`; `*`: any name; `@`: the fields of an object, by its kind. Of a list, the members of its entries. */
const TEXT = `
errored format_version api_version target live_order scopes
resource_changes{address type name id adopting recreating danger
  change{actions before@ after@ after_unknown{*}} fields{field before after reach reason} moved{from to}
  referred_by{type reference name} source{file line column}}
resource_drift{address type name id applied_at change{actions before after}}
reorder{before after kept moved}
routing{exact way longer{requests rekeyed}
  rerouted{before{rule groups} after{rule groups} cause{what rule} made_up
    examples{on visitor{url country country_code region city variables{*}}}}
  exposed{writes before{rule groups} meanwhile{rule groups} after{rule groups}
    visitor{url country country_code region city variables{*}}}}
steps{id operation type address object chosen_id fields position{before last} serves after}
requests{total by_action{*} plan{action form steps wave}}
unmanaged{type id name released reason}
withheld{guard addresses message remedy}
policies{name level passed message failure}
notes{address kind message}
bindings{recover{intent address id secret former} absent move{from to} adopt{address id} forget}
references{*}
summary{add change destroy adopt}
against{taken_at age_seconds digest full nameless{*}}
hours{days{timezones from to} next_change{date timezone at}}
coming{date timezone address change member}
destroys{adopted}
scope{compared left_out}
impact{from to days timezone chats chats_per_week moved moved_per_week wait_before wait_after missing assumptions
  requests_sent{*} not_taken changes{address what chats exact groups because moved from last}
  groups{group name touched_by chats not_taken last gains chat_seconds patience_seconds is_new
    demand{before after} slots{before after}
    waiting{measured{share seconds leaves} before{share seconds leaves} after{share seconds leaves}}
    worse{text weekday hour chats times before{at_once slots share seconds leaves others_at_once}
      after{at_once slots share seconds leaves others_at_once}}}
  people{address group chats of}}
names{*}
diagnostics
`;

export const PLAN_MEMBERS: PlanMembers = membersIn(TEXT.match(/[\w*@]+|[{}]/g) ?? []);

function membersIn(words: readonly string[]): NonNullable<PlanMembers> {
  const root: { [name: string]: PlanMembers } = {};
  const open: { [name: string]: PlanMembers }[] = [root];
  let last = '';
  for (const word of words) {
    const inner = open.at(-1) ?? root;
    if (word === '}') open.pop();
    else if (word === '{') {
      const own: { [name: string]: PlanMembers } = {};
      inner[last] = own;
      open.push(own);
    } else {
      last = word.replace('@', '');
      inner[last] = word.endsWith('@') ? ofKinds() : null;
    }
  }
  return root;
}

function ofKinds(): PlanMembers {
  return Object.fromEntries(
    Object.values(KINDS).flatMap(({ fields }) => Object.keys(fields).map((name) => [name, null])),
  );
}

/** A node of a parsed rule. */
interface RuleNode {
  readonly op: string;
  readonly args: unknown;
  readonly range?: { readonly start: number; readonly end: number };
}

/** Macros that name the entries of a list. */
const OVER_LISTS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);

/** The first member that a rule names and no plan has; null where there is none. */
export function memberMistake(rule: unknown): RuleMistake | null {
  let mistake: RuleMistake | null = null;

  function member(of: PlanMembers, name: unknown, { range }: RuleNode): PlanMembers {
    if (of === null || typeof name !== 'string' || '*' in of) return null;
    if (Object.hasOwn(of, name)) return of[name] ?? null;
    const names = Object.keys(of);
    const meant = nearest(name, names);
    const end = range?.end ?? 0;
    mistake ??= {
      message: `no plan has the member \`${name}\` there${meant === null ? `: it has ${names.join(', ')}` : `; did you mean \`${meant}\`?`}`,
      start: end - name.length,
      end,
    };
    return null;
  }

  function read(node: unknown, known: ReadonlyMap<string, PlanMembers>): PlanMembers {
    if (Array.isArray(node)) {
      for (const each of node) read(each, known);
      return null;
    }
    if (!isNode(node)) return null;
    const { op, args } = node;
    if (op === 'id') return known.get(String(args)) ?? null;
    if (!Array.isArray(args)) return read(args, known);
    if (op === '.' || op === '.?') return member(read(args[0], known), args[1], node);
    if (op === '[]' || op === '[?]') {
      const [list, index] = args;
      const of = read(list, known);
      const isText = isNode(index) && index.op === 'value' && typeof index.args === 'string';
      read(index, known);
      return isText ? null : of;
    }
    const [name, receiver, given] = args;
    if (op !== 'rcall' || !OVER_LISTS.has(String(name)) || !Array.isArray(given)) return read(args, known);
    const of = read(receiver, known);
    const [variable, ...inner] = given;
    const bound = isNode(variable) && variable.op === 'id' ? new Map([...known, [String(variable.args), of]]) : known;
    read(inner, bound);
    return name === 'filter' ? of : null;
  }

  const impact = PLAN_MEMBERS?.['impact'] ?? null;
  read(
    rule,
    new Map([
      ['plan', PLAN_MEMBERS],
      ['impact', impact],
    ]),
  );
  return mistake;
}

function isNode(part: unknown): part is RuleNode {
  return part instanceof Object && 'op' in part && 'args' in part;
}
