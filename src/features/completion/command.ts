// `chatform completion SHELL`, which prints a script, and `chatform complete -- WORDS`, which the script asks. The second never fails.

import type { RootCommand } from '@bomb.sh/tab';
import type tab from '@bomb.sh/tab/commander';
import type { Command } from '@commander-js/extra-typings';
import { eachCommand, pathOf } from '../../command/flags.ts';

/** What the words of a command line are completed with. */
type Offered = { readonly [what in What]: readonly string[] };
type What = 'targets' | 'addresses' | 'groups' | 'runs' | 'reports';

/** Only the library knows how each shell is asked, so it is loaded only when this is: otherwise `--help` just lists the command. */
export async function addCompletion(all: Command, argv: readonly string[], out: (text: string) => void): Promise<void> {
  const [name, ...rest] = argv;
  if (name === 'completion' && rest[0] === 'bash' && rest.length === 1) {
    all
      .command('completion')
      .argument('<shell>')
      .action(() => out(BASH));
  } else if (name === 'completion' || name === 'complete') {
    const { default: complete } = await import('@bomb.sh/tab/commander');
    // The library knows commander's own types only; the typed commands are the same objects.
    const known = complete(all as unknown as Parameters<typeof tab>[0], { completionCommandName: 'completion' });
    if (name === 'complete') offer(all, known, await offeredFor(all, rest.slice(1)).catch(() => NOTHING));
  } else {
    all
      .command('completion')
      .argument('<shell>', 'bash, zsh, fish or powershell')
      .description('print the completion script of a shell');
  }
}

const NOTHING: Offered = { targets: [], addresses: [], groups: [], runs: [], reports: [] };

/** What is taken by a placeholder of the help. */
const TAKEN: { readonly [placeholder: string]: What } = {
  glob: 'addresses',
  address: 'addresses',
  group: 'groups',
};

/** What these mean is said by the command. Runs over several targets are in no ledger. */
const TAKEN_BY: { readonly [command: string]: { readonly [placeholder: string]: What } } = {
  show: { what: 'addresses' },
  history: { run: 'runs' },
  undo: { run: 'runs' },
  report: { run: 'runs', name: 'reports' },
};

/** What a flag or an argument takes. */
function takes(usage: string, command: Command): What | null {
  if (/--target\b/.test(usage)) return 'targets';
  const placeholder = /[<[](\w+)/.exec(usage)?.[1] ?? usage;
  return TAKEN[placeholder] ?? TAKEN_BY[command.name()]?.[placeholder] ?? null;
}

/** Gives the library the values of each flag and argument that takes some. */
function offer(all: Command, known: RootCommand, offered: Offered): void {
  eachCommand(all, (command) => {
    const node = known.commands.get(pathOf(command));
    const give = (where: { handler?: unknown } | undefined, what: What | null): void => {
      if (where === undefined || what === null) return;
      where.handler = (complete: (value: string, description: string) => void) => {
        for (const value of offered[what]) complete(value, '');
      };
    };
    for (const option of command.options) give(node?.options.get(option.name()), takes(option.flags, command));
    for (const argument of command.registeredArguments)
      give(node?.arguments.get(argument.name()), takes(argument.name(), command));
  });
}

/** Reads what can be meant by the last of the words. */
async function offeredFor(all: Command, words: readonly string[]): Promise<Offered> {
  const [last = '', before = ''] = words.toReversed();
  const [flag, begun] = last.startsWith('--') && last.includes('=') ? splitFlag(last) : [before, last];
  const what = meant(all, flag, words);
  if (what === null) return NOTHING;
  if (what === 'reports') return { ...NOTHING, reports: (await import('../../demand/forms.ts')).SHORT_NAMES };
  const { offeredAddresses, offeredGroups, offeredRuns, offeredTargets } = await import('./read-names.ts');
  const folder = given(words, '-C', '--directory') ?? '.';
  if (what === 'targets') return { ...NOTHING, targets: await offeredTargets(folder) };
  const { systemContext } = await import('../../target/context.ts');
  const target = given(words, '-t', '--target');
  const where = { folder, target };
  switch (what) {
    case 'addresses':
      return { ...NOTHING, addresses: await offeredAddresses(where, begun, systemContext()) };
    case 'groups':
      return { ...NOTHING, groups: await offeredGroups(where, systemContext()) };
    case 'runs':
      return { ...NOTHING, runs: await offeredRuns(where, systemContext()) };
  }
}

function splitFlag(word: string): readonly [flag: string, begun: string] {
  const equals = word.indexOf('=');
  return [word.slice(0, equals), word.slice(equals + 1)];
}

function given(words: readonly string[], ...flags: readonly string[]): string | null {
  for (const [index, word] of words.entries()) {
    if (flags.includes(word)) return words[index + 1] ?? null;
    const [flag, value] = splitFlag(word);
    if (word.includes('=') && flags.includes(flag)) return value;
  }
  return null;
}

/** What the flag takes; otherwise what the arguments of the command take. */
function meant(all: Command, flag: string, words: readonly string[]): What | null {
  let found: What | null = null;
  let argument: What | null = null;
  const line = ` ${words.join(' ')}`;
  eachCommand(all, (command) => {
    const path = pathOf(command);
    if (path === '' || !line.includes(` ${path} `)) return;
    for (const option of command.options)
      if (option.short === flag || option.long === flag) found = takes(option.flags, command) ?? found;
    for (const each of command.registeredArguments) argument = takes(each.name(), command) ?? argument;
  });
  return found ?? argument;
}

/**
 * Needs nothing but bash 3.2, and runs no word of the line. A word that bash ends at `=`, `:` or `@` is completed from there on; where nothing is
 * offered, bash completes file names.
 */
const BASH = `# bash completion for chatform: source this file, or put it into your ~/.bashrc
_chatform() {
    local line="\${COMP_LINE:0:COMP_POINT}" words=() value flag='' head='' quoted
    read -r -a words <<< "$line"
    [[ "$line" == *[[:space:]] ]] && words+=('')
    local cur="\${words[\${#words[@]}-1]}"
    local breaks="\${COMP_WORDBREAKS//[^=:@]/}"
    [[ -n "$breaks" ]] && head="\${cur%"\${cur##*[$breaks]}"}"
    [[ "$cur" == --*=* ]] && flag="\${cur%%=*}="
    COMPREPLY=()
    while IFS= read -r value; do
        value="\${value%%$'\\t'*}"
        [[ "$value" == :* || "$value" == '' ]] && continue
        value="$flag$value"
        [[ "$value" == "$cur"* ]] || continue
        [[ "$value" == *= ]] && compopt -o nospace 2>/dev/null
        printf -v quoted '%q' "\${value#"$head"}"
        COMPREPLY+=("$quoted")
    done < <(chatform complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o bashdefault -o default -F _chatform chatform
`;
