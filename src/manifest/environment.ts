// Which environment variables `${env.NAME}` may read. The files of a branch must not put a token of the job into a license, a plan or a log.

/** Names that begin with it are readable without being listed. */
const OPEN = 'CHATFORM_VAR_';

/** Nouns by which secrets are called, in names of variables and of settings. */
const SECRET =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:PRIVATE|API|ACCESS)_?KEY|(?:^|_)(?:PAT|AUTH|JWT)(?:_|$)/i;

const SECRET_AT_END = new RegExp(`(?:${SECRET.source})$`, 'i');

/** Further words in names of variables, by which settings may be called that hold no secret. */
const PERHAPS_SECRET = /WEBHOOK|(?:^|_)(?:PASS|PWD|KEY|DSN)(?:_|$)/i;

/** Names of addresses that often contain a password. */
const ADDRESS = /^(DB|DATABASE|REDIS|MONGO(DB)?|POSTGRES(QL)?|MYSQL|AMQP|RABBITMQ|SMTP)_UR[IL]$|_PROXY$/i;

/** Whether a member of this name has a secret as its value: `api_key`, and not `token_env`, which names a variable. */
export function isSecretMember(name: string): boolean {
  return SECRET_AT_END.test(name);
}

/** What chatform.yaml says about the environment. */
export interface EnvironmentRule {
  /** The names under `env:`; null without a chatform.yaml. */
  readonly listed: readonly string[] | null;
  /** The setting that names a variable as that of a secret, by the name of the variable. */
  readonly secrets: ReadonlyMap<string, string>;
}

export const NO_PROJECT: EnvironmentRule = { listed: null, secrets: new Map() };

export interface VariableRefusal {
  readonly reason: string;
  readonly remedy: string;
}

/** Null for a variable that files may read. */
export function envRefusal(name: string, { listed, secrets }: EnvironmentRule): VariableRefusal | null {
  const secret = secretRefusal(name, secrets);
  if (secret !== null) return secret;
  if (name.startsWith(OPEN) || listed?.includes(name) === true) return null;
  const passed = `pass the value as ${OPEN}${name}`;
  if (listed === null) return { reason: 'there is no chatform.yaml that lists it under `env`', remedy: passed };
  const line = `env: [${[...listed, name].join(', ')}]`;
  return { reason: 'chatform.yaml does not list it', remedy: `write \`${line}\` in chatform.yaml, or ${passed}` };
}

/** Null for a variable that is not known as that of a secret. */
export function secretRefusal(name: string, secrets: EnvironmentRule['secrets']): VariableRefusal | null {
  const setting = secrets.get(name);
  if (setting !== undefined)
    return {
      reason: `it holds a secret, because \`${setting}\` names it`,
      remedy: 'remove it: the license, plans and logs show the values of variables',
    };
  if (name.startsWith(OPEN) || ![SECRET, PERHAPS_SECRET, ADDRESS].some((names) => names.test(name))) return null;
  return {
    reason: 'its name is that of a secret',
    remedy: `remove it; if the value is no secret, pass it as ${OPEN}${name}`,
  };
}
