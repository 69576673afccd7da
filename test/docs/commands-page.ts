// The page of every command, made from the command line. Its own facts are the exit codes, the variables, and the notes below some commands.

import { type Command, Help, type Option } from '@commander-js/extra-typings';
import { eachCommand, PARTS, pathOf } from '../../src/command/flags.ts';
import { GROUPS } from '../../src/command/help.ts';
import { program } from '../../src/command-line.ts';
import { addCompletion } from '../../src/features/completion/command.ts';

const INTRODUCTION = `# Commands

Every command with its arguments and flags, and the exit codes. This page is made from the code. In a terminal,
\`chatform COMMAND --help\` shows the usual flags, and \`--help --all\` shows all of them.
`;

const EXIT_CODES = `## Exit codes

| Code | Meaning |
|---|---|
| 0 | Done, or nothing to do. Adopting is no change, and neither is a difference that the API cannot change |
| 1 | Error in the files, the flags, the token or the connection; the question was not confirmed; every write was refused; the time was over before the first write; a check of \`test\` or \`doctor\` failed; the service does not show routes (\`test --on customer\`, \`apply --test-on-customer\`); a report or a notification could not be delivered |
| 2 | Differences: \`drift\` found one that reaches \`fail_on\`, or \`--accept\` left one; \`plan --detailed-exitcode\`; customers see something else (\`test --on customer\`, \`apply --test-on-customer\`); the chats changed (\`report --since\`, \`apply --report-after\`) |
| 3 | Withheld by a [guard or a policy](guards.md): nothing was sent |
| 4 | Locked by another run, before anything was sent |
| 5 | \`apply FILE\`: the plan would now do something that the [saved plan](../how-to/approve-a-plan.md) does not, or that plan is for something else |
| 6 | Some writes failed, were not sent in time, or are not confirmed; \`undo\` left something out; \`api\`: it is unknown whether a write took effect |
| 130 | Interrupted |

Of several targets, the code is that of [the whole run](../how-to/many-licenses.md). With \`--json\`, stdout is one document in
each of these cases, and its member \`errored\` is true for 1, 3, 4, 5, 6 and 130.
`;

const VARIABLES = `## Environment variables

| Variable | What it does |
|---|---|
| \`CHATFORM_TOKEN\` | the token of a target without [\`token_env\`](chatform-yaml.md) |
| \`HTTPS_PROXY\`, \`HTTP_PROXY\`, \`NO_PROXY\` | proxies, in upper or lower case; requests to this machine go through none |
| \`NODE_EXTRA_CA_CERTS\` | a PEM file of certificates to trust as well. \`NODE_TLS_REJECT_UNAUTHORIZED=0\` is ignored, with a warning |
| \`NO_COLOR\`, \`FORCE_COLOR\` | no colour, as \`--no-color\`; colour also where the output is no terminal |
`;

const NOTES: { readonly [path: string]: string } = {
  apply: `Without \`--yes\`, \`apply\` shows the plan and asks you to type \`apply\`. Where it cannot ask, it exits with 1 and writes nothing. The
first Ctrl-C (or SIGTERM) stops sending, waits for the requests in flight, and reports; the second one ends at once.`,
  doctor: `It reads what a plan reads, and writes nothing. Each line is one check with its status, and the line below it says what to do.

| Status | Meaning |
|---|---|
| \`ok\` | nothing to do |
| \`warning\` | it works today, or for this plan; check it soon |
| \`problem\` | a plan or an apply would fail or cause harm; the exit code is 1 |
| \`unchecked\` | another check failed, or only a write would tell, as for scopes to write |

It warns when the clock differs by more than 10 s from that of the service, and above 60 s it is a problem: the ledger uses the
clock to know what was written recently. To check the limits, the token needs \`properties.license.value--all:ro\`. The lists at the end
say which checks of \`test --on customer\` can run, and whether the token reads reports; they do not change the exit code.`,
  api: `[One action](api.md) has examples and the names of all actions.`,
  emulate: `[The emulator](emulator.md) describes the files and the control API.`,
  completion: `For example, write \`source <(chatform completion bash)\` into \`~/.bashrc\`. Completion reads your files and sends no request.`,
};

