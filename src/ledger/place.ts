// The name of a log in a database, as `ledger` of a target and `--ledger` have it: `postgres:VARIABLE/PROJECT/NAME`.

import { UsageError } from '../base/errors.ts';

const PREFIX = 'postgres:';

/** A log in a database. */
export interface LogKey {
  /** The variable with the address of the database. */
  readonly variable: string;
  readonly project: string;
  readonly kind: 'ledger' | 'run';
  readonly name: string;
}

export function isInDatabase(ledger: string): boolean {
  return ledger.startsWith(PREFIX);
}

export function placeName({ variable, project, name }: Pick<LogKey, 'variable' | 'project' | 'name'>): string {
  return `${PREFIX}${variable}/${project}/${name}`;
}

/** @throws UsageError for a name of another form */
export function ledgerKey(ledger: string): LogKey {
  const [variable, project, name, ...rest] = ledger.slice(PREFIX.length).split('/');
  if (!variable || !project || !name || rest.length > 0)
    throw new UsageError(`${ledger} names no ledger: write ${PREFIX}VARIABLE/PROJECT/TARGET`);
  return { variable, project, kind: 'ledger', name };
}
