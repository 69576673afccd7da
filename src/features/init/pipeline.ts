// The files of a pipeline: templates filled in with what the project has, and the names that a person has to set at the host.

import { UsageError } from '../../base/errors.ts';
import { few } from '../../base/text.ts';
import { EMULATOR, type TargetSettings } from '../../project/settings.ts';

/** Path in the repository -> template. */
interface PipelineFile {
  readonly path: string;
  readonly template: string;
  /** Only for a project with one target. */
  readonly one?: true;
}

const workflow = (name: string): PipelineFile => ({ path: `.github/workflows/${name}`, template: `github/${name}` });

const FILES = {
  github: [
    ...['plan.yml', 'apply.yml', 'watch.yml', 'daily.yml'].map(workflow),
    { ...workflow('forks.yml'), one: true },
  ],
  gitlab: [{ path: '.gitlab-ci.yml', template: 'gitlab/gitlab-ci.yml' }],
} as const satisfies { readonly [host: string]: readonly PipelineFile[] };

export type PipelineHost = keyof typeof FILES;

/** What the files are filled in with. */
export interface Pipeline {
  readonly host: PipelineHost;
  /** `OWNER/chatform@COMMIT`: the release that the files pin. */
  readonly from: string;
  /** The one that requests are merged into. */
  readonly branch: string;
  /** Of chatform.yaml, from the root of the repository. */
  readonly folder: string;
  readonly targets: readonly string[];
  /** Names of the variables with tokens, each once. */
  readonly tokens: readonly string[];
  /** Where the tokens may go. */
  readonly addresses: readonly string[];
}

export const FROM = /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40}$/;

/** Where a file of a pipeline says what it pins. */
const PIN = /(?:\s|\$CI_SERVER_FQDN\/)([\w.-]+(?:\/[\w.-]+)*?\/chatform)(?:\/\S+)?@([0-9a-f]{40})\s/;

/** More tokens are lines of one secret: a repository has a hundred secrets. */
const MOST_NAMES = 80;

export function pipelineFiles({ host, targets }: Pick<Pipeline, 'host' | 'targets'>): readonly PipelineFile[] {
  const files: readonly PipelineFile[] = FILES[host];
  return files.filter(({ one }) => one !== true || targets.length === 1);
}

/** `OWNER/chatform@COMMIT` of a file that was written before; null without one. */
export function pinIn(text: string): string | null {
  const [, release, commit] = PIN.exec(text) ?? [];
  return release === undefined ? null : `${release}@${commit}`;
}

/** Such as `CHATFORM_READ_TOKEN` for `CHATFORM_TOKEN`. */
export function readingName(token: string): string {
  return token.replace('TOKEN', 'READ_TOKEN');
}

interface NameToSet {
  readonly where: string;
  /** One or more, by spaces. */
  readonly name: string;
  readonly what: string;
}

/** What a person sets at the host. */
export function namesToSet({ host, tokens, addresses, branch }: Pipeline): readonly NameToSet[] {
  const isGithub = host === 'github';
  const names = isGithub && tokens.length > MOST_NAMES ? ['CHATFORM_TOKENS'] : tokens;
  const reading = names.map((name) => (isGithub ? readingName(name) : name)).join(' ');
  const writing = { name: names.join(' '), what: 'tokens that write' };
  const schedule = (cron: string, more: string): string =>
    `glab schedule create --ref ${branch} --cron "${cron}" ${more}`;
  const own: readonly NameToSet[] = isGithub
    ? [
        { where: 'secrets', name: reading, what: 'tokens that read' },
        { where: 'secrets of the environment production, and in it who must approve', ...writing },
        { where: 'for dated hours, secrets of the environment chatform-daily', ...writing },
      ]
    : [
        { where: 'masked variables', name: reading, what: 'tokens that read' },
        { where: 'masked and protected variables of the environment production*', ...writing },
        { where: 'masked variable', name: 'GITLAB_TOKEN', what: 'of a Reporter of the project, scope api' },
        {
          where: 'masked and protected variable',
          name: 'LEDGER_PUSH_TOKEN',
          what: 'of a Developer of the project, scope write_repository',
        },
        { where: schedule('23 * * * *', '--description drift'), name: 'schedule', what: 'drift and dated hours' },
        {
          where: schedule('41 3 * * *', '--description pages --variable CHATFORM_PAGE:1'),
          name: 'schedule',
          what: 'the pages',
        },
      ];
  return [
    ...own,
    { where: 'variable', name: 'CHATFORM_BASE_URLS', what: addresses.join(' ') },
    { where: 'for dated hours, variable', name: 'CHATFORM_DAILY', what: 'flags of that apply, such as --all' },
  ];
}