/** Fewer commands with the same flag say it themselves. */
const COMMON = 4;

/** Rows that need no headings. */
const FEW = 4;

const EVERY = 'Every command';

/** Flags that many commands take together. */
const SETS: { readonly [name: string]: readonly string[] } = {
  'Several targets': ['--target', '--label', '--all', '--changed-since', '--parallel'],
  Files: ['--var', '--var-file', '--file', '--base-url', '--api-version'],
  Planning: ['--only', '--except', '--acknowledge', '--details', '--demand', '--people', '--events', '--secrets-file'],
  Workers: ['--workers', '--detach'],
};

const OTHERS = 'Others';
const FIRST: readonly string[] = ['--target', '--ledger'];

const help = new Help();

interface Row {
  readonly part: string;
  readonly term: string;
  readonly about: string;
}

async function commandTree(): Promise<Command> {
  const nowhere = {
    out: () => undefined,
    err: () => undefined,
    terminal: () => Promise.reject(new Error('no terminal')),
  };
  const whole = { all: true, only: null, onRefusal: () => undefined };
  const tree = (await program(async () => undefined, nowhere, whole)) as unknown as Command;
  await addCompletion(tree, [], () => undefined);
  return tree;
}

/** `-t, --target <name>` as code; a bar would end the cell. */
function code(term: string): string {
  return `\`${term}\``.replaceAll('|', '\\|');
}

/** Text of the help for a table: flags as code, and nothing that Markdown would read. */
function prose(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? part
        : part.replaceAll(
            /(<[\w-]+>|\$\{[\w.]+\}|(?<![\w-])--?[a-z][a-z-]*(?: [A-Z]+)?|\b[a-z_]+\/\*|\/_emulator\/)/g,
            '`$1`',
          ),
    )
    .join('');
}

function optionRow(option: Option): Row {
  const { argChoices, defaultValue, defaultValueDescription, description, helpGroupHeading = '' } = option;
  const choices = argChoices?.map((choice) => code(choice.replace(/=$/, ''))).join(', ');
  const isPlain = typeof defaultValue === 'string' || typeof defaultValue === 'number';
  const preset = defaultValueDescription ?? (isPlain ? code(String(defaultValue)) : undefined);
  return {
    part: helpGroupHeading.replace(/:$/, ''),
    term: code(option.flags),
    about: prose(description)
      .replace(/; no secret is in it$/, '')
      .replace(/( \(default: .+\))?$/, `${choices === undefined ? '' : `: ${choices}`}$1`)
      .concat(preset === undefined || option.negate ? '' : ` (default: ${preset})`),
  };
}

function visibleOptions(command: Command): readonly Option[] {
  return help.visibleOptions(command as never).filter(({ long }) => long !== '--help' && long !== '--version');
}

