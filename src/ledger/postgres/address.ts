// The address of a database, in a variable of the environment. No message quotes it: it has a password.

import { UsageError } from '../../base/errors.ts';
import { parsedUrl } from '../../base/url.ts';
import type { DatabaseName } from './failure.ts';

/** A variable of the environment that has an address. */
export interface Variable {
  readonly variable: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const FORM = 'postgres://USER:PASSWORD@HOST:5432/DATABASE';

/** @throws UsageError for a variable that is not set, or has no address of PostgreSQL */
export function addressIn({ variable, env }: Variable): { readonly address: string; readonly name: DatabaseName } {
  const address = env[variable];
  if (address === undefined || address === '')
    throw new UsageError(`${variable} is not set: set it to the address of the database, such as ${FORM}`);
  const url = parsedUrl(address);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol) || url.hostname === '')
    throw new UsageError(`${variable} is no address of a PostgreSQL database: write it as ${FORM}`);
  const { hostname, port, username, password, pathname } = url;
  const [user, database] = decoded(username, pathname.slice(1), password);
  if (user === undefined || database === undefined)
    throw new UsageError(
      `${variable} is no address of a PostgreSQL database: write a % in a name or the password as %25`,
    );
  const server = `${hostname}:${port === '' ? 5432 : port}`;
  // Without a name, the database is that of the user.
  return { address: verified(address), name: { variable, server, user, database: database === '' ? user : database } };
}

/** With a certificate that is checked, where TLS is asked for: pg checks it in any case, and warns with every command that it will not for ever. */
function verified(address: string): string {
  if (address.includes('uselibpqcompat=true')) return address;
  return address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** Parts of an address as they are meant; none when one of them cannot be read. */
function decoded(...parts: readonly string[]): readonly string[] {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return [];
  }
}
