// The license of the bench of sizes: agents, and groups, rules and bots in proportion, as files of a manifest.

import type { Files } from '../jobs.ts';
import { type License, people, promoted, type Rule } from '../license.ts';
import { manifestFiles } from '../manifest.ts';

/** Agents for each group, rule and bot. */
const AGENTS_A_GROUP = 100;

export function sized(agents: number): License {
  const groups = Math.ceil(agents / AGENTS_A_GROUP);
  const rules = Array.from({ length: groups }, (_, index): Rule => {
    const description = `Rule ${index}`;
    return { description, group: `Group ${index}`, url: `https://shop.example/page-${index}/` };
  });
  return { ...people(agents, groups), rules };
}

/** The same with another title and another number of chats for some of the agents. */
export function withChanges(license: License, agents: number): License {
  return promoted(license, agents);
}

export function filesOf(license: License): Files {
  const files = new Map([...manifestFiles(license)].map(([name, text]) => [`manifest/${name}`, text]));
  const bots = license.groups.map(
    (_, index) =>
      `  bot-${index}: { name: Bot ${index}, default_group_priority: normal, groups: { group-${index}: first } }\n`,
  );
  return new Map([...files, ['manifest/bots.yaml', `version: 1\nbots:\n${bots.join('')}`]]);
}
