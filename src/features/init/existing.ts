// What `init --existing` asks about a license, and the chatform.yaml that says it.

import { STABLE_VERSION } from '../../base/api-versions.ts';
import { VERSIONS } from '../../base/model.ts';
import { BASE_URL } from '../../project/schema/settings.ts';
import { TARGET_NAME } from '../../project/schema/targets.ts';
import { VARIABLE_NAME } from '../../project/secrets-in-text.ts';

export interface ExistingLicense {
  readonly baseUrl: string;
  readonly apiVersion: string;
  readonly tokenEnv: string;
  /** Empty for a token that is no personal one. */
  readonly accountId: string;
  readonly target: string;
}

export interface LicenseQuestion {
  readonly flag: string;
  readonly asks: string;
  /** What no answer means; null where there must be one. */
  readonly usual: string | null;
  readonly fits: (answer: string) => boolean;
  readonly wanted: string;
}

/** In the order in which they are asked. */
export const QUESTIONS: { readonly [name in keyof ExistingLicense]: LicenseQuestion } = {
  baseUrl: {
    flag: '--base-url',
    asks: 'Address of the service',
    usual: null,
    fits: (answer) => new RegExp(BASE_URL).test(answer),
    wanted: 'an https:// URL, or emulator:FILE',
  },
  apiVersion: {
    flag: '--api-version',
    asks: `Version of the Configuration API: ${VERSIONS.join(', ')}`,
    usual: STABLE_VERSION,
    fits: (answer) => VERSIONS.some((version) => version === answer),
    wanted: VERSIONS.join(', '),
  },
  tokenEnv: {
    flag: '--token-env',
    asks: 'Environment variable with the access token',
    usual: 'CHATFORM_TOKEN',
    fits: (answer) => VARIABLE_NAME.test(answer),
    wanted: 'the name of a variable, and not the token itself',
  },
  accountId: {
    flag: '--account-id',
    asks: 'Account of a personal access token (empty for another token)',
    usual: '',
    fits: (answer) => /^\S*$/.test(answer),
    wanted: 'an id without spaces',
  },
  target: {
    flag: '--target',
    asks: 'Name of the license in the files',
    usual: 'production',
    fits: (answer) => TARGET_NAME.test(answer),
    wanted: 'letters, digits, `.`, `_` and `-`',
  },
};

/** Null for an answer that fits. */
export function wrongIn({ flag, fits, wanted }: LicenseQuestion, answer: string): string | null {
  return fits(answer) ? null : `${flag} ${JSON.stringify(answer)}: write ${wanted}`;
}

/** The command with these answers, for a shell. */
export function againText(license: ExistingLicense): string {
  const flags = Object.entries(QUESTIONS).map(([name, { flag }]) => [flag, license[name as keyof ExistingLicense]]);
  const said = flags.flatMap(([flag = '', answer = '']) => (answer === '' ? [] : [` ${flag} ${quoted(answer)}`]));
  return `chatform init --existing${said.join('')}`;
}

function quoted(text: string): string {
  return /^[\w.:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function projectText({ target, baseUrl, apiVersion, tokenEnv, accountId }: ExistingLicense): string {
  const account = accountId === '' ? '' : `\n    account_id: ${JSON.stringify(accountId)}`;
  return `# yaml-language-server: $schema=./node_modules/chatform/schemas/project.schema.json
# Which manifest goes to which licenses, and how.
version: 1

# A folder with a file for each kind.
manifest: [manifest]

targets:
  ${target}:
    base_url: ${JSON.stringify(baseUrl)}
    api_version: "${apiVersion}"
    # The token comes from this environment variable, never from this file.
    token_env: ${tokenEnv}${account}
    # What is owned: keep it from run to run. In git, never let it merge by union; see node_modules/chatform/docs/explanation/guarantees.md.
    ledger: ledger/${target}.ndjson
`;
}
