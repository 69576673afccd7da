// A prepared job in, the command line with which each contender does it, out. What is not installed is left out, with a word why.

import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { built, chatform, type Place } from './place.ts';
import type { Command } from './run.ts';

export interface Contender {
  readonly name: string;
  /** It works on a service of its own. */
  readonly isElsewhere?: boolean;
  /** It takes part only at this latency. */
  readonly only?: number;
  /** Null for a job that it is not made for. */
  readonly command: (place: Place) => Command | null;
}

const scriptPath = (name: string): string => fileURLToPath(new URL(`scripts/${name}`, import.meta.url));

function has(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Jobs that are about agents and groups alone. */
const isAboutPeople = ({ job }: Place): boolean => 'ABC'.includes(job.id);

const argsOf = ({ verb }: Place['job']): readonly string[] => (verb === 'plan' ? ['plan'] : ['apply', '--yes']);

export const ours: Contender = {
  name: 'chatform',
  command: ({ job, folder }) => chatform(folder, ...argsOf(job)),
};

export const FORMER = 'chatform before';

/** The build in another checkout. */
function former(checkout: string): Contender {
  const cli = resolve(checkout, 'dist/cli.cjs');
  return { name: FORMER, command: ({ job, folder }) => built(cli, folder, ...argsOf(job)) };
}

/** As little as the floor script does: nobody looks whether it took effect. */
const unproven: Contender = {
  name: 'chatform --no-verify',
  command: ({ job, folder }) => (job.verb === 'plan' ? null : chatform(folder, 'apply', '--yes', '--no-verify')),
};

/** `scripts` is the folder with the scripts as JavaScript. */
export function floor(scripts: string): Contender {
  return {
    name: 'floor',
    command: ({ job, folder }) => ({
      argv: [process.execPath, join(scripts, 'floor.mjs'), 'input.json', job.verb],
      cwd: folder,
    }),
  };
}

function byHand(scripts: string): Contender {
  return {
    name: 'p-limit script',
    command: (place) =>
      isAboutPeople(place)
        ? {
            argv: [process.execPath, join(scripts, 'by-hand.mjs'), 'manifest', place.service.url, place.job.verb],
            cwd: place.folder,
          }
        : null,
  };
}

const byShell: Contender = {
  name: 'curl + jq',
  command: (place) =>
    isAboutPeople(place)
      ? { argv: ['bash', scriptPath('by-shell.sh'), 'input.json', place.job.verb], cwd: place.folder }
      : null,
};

/** On its own service, with one entity an agent and no groups. */
export const deck: Contender = {
  name: 'decK',
  isElsewhere: true,
  command: ({ job, folder, service }) =>
    job.deck === null
      ? null
      : {
          argv: ['deck', job.verb === 'plan' ? 'diff' : 'sync', '-s', 'deck.yaml', '--kong-addr', service.otherUrl],
          cwd: folder,
          env: { DECK_ANALYTICS: 'off' },
        },
};

/** A process of Python for each call: creating a thousand would take six minutes, and a hundred takes more than half a minute at any latency. */
const ansible: Contender = {
  name: 'Ansible',
  only: 50,
  command: ({ job, folder }) =>
    job.id === 'C'
      ? {
          argv: [
            'ansible-playbook',
            scriptPath('by-ansible.yaml'),
            '-i',
            'localhost,',
            '-e',
            `input=${folder}/input.json mode=${job.verb}`,
          ],
          cwd: folder,
          env: { ANSIBLE_LOCALHOST_WARNING: 'False', ANSIBLE_NOCOWS: '1' },
        }
      : null,
};

interface Needing {
  readonly contender: Contender;
  readonly programs: readonly string[];
}

/** The floor comes first: everyone else is told in its terms. `before`: another checkout that was built, if any. */
export function contenders(
  scripts: string,
  before: string | null,
): {
  readonly present: readonly Contender[];
  readonly absent: readonly string[];
} {
  const all: readonly Needing[] = [
    { contender: floor(scripts), programs: [] },
    { contender: ours, programs: [] },
    ...(before === null ? [] : [{ contender: former(before), programs: [] }]),
    { contender: unproven, programs: [] },
    { contender: byHand(scripts), programs: [] },
    { contender: byShell, programs: ['bash', 'curl', 'jq'] },
    { contender: deck, programs: ['deck'] },
    { contender: ansible, programs: ['ansible-playbook'] },
  ];
  const lacking = ({ programs }: Needing): readonly string[] => programs.filter((program) => !has(program));
  return {
    present: all.filter((one) => lacking(one).length === 0).map(({ contender }) => contender),
    absent: all
      .filter((one) => lacking(one).length > 0)
      .map((one) => `${one.contender.name} is left out: ${lacking(one).join(', ')} not installed`),
  };
}
