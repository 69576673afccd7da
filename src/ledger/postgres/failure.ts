// What goes wrong with a database, in words: what it is, and what to do. No message has a part of the address that may be secret.

import { asError, ConnectionLost, UsageError } from '../../base/errors.ts';
import { isObject, jsonIn } from '../../base/json.ts';
import { holderText } from '../../base/text.ts';

/** A database as messages name it. */
export interface DatabaseName {
  /** The variable with its address. */
  readonly variable: string;
  /** `db.example.com:5432` */
  readonly server: string;
  readonly user: string;
  readonly database: string;
}

/** SQLSTATEs of our own, raised by the functions of the schema. */
export const LEASE_LOST = 'CF001';
export const HEAD_MOVED = 'CF002';
export const TIME_SHORT = 'CF003';
export const RUN_CHANGED = 'CF004';

/** Of the connection itself; PostgreSQL's "Appendix A. Error Codes", classes 08 and 57, and 53300, which ends when others disconnect. */
const LOST = /^(?:08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;

/** pg gives these no code. */
const LOST_WORDS =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|timeout expired)/;

/** What the operator of a server decides: conflicts on a standby, resources, limits, states, intervention and failures of the system. */
const OPERATION = /^(?:40|5[34578]|F0|XX)...$/;

/** pg gives this no code either. */
const NO_ENCRYPTION = /^The server does not support SSL connections/;

/** Codes of OpenSSL and of Node. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_\w+)$/;

/** SQLSTATE, or the code of the system; empty where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether the connection failed, and not the statement. Some servers in front of PostgreSQL report that as a text. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return LOST.test(codeOf(error)) || LOST_WORDS.test(error.message);
}

/** The error for a person, with the code that it had; one that is a bug of chatform stays as it is. */
export function explainedFailure(error: unknown, name: DatabaseName): unknown {
  const text = sentenceOf(error, name);
  return text === null ? error : Object.assign(new UsageError(text), { code: codeOf(error) });
}

/** Who holds the lease, as the function of the schema says it. */
function takenBy(error: unknown): string | null {
  const detail = error instanceof Error && 'detail' in error ? jsonIn(String(error.detail)) : null;
  if (!isObject(detail)) return null;
  const { user, host, pid, command, reason } = detail;
  const known = { user: String(user), host: String(host), pid: Number(pid), command: String(command) };
  const holder = reason === undefined ? known : { ...known, reason: String(reason) };
  return `${holderText(holder)} took it over`;
}

/** Of 53300, also without its code. */
const FULL = /^(?:sorry, too many clients already|too many connections for|remaining connection slots are reserved)/;

/** What the user may not read or call, as PostgreSQL says it. */
const FORBIDDEN = /permission denied for (function|schema|table|view|relation|sequence) (\w+)/;

function missingGrant(said: string, { variable, user }: DatabaseName): string {
  const [, what, name] = FORBIDDEN.exec(said) ?? [];
  if (what === 'function' && name !== 'now')
    return `the user ${user} of ${variable} may only read, so nothing was changed: let the owner of the tables run \`grant chatform_apply to ${user}\``;
  const whose = name === 'dbos' ? 'the tables of the workers' : 'the tables of chatform';
  return what === undefined
    ? `the user ${user} of ${variable} may not do this: ${said}; let the owner of the database allow it`
    : `the user ${user} of ${variable} may not use ${whose}: let their owner run \`grant chatform_read to ${user}\`, or grant chatform_apply to one that also writes`;
}

function sentenceOf(error: unknown, name: DatabaseName): string | null {
  const { variable, server, user, database } = name;
  if (FULL.test(asError(error).message))
    return `PostgreSQL at ${server} (${variable}) has no connection left: ${asError(error).message}; end other clients or raise max_connections there, and run the command again`;
  if (error instanceof ConnectionLost)
    return `the connection to PostgreSQL at ${server} (${variable}) ended, and the server did not come back: ${error.message}; run the command again once it is there`;
  const code = codeOf(error);
  const said = asError(error).message;
  switch (code) {
    case 'ENOTFOUND':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ECONNREFUSED':
    case 'ETIMEDOUT':
    case 'EAI_AGAIN':
      return `no PostgreSQL answers at ${server} (${variable}): start it, or correct the address`;
    case '28000':
    case '28P01':
      return `PostgreSQL at ${server} refused the user ${user} (${variable}): ${said}; correct the user or the password in the address`;
    case '3D000':
      return `PostgreSQL at ${server} has no database ${database} (${variable}): create it, or correct the address`;
    case '42501':
      return missingGrant(said, name);
    case '22021':
    case '22P05':
      return `the database ${database} (${variable}) cannot keep all characters: ${said}; make one with the encoding UTF8, and name it in the address`;
    case '25006':
      return `PostgreSQL at ${server} (${variable}) only reads now: ${said}; name the primary server in the address`;
    case '53100':
      return `the disk of PostgreSQL at ${server} (${variable}) is full: make room, and run the command again`;
    case '3F000':
    case '42P01':
    case '42883':
      return `the database ${database} (${variable}) has no tables of chatform: run \`chatform ledger migrate\``;
    case LEASE_LOST:
      return `nothing was written, because the lease is lost: ${takenBy(error) ?? said}; run the command again once that run has ended`;
    case TIME_SHORT:
      return `nothing was sent, because the lease ends too soon: ${said}; run the command again`;
    default:
      break;
  }
  if (isLost(error)) return `PostgreSQL at ${server} (${variable}) does not answer: ${said}; run the command again`;
  if (NO_ENCRYPTION.test(said))
    return `PostgreSQL at ${server} (${variable}) does not encrypt connections: turn on ssl there, or leave out sslmode in the address`;
  if (UNTRUSTED.test(code))
    return `the certificate of PostgreSQL at ${server} (${variable}) is not trusted: ${said}; name the file of its authority in the address: sslmode=verify-full&sslrootcert=FILE`;
  return OPERATION.test(code)
    ? `PostgreSQL at ${server} (${variable}) refused a statement: ${said} (SQLSTATE ${code}); correct this on the server, and run the command again`
    : null;
}
