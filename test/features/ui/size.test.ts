// How large the page of a license is: for 100 agents in each run, for 5,000 at full length.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder } from '../../cli/chatform.ts';
import { IS_FULL } from '../../tries.ts';

const PROJECT = `version: 1
manifest: [manifest.yaml]
targets: { shop: { base_url: "emulator:license.json", ledger: l.ndjson, may_approve: true, routing: { timezone: Europe/Warsaw } } }
`;

const HOURS = ['mon-fri: 06:00-14:00', 'tue-sat: 09:00-17:00', 'mon-sun: 14:00-22:00'];

/** Groups of 25 in which eight more help, and a rule for each of the first 100 groups, which is what a license can have. */
function manifestOf(agents: number): string {
  const each = <T>(count: number, make: (at: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const address = (at: number): string => `agent-${at}@support.example.com`;
  const groups = agents / 25;
  const membersOf = (group: number): string => {
    const own = each(25, (at) => `${address(at * groups + group)}: ${['first', 'normal', 'last'][at % 3]}`);
    const helpers = each(8, (at) => `${address(((group + 1) % groups) + at * groups)}: last`);
    return [...own, ...helpers].join(', ');
  };
  return [
    'version: 1\nagents:',
    ...each(
      agents,
      (at) =>
        `  ${address(at)}: { name: Ann Kowalska ${at}, job_title: Customer support agent, awaiting_approval: false, work_scheduler: { timezone: Europe/Warsaw, schedule: { ${HOURS[at % 3]} } } }`,
    ),
    'groups:',
    ...each(groups, (at) => `  group-${at}: { name: Group number ${at}, agent_priorities: { ${membersOf(at)} } }`),
    'auto_access:',
    ...each(
      Math.min(100, groups),
      (at) =>
        `  - { key: rule-${at}, access: { groups: [group-${at}] }, conditions: { url: { values: [{ value: /page-${at} }] } } }`,
    ),
    '',
  ].join('\n');
}

test.each(IS_FULL ? [100, 5_000] : [100])(
  'the page of %d agents has all of its parts, and can be mailed',
  async (agents) => {
    const seed = JSON.stringify({ owner: { id: 'zoe@example.com', name: 'Zoe' } });
    const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': manifestOf(agents), 'license.json': seed });
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    expect((await chatform(['show', '-q', '--report', 'html=page.html'], { cwd })).code).toBe(0);
    const markup = await readFile(join(cwd, 'page.html'), 'utf8');
    expect(Buffer.byteLength(markup)).toBeLessThan(agents === 100 ? 350_000 : 10_000_000);
    expect(markup).not.toContain('because there is no room');
    expect(markup).toContain(`Ann Kowalska ${agents - 1}`);
  },
  300_000,
);
