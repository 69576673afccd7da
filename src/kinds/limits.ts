// The limits of the service as numbers, version by version. Fields and kinds name their limit; a target may state its own (`limits:`).

import { VERSIONS, type Version } from '../base/model.ts';

interface LimitEntry {
  /** Shown as hover help in editors: what is limited. */
  readonly about: string;
  /** `Infinity` where no limit is stated. */
  readonly most: { readonly [version in Version]: number };
}

function inBoth(most: number): LimitEntry['most'] {
  return { '3.3': most, '3.6': most };
}

/** Specification: "Limits"; service notes: "Agents", "Auto access", "Properties". */
const TABLE = {
  agent_chats_on_create: {
    about: 'Largest `max_chats_count` that an agent can be created with. The released 3.6 is said to take 20.',
    most: { '3.3': 100, '3.6': 100 },
  },
  agent_chats_on_update: {
    about: 'Largest `max_chats_count` that an agent who exists can be given.',
    most: { '3.3': 100, '3.6': 20 },
  },
  bot_chats: { about: 'Largest `max_chats_count` of a bot or a bot template.', most: inBoth(500) },
  group_name_length: { about: 'Most characters in the name of a group.', most: inBoth(180) },
  templates_per_client: { about: 'Most bot templates of one owner client.', most: inBoth(5) },
  access_rules: { about: 'Most auto-access rules on the license, undeclared ones included.', most: inBoth(200) },
  agents: { about: 'Most agents on the license, undeclared ones included.', most: inBoth(Number.POSITIVE_INFINITY) },
  groups: { about: 'Most groups on the license, undeclared ones included.', most: inBoth(Number.POSITIVE_INFINITY) },
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

/** The largest value that any operation of any version takes: for editors, which know no target. */
export function largest({ create, update }: FieldLimit): number {
  return Math.max(...VERSIONS.flatMap((version) => [LIMITS[create].most[version], LIMITS[update].most[version]]));
}

/** `500`, or `100 in 3.3; 100 on create, 20 later in 3.6`; null where no limit is stated. */
export function limitText({ create, update }: FieldLimit): string | null {
  const texts = VERSIONS.map((version) => {
    const [first, later] = [LIMITS[create].most[version], LIMITS[update].most[version]];
    return { version, text: first === later ? String(first) : `${first} on create, ${later} later` };
  });
  const [one] = texts;
  if (one === undefined || one.text === 'Infinity') return null;
  if (texts.every(({ text }) => text === one.text)) return one.text;
  return texts.map(({ version, text }) => `${text} in ${version}`).join('; ');
}