function tableOf(rows: readonly Row[], first: string): string {
  const parts = [
    EVERY,
    ...Object.keys(SETS),
    OTHERS,
    'Arguments',
    '',
    ...Object.values(PARTS).map((part) => part.replace(/:$/, '')),
  ];
  const isShort = rows.length <= FEW;
  const lines = parts.flatMap((part) => {
    const own = rows.filter((row) => row.part === part);
    const head = own.length === 0 || part === '' || isShort ? [] : [`| **${part}** | |`];
    return [...head, ...own.map(({ term, about }) => `| ${term} | ${about} |`)];
  });
  return [`| ${first} | What it does |`, '|---|---|', ...lines, ''].join('\n');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function usage(command: Command): string {
  const given = command.registeredArguments.map((argument) => help.argumentTerm(argument));
  const words = command
    .usage()
    .replace(/^\[options\] ?/, '')
    .split(' ')
    .filter((word) => word !== '[command]');
  return ['chatform', pathOf(command), ...(given.length === 0 ? [] : words)].filter((word) => word !== '').join(' ');
}

/** What says the same in several commands, by what it says, in sets. */
function sharedRows(commands: readonly Command[]): ReadonlyMap<string, Row> {
  const rows = commands.flatMap((command) => visibleOptions(command).map(optionRow));
  const count = (key: string): number => rows.filter((row) => rowKey(row) === key).length;
  const shared = rows.filter((row) => count(rowKey(row)) >= COMMON);
  return new Map(
    [...Object.entries(SETS), [OTHERS, FIRST] as const].flatMap(([part, flags]) =>
      shared
        .filter((row) => setOf(row) === part)
        .toSorted((one, other) => placeIn(flags, one) - placeIn(flags, other))
        .map((row) => [rowKey(row), { ...row, part }] as const),
    ),
  );
}

/** The set of a flag. A target alone is none of several. */
function setOf(row: Row): string {
  const isOne = longOf(row) === '--target' && !row.about.includes('may be repeated');
  return Object.keys(SETS).find((name) => !isOne && SETS[name]?.includes(longOf(row))) ?? OTHERS;
}

/** A flag that the set does not name comes last. */
function placeIn(flags: readonly string[], row: Row): number {
  const place = flags.indexOf(longOf(row));
  return place < 0 ? flags.length : place;
}

function longOf({ term }: Row): string {
  return /--[\w-]+/.exec(term)?.[0] ?? term;
}

function rowKey({ term, about }: Row): string {
  return `${term} ${about}`;
}

/** The shortest name of a flag. */
function shortOf({ term }: Row): string {
  return code(/^`(-{1,2}[\w-]+)/.exec(term)?.[1] ?? term);
}

function section(command: Command, shared: ReadonlyMap<string, Row>): string {
  const rows = visibleOptions(command).map(optionRow);
  const own = rows.filter((row) => !shared.has(rowKey(row)));
  const keys = new Set(rows.map(rowKey));
  const taken = [...shared].flatMap(([key, row]) => (keys.has(key) ? [row] : []));
  const common = [...Object.keys(SETS), OTHERS].flatMap((part) => {
    const members = taken.filter((row) => row.part === part);
    const isWhole =
      part !== OTHERS && members.length === [...shared.values()].filter((row) => row.part === part).length;
    return isWhole ? [`*${part.toLowerCase()}*`] : members.map(shortOf);
  });
  const args = command.registeredArguments.map((argument): Row => {
    const choices = argument.argChoices?.map(code).join(', ');
    return {
      part: 'Arguments',
      term: code(argument.name()),
      about: `${prose(argument.description)}${choices === undefined ? '' : `: ${choices}`}`,
    };
  });
  const note = NOTES[pathOf(command)];
  return [
    `### \`${usage(command)}\``,
    '',
    sentence(prose(command.description())),
    '',
    ...(note === undefined ? [] : [note, '']),
    ...(own.length + args.length === 0 ? [] : [tableOf([...args, ...own], 'Flag')]),
    ...(common.length === 0 ? [] : [`Common flags: ${common.join(', ')}`, '']),
  ].join('\n');
}

/** Anchor of a heading, as GitHub makes it. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

export async function commandsPage(): Promise<string> {
  const tree = await commandTree();
  const commands: Command[] = [];
  eachCommand(tree, (command) => {
    const isShown = help.visibleCommands(command.parent ?? command).includes(command as never);
    if (command !== tree && isShown && command.commands.length === 0) commands.push(command);
  });
  const shared = sharedRows(commands);
  const groupOf = (command: Command): string =>
    (command.parent === tree ? command : command.parent)?.helpGroup() || GROUPS.more;
  const groups = Object.values(GROUPS).map((group) => ({
    title: group.replace(/:$/, ''),
    members: commands.filter((command) => groupOf(command) === group),
  }));
  const link = (command: Command): string => `[\`${pathOf(command)}\`](#${anchor(usage(command))})`;
  return [
    INTRODUCTION,
    [
      '| For | Commands |',
      '|---|---|',
      ...groups.map(({ title, members }) => `| ${title} | ${members.map(link).join(', ')} |`),
      '',
    ].join('\n'),
    EXIT_CODES,
    '## Common flags\n',
    'Each command names below the sets and the flags that it takes. One that takes *several targets* works on one target as well.\n',
    tableOf(
      [
        ...visibleOptions(tree)
          .map(optionRow)
          .map((row) => ({ ...row, part: EVERY })),
        ...shared.values(),
      ],
      'Flag',
    ),
    VARIABLES,
    ...groups.flatMap(({ title, members }) => [`## ${title}\n`, ...members.map((command) => section(command, shared))]),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}