export function filledIn(template: string, pipeline: Pipeline): string {
  const { from, branch, folder, targets } = pipeline;
  const [release = '', commit = ''] = from.split('@');
  const isMeant: { readonly [when: string]: boolean } = { one: targets.length === 1, folder: folder !== '.' };
  const lines = template.split('\n').flatMap((line) => {
    const [, text = line, when = ''] = /^(.*) #\?(\w+)$/.exec(line) ?? [];
    return isMeant[when] === false ? [] : [text];
  });
  const words: { readonly [word: string]: string } = {
    'OWNER/chatform': release,
    COMMIT: commit,
    BRANCH: branch,
    FOLDER: folder,
    TARGET: targets[0] ?? '',
  };
  return lines
    .join('\n')
    .replaceAll(/OWNER\/chatform|\b(?:COMMIT|BRANCH|FOLDER|TARGET)\b/g, (word) => words[word] ?? '')
    .replaceAll(/^( *)tokens: (READ|WRITE)$/gm, (_, indent, kind) => tokensText(indent, kind, pipeline));
}

/** `NAME=${{ secrets.NAME }}` of each token. A file stays a page, so many of them share a line. */
function tokensText(indent: string, kind: 'READ' | 'WRITE', { tokens }: Pipeline): string {
  const secret = (name: string): string => `\${{ secrets.${kind === 'READ' ? readingName(name) : name} }}`;
  if (tokens.length > MOST_NAMES) return `${indent}tokens: ${secret('CHATFORM_TOKENS')}`;
  const each = tokens.map((name) => `${name}=${secret(name)}`);
  const inLine = tokens.length > 9 ? Math.max(3, Math.ceil(tokens.length / 10)) : 1;
  const lines = each.flatMap((_, at) => (at % inLine === 0 ? [each.slice(at, at + inLine).join(' ')] : []));
  return [`${indent}tokens: >-`, ...lines.map((line) => `${indent}  ${line}`)].join('\n');
}

/** What jobs that begin on empty machines cannot do with. @throws UsageError */
export function requireUsable(
  targets: readonly Pick<TargetSettings, 'name' | 'baseUrl' | 'ledger' | 'tokenEnv'>[],
): void {
  const refuse = (are: readonly { readonly name: string }[], why: string, remedy: string): void => {
    if (are.length > 0) throw new UsageError(`${why}: ${few(are.map(({ name }) => name))}; ${remedy}`);
  };
  refuse(
    targets.filter(({ baseUrl }) => baseUrl.startsWith(EMULATOR)),
    'the jobs run all targets, and have no license of an emulator',
    'remove them from chatform.yaml',
  );
  refuse(
    targets.filter(({ ledger }) => !/^ledger\/[^/]+\.ndjson$/.test(ledger)),
    'the jobs keep ledgers in the folder `ledger`, and those of some targets are elsewhere',
    'move them there with git, and write `ledger: ledger/NAME.ndjson`, or `ledger: "ledger/${target.name}.ndjson"` under `defaults`',
  );
  refuse(
    targets.filter(
      ({ tokenEnv }) =>
        !/^(?!GITHUB_|GH_|ACTIONS_|NODE_|NPM_)[A-Z_][A-Z0-9_]*$/.test(tokenEnv) || !tokenEnv.includes('TOKEN'),
    ),
    'the jobs take tokens by names of capitals with TOKEN in them',
    'change `token_env` of these targets',
  );
}

/** The lines of one text that the other does not have: what they begin and end with alike is left out. */
export function changedLines(before: string, after: string): readonly string[] {
  const [one, other] = [before.split('\n'), after.split('\n')];
  const begin = one.findIndex((line, at) => line !== other[at]);
  if (begin < 0) return other.slice(one.length).map((line) => `+${line}`);
  let end = 0;
  while (end < Math.min(one.length, other.length) - begin && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [
    ...one.slice(begin, one.length - end).map((line) => `-${line}`),
    ...other.slice(begin, other.length - end).map((line) => `+${line}`),
  ];
}
