// What `--help` shows: commands and flags in groups; those of the last group, and the flags of every command, only with `--all`.

import { type CommandUnknownOpts, Help, type HelpConfiguration, type Option } from '@commander-js/extra-typings';
import { PARTS } from './flags.ts';

/** The groups of commands, in the order of a first reading. */
export const GROUPS = {
  begin: 'Begin:',
  change: 'Change:',
  look: 'Look:',
  watch: 'Watch:',
  many: 'Many licenses:',
  pipeline: 'Pipeline:',
  more: PARTS.more,
} as const;

const ORDER: readonly string[] = [...Object.values(GROUPS), 'Options:', ...Object.values(PARTS)];

const shown = new Help();

/** Whether everything is asked for: `help --all`, `plan --help --all`, and by a shell, which completes what the help shows. */
export function asksForAll(argv: readonly string[]): boolean {
  if (argv[0] === 'complete') return true;
  return argv.includes('--all') && argv.some((word) => word === '--help' || word === '-h');
}

/** `help plan --all` is `plan --help --all`. */
export function helpAsFlag(argv: readonly string[]): readonly string[] {
  const [first, ...words] = argv;
  return first === 'help' && words.includes('--all')
    ? [...words.filter((word) => word !== '--all'), '--help', '--all']
    : argv;
}

export function helpOf(all: boolean): HelpConfiguration {
  const isShown = (group: string | undefined): boolean => all || group !== PARTS.more;
  return {
    showGlobalOptions: all,
    subcommandTerm: (command) => command.name(),
    visibleCommands: (command) =>
      shown.visibleCommands(command).filter((each) => each.name() !== 'help' && isShown(each.helpGroup())),
    visibleOptions: (command) =>
      shown
        .visibleOptions(command)
        .filter((option) => isShown(option.helpGroupHeading) && (all || command.parent === null || !isHelp(option))),
    groupItems: (unsorted, visible, group) =>
      new Map(
        [...shown.groupItems(unsorted, visible, group)].sort(
          ([one], [other]) => ORDER.lastIndexOf(one) - ORDER.lastIndexOf(other),
        ),
      ),
  };
}

function isHelp({ long }: Option): boolean {
  return long === '--help';
}

/** Below the help of the program. */
export function moreCommands(program: CommandUnknownOpts): string {
  const left = shown.visibleCommands(program).flatMap((each) => (each.helpGroup() === PARTS.more ? [each.name()] : []));
  return `\n\`chatform help --all\` lists more: ${left.join(', ')}.`;
}

/** Below the help of a command: how many flags it left out. */
export function moreFlags(name: string, options: readonly Option[]): string {
  const left = options.filter(({ helpGroupHeading, hidden }) => helpGroupHeading === PARTS.more && !hidden).length;
  return left === 0 ? '' : `\n\`chatform ${name} --help --all\` lists ${left} more.`;
}
