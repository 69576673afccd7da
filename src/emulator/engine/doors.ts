// Whom a server of the emulator answers: programs on this machine, and no web page that a browser on this machine shows. Knows no API.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isThisMachine } from '../../base/url.ts';
import type { WireRequest, WireResponse } from './wire.ts';

/** What a server answers to, in addition to this machine and the address that it listens on. */
export interface Doors {
  /** Names of hosts, without a port. */
  readonly allowedHosts?: readonly string[];
  /** Pages that may write, such as `http://localhost:3000`. */
  readonly allowedOrigins?: readonly string[];
}

/** A request that is not let in: status and reason. */
export interface DoorRefusal {
  readonly status: 400 | 401 | 403 | 404;
  readonly type: string;
  readonly message: string;
}

/** A name, or an address in brackets, and a port. */
const AUTHORITY = /^(\[[\da-f:.]+\]|[^\s/?#@\\[\]:]+)(?::\d{1,5})?$/i;

/** The name in a `Host`, in lower case; null for a text that is none. */
function hostnameOf(authority: string): string | null {
  return AUTHORITY.exec(authority)?.[1]?.toLowerCase().replace(/\.$/, '') ?? null;
}

/** An address as a `Host` has it. */
function hostOfAddress(address: string): string {
  const bare = address.replace(/^::ffff:(?=[\d.]+$)/, '');
  return bare.includes(':') ? `[${bare}]` : bare;
}

function hostsOf({ rawHeaders }: IncomingMessage): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
}

/**
 * Why a request is not answered for the place that it names; null when it is. A page whose own name leads to this machine (DNS rebinding) names
 * itself here: the browser takes the emulator for the page's server, and lets the page read everything.
 */
export function refusedHost(incoming: IncomingMessage, listening: string, doors: Doors): DoorRefusal | null {
  const hosts = hostsOf(incoming);
  if (hosts.length > 1) return wrongHost('is there twice');
  // A target in absolute form names the place again.
  const absolute = /^https?:\/\/([^/?#]*)/i.exec(incoming.url ?? '')?.[1];
  for (const authority of absolute === undefined ? hosts : [...hosts, absolute]) {
    const name = hostnameOf(authority);
    if (name === null) return wrongHost('names no place');
    if (isThisMachine({ hostname: name }) || isAllowed(name, incoming, listening, doors)) continue;
    const message = `the emulator does not answer to the name ${name}: start it with --allow-host ${name}`;
    return { status: 403, type: 'authorization', message };
  }
  return null;
}

function wrongHost(what: string): DoorRefusal {
  return { status: 400, type: 'validation', message: `the header \`Host\` ${what}` };
}

function isAllowed(
  name: string,
  { socket }: IncomingMessage,
  listening: string,
  { allowedHosts = [] }: Doors,
): boolean {
  const own = [listening, socket.localAddress ?? '', ...allowedHosts];
  return own.some((each) => hostOfAddress(each.toLowerCase()) === name);
}

/** Why a request of a web page is not answered; null for one of the emulator's own pages, of these origins, or of a program. */
export function refusedOrigin(
  { origin, header }: Pick<WireRequest, 'origin' | 'header'>,
  allowed: readonly string[],
): DoorRefusal | null {
  const page = header('origin');
  // A browser says it by itself: no page can.
  const site = header('sec-fetch-site');
  if (page !== null && allowed.includes(page)) return null;
  const isOwn = site === null ? page === null || page === origin : site === 'same-origin' || site === 'none';
  if (isOwn) return null;
  const who = page === null || page === 'null' ? 'a web page elsewhere' : `a web page of ${page.slice(0, 200)}`;
  return { status: 403, type: 'authorization', message: `${who} may not write to the emulator: see --allow-origin` };
}

/** Whether a request has this token, as `Authorization: Bearer TOKEN`. Takes as long for every wrong one. */
export function hasToken({ header }: Pick<WireRequest, 'header'>, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(header('authorization')?.trim() ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

export function refusalOf({ status, type, message }: DoorRefusal): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { type, message } }),
  };
}
