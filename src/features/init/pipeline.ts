// The files of a pipeline: templates filled in with what the project has, and the names that a person has to set at the host.

import { UsageError } from '../../base/errors.ts';
import { few } from '../../base/text.ts';
import { EMULATOR, type TargetSettings } from '../../project/settings.ts';

interface PipelineFile {
  /** In the repository. */
  readonly path: string;
  readonly template: string;
}

/** The last one of GitHub is only for projects with one target. */
const FILES = {
  github: ['plan.yml', 'apply.yml', 'watch.yml', 'daily.yml', 'forks.yml'].map((name) => ({
    path: `.github/workflows/${name}`,
    template: `github/${name}`,
  })),
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
  return FILES[host].filter(({ path }) => targets.length === 1 || !path.endsWith('/forks.yml'));
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

/** A name or several, and what a person sets there at the host: lines of a template. */
export function settingsIn(filled: string): readonly (readonly [name: string, what: string])[] {
  return [...filled.matchAll(/^(.+?): (.+)$/gm)].map(([, name = '', what = '']) => [name, what]);
}

/** A line that ends with `#?one` or `#?folder` is for a project with one target, or for one in a folder. */
export function filledIn(template: string, pipeline: Pipeline): string {
  const { from, branch, folder, targets, tokens, addresses } = pipeline;
  const [release = '', commit = ''] = from.split('@');
  const names = tokens.length > MOST_NAMES && pipeline.host === 'github' ? ['CHATFORM_TOKENS'] : tokens;
  const isMeant: { readonly [when: string]: boolean } = { one: targets.length === 1, folder: folder !== '.' };
  const words: { readonly [word: string]: string } = {
    'OWNER/chatform': release,
    COMMIT: commit,
    BRANCH: branch,
    FOLDER: folder,
    TARGET: targets[0] ?? '',
    READING: names.map(readingName).join(', '),
    WRITING: names.join(', '),
    ADDRESSES: addresses.join(' '),
  };
  return template
    .split('\n')
    .flatMap((line) => {
      const [, text = line, when = ''] = /^(.*) #\?(\w+)$/.exec(line) ?? [];
      return isMeant[when] === false ? [] : [text];
    })
    .join('\n')
    .replaceAll(/^( *)tokens: (READ|WRITE)$/gm, (_, indent, kind) => tokensText(indent, kind, names))
    .replaceAll(/OWNER\/chatform|\b[A-Z]+\b/g, (word) => words[word] ?? word);
}

/** `NAME=${{ secrets.NAME }}` of each token. A file stays a page, so many of them share a line. One secret with all of them has such lines itself. */
function tokensText(indent: string, kind: 'READ' | 'WRITE', names: readonly string[]): string {
  const each = names.map((name) => {
    const secret = `\${{ secrets.${kind === 'READ' ? readingName(name) : name} }}`;
    return name === 'CHATFORM_TOKENS' ? secret : `${name}=${secret}`;
  });
  const inLine = each.length > 9 ? Math.max(3, Math.ceil(each.length / 10)) : 1;
  const lines = each.flatMap((_, at) => (at % inLine === 0 ? [each.slice(at, at + inLine).join(' ')] : []));
  return [`${indent}tokens: >-`, ...lines.map((line) => `${indent}  ${line}`)].join('\n');
}

type TargetOfJobs = Pick<TargetSettings, 'name' | 'baseUrl' | 'ledger' | 'tokenEnv'>;

/** What a job that begins on an empty machine cannot do with, and the remedy. */
const UNUSABLE: { readonly [why: string]: (target: TargetOfJobs) => boolean } = {
  'the jobs run all targets, and have no license of an emulator: remove these from chatform.yaml': ({ baseUrl }) =>
    baseUrl.startsWith(EMULATOR),
  'the jobs keep ledgers in the folder `ledger`: move the ledgers of these targets there, and write `ledger: "ledger/${target.name}.ndjson"` under `defaults`, or `ledger: ledger/NAME.ndjson`':
    ({ ledger }) => !/^ledger\/[^/]+\.ndjson$/.test(ledger),
  'the jobs take tokens by names of capitals with TOKEN in them: change `token_env` of these targets': ({ tokenEnv }) =>
    !/^(?!(?:GITHUB|GH|ACTIONS|NODE|NPM)_)(?=[A-Z0-9_]*TOKEN)[A-Z_][A-Z0-9_]*$/.test(tokenEnv),
};

/** @throws UsageError */
export function requireUsable(targets: readonly TargetOfJobs[]): void {
  for (const [why, isUnusable] of Object.entries(UNUSABLE)) {
    const names = targets.filter(isUnusable).map(({ name }) => name);
    if (names.length > 0) throw new UsageError(`${why} (${few(names)})`);
  }
}
