// A prepared job in, the command line with which each contender does it, out. What is not installed is left out, with a word why.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chatform, type Place } from './place.ts';
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

export const ours: Contender = {
  name: 'chatform',
  command: ({ job, folder }) => chatform(folder, ...(job.verb === 'plan' ? ['plan'] : ['apply', '--yes'])),
};

/** As little as the floor script does: nobody looks whether it took effect. */
const unproven: Contender = {
  name: 'chatform --no-verify',
  command: ({ job, folder }) => (job.verb === 'plan' ? null : chatform(folder, 'apply', '--yes', '--no-verify')),
};

/** `built` is the folder with the scripts as JavaScript. */
export function floor(built: string): Contender {
  return {
    name: 'floor',
    command: ({ job, folder }) => ({
      argv: [process.execPath, join(built, 'floor.mjs'), 'input.json', job.verb],
      cwd: folder,
    }),
  };
}

function byHand(built: string): Contender {
  return {
    name: 'p-limit script',
    command: (place) =>
      isAboutPeople(place)
        ? {
            argv: [process.execPath, join(built, 'by-hand.mjs'), 'manifest', place.service.url, place.job.verb],
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
          argv: ['deck', job.verb === 'plan' ? 'diff' : 'sync', '-s', 'deck.json', '--kong-addr', service.otherUrl],
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

/** The floor comes first: everyone else is told in its terms. */
export function contenders(built: string): {
  readonly present: readonly Contender[];
  readonly absent: readonly string[];
} {
  const all: readonly Needing[] = [
    { contender: floor(built), programs: [] },
    { contender: ours, programs: [] },
    { contender: unproven, programs: [] },
    { contender: byHand(built), programs: [] },
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
