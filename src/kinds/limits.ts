// The limits of the service as numbers, and since which version. Fields and kinds name their limit; a target may state its own (`limits:`).

import { inEachVersion } from '../base/api-versions.ts';
import { VERSIONS, type Version } from '../base/model.ts';

interface LimitEntry {
  /** Shown as hover help in editors: what is limited. */
  readonly about: string;
  /** `Infinity` where no limit is stated. */
  readonly most: { readonly [version in Version]: number };
}

function always(most: number): LimitEntry['most'] {
  return inEachVersion({ '3.3': most });
}

/** Specification: "Limits"; service notes: "Agents", "Auto access", "Properties"; today/configuration.md, "Contradictions". */
const TABLE = {
  agent_chats_on_create: {
    about:
      'Largest `max_chats_count` that an agent can be created with. The specification of a preview of 3.6 says 100; the pages of all versions since 3.5 say 20.',
    most: inEachVersion({ '3.3': 100, '3.5': 20 }),
  },
  agent_chats_on_update: {
    about: 'Largest `max_chats_count` that an agent who exists can be given.',
    most: inEachVersion({ '3.3': 100, '3.5': 20 }),
  },
  bot_chats: { about: 'Largest `max_chats_count` of a bot or a bot template.', most: always(500) },
  group_name_length: { about: 'Most characters in the name of a group.', most: always(180) },
  templates_per_client: { about: 'Most bot templates of one owner client.', most: always(5) },
  webhooks_per_action: { about: 'Most webhooks of one action and owner client.', most: always(3) },
  webhook_url_length: {
    about: 'Most characters in the URL of a webhook. 3.3 states none.',
    most: inEachVersion({ '3.3': Number.POSITIVE_INFINITY, '3.5': 500 }),
  },
  access_rules: { about: 'Most auto-access rules on the license, undeclared ones included.', most: always(200) },
  agents: { about: 'Most agents on the license, undeclared ones included.', most: always(Number.POSITIVE_INFINITY) },
  groups: { about: 'Most groups on the license, undeclared ones included.', most: always(Number.POSITIVE_INFINITY) },
  tags: { about: 'Most tags on the license, undeclared ones included.', most: always(Number.POSITIVE_INFINITY) },
} as const satisfies { readonly [name: string]: LimitEntry };

export type LimitName = keyof typeof TABLE;

export const LIMITS: { readonly [name in LimitName]: LimitEntry } = TABLE;

export const LIMIT_NAMES = Object.keys(TABLE) as readonly LimitName[];

/** The limits of one target. */
export type KindLimits = { readonly [name in LimitName]: number };

/** The table for one version, with the target's own limits in it. */
export function limitsOf(version: Version, own: Partial<KindLimits> = {}): KindLimits {
  const most = LIMIT_NAMES.map((name) => [name, own[name] ?? LIMITS[name].most[version]] as const);
  return Object.fromEntries(most) as { [name in LimitName]: number };
}

/** The limits of a field, on create and later: the largest number, or the most characters. */
export interface FieldLimit {
  readonly create: LimitName;
  readonly update: LimitName;
}

/** The size that a limit bounds: a number itself, the characters of a text, 0 for any other value. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? [...value].length : 0;
}

/** What holds in each version, of all of them: once where it is the same for all, otherwise for each run of versions. */
export function versionsText(each: readonly string[], before: string, after = ''): string {
  const runs: { readonly text: string; readonly versions: Version[] }[] = [];
  for (const [place, version] of VERSIONS.entries()) {
    const text = each[place] ?? '';
    const last = runs.at(-1);
    if (last?.text === text) last.versions.push(version);
    else runs.push({ text, versions: [version] });
  }
  if (runs.length === 1) return each[0] ?? '';
  return runs.map(({ text, versions }) => `${text}${before}${listed(versions)}${after}`).join('; ');
}

function listed(versions: readonly string[]): string {
  return versions.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

/** The largest value that any operation of any version takes: for editors, which know no target. */
export function largest({ create, update }: FieldLimit): number {
  return Math.max(...VERSIONS.flatMap((version) => [LIMITS[create].most[version], LIMITS[update].most[version]]));
}

/** `500`, or `100 in 3.3; 20 in 3.5, 3.6 and 3.7`; null where no limit is stated. */
export function limitText({ create, update }: FieldLimit): string | null {
  const texts = VERSIONS.map((version) => {
    const [first, later] = [LIMITS[create].most[version], LIMITS[update].most[version]];
    return first === later ? String(first) : `${first} on create, ${later} later`;
  });
  const [one] = texts;
  if (one === undefined || one === 'Infinity') return null;
  return versionsText(texts, ' in ');
}
