import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../tries.ts';
import { inVersion } from '../conformance/row.ts';
import { malformedRequests } from '../malformed-requests.ts';
import { createCustomerCaller, formOf, type HowSent } from './caller.ts';
import type { CustomerVersion } from './rows/row.ts';
import { TABLE } from './table.ts';

/** Version, action and a request that is accepted. */
const ROWS = TABLE.map(([version, action, { request }]) => [version, action, inVersion(request, version)] as const);

/** Every member that any request has. */
const MEMBERS = [
  'id',
  'chat_id',
  'thread_id',
  'event_id',
  'chat',
  'thread',
  'events',
  'event',
  'type',
  'text',
  'content',
  'elements',
  'buttons',
  'fields',
  'file',
  'access',
  'group_ids',
  'group_id',
  'active',
  'continuous',
  'properties',
  'shop',
  'tier',
  'postback',
  'toggled',
  'ecommerce',
  'page_id',
  'limit',
  'sort_order',
  'seen_up_to',
  'namespace',
  'name',
  'email',
  'session_fields',
  'omnichannel',
  'phone_number',
  'system_message_type',
  'text_vars',
  'template_id',
  'value',
  'address',
  'callback_uri',
  'url',
  'page_url',
  'version',
  'language',
  'unique_id',
  'greeting_id',
];
const NAMES = [
  'CHATKIM001',
  'CHATLEE001',
  'THREADKIM1',
  'THREADKIM2',
  'THREADKIM2_1',
  'message',
  'file',
  'rich_message',
  'shop',
  'eyJxdWVyeSI6e319',
];

const TOKENS = ['dal:kim', 'dal:lee', 'dal:max', 'dal:zed', 'dal:new'];

/** A body as it is, or as the parts of a form: a text in each member, and sometimes a file. */
function sentOf(action: string, text: string): unknown {
  if (action !== 'upload_file' || text.length % 2 === 0) return text;
  try {
    return formOf({ [text.slice(0, 20)]: { name: text, type: text, text }, ...Object(JSON.parse(text)) });
  } catch {
    return formOf({ file: text });
  }
}

const request = fc.tuple(
  malformedRequests<CustomerVersion>(ROWS, MEMBERS, NAMES),
  fc.constantFrom(...TOKENS),
  fc.constantFrom('POST', 'POST', 'POST', 'GET'),
  fc.constantFrom(undefined, undefined, undefined, 'license_id=1&organization_id=%00', 'x=%F0%90%28%BC&license_id'),
);

/** At full length, on a machine that does other work as well: in ms. */
const LONGEST = 900_000;

test(
  'No request crashes the service, and a refused one leaves everything as it was',
  async () => {
    const fresh = () => createCustomerCaller({ propagationDelay: 1000 });
    let { send, emulator } = fresh();
    let before = JSON.stringify(emulator.snapshot());
    const limit = before.length * 2;
    const refused = new Set<string>();
    await fc.assert(
      fc.asyncProperty(request, async ([[version, name, text], token, method, query]) => {
        // What was accepted makes every comparison slower: begin again before the license is large.
        if (before.length > limit) {
          ({ send, emulator } = fresh());
          before = JSON.stringify(emulator.snapshot());
        }
        const how: HowSent = {
          version,
          method,
          authorization: `Bearer ${token}`,
          ...(query === undefined ? {} : { query }),
        };
        const { status, body: reply } = await send(name, sentOf(name, text), how);
        const after = JSON.stringify(emulator.snapshot());
        if (status !== 200) {
          expect([400, 401, 403, 404, 405, 409, 413]).toContain(status);
          expect(reply).toEqual({ error: { type: expect.any(String), message: expect.any(String) } });
          expect([name, text, after]).toEqual([name, text, before]);
          // Only what was wrong in the body counts.
          if (status === 400 && method === 'POST' && query === undefined) refused.add(`${version} ${name}`);
        }
        before = after;
      }),
      { numRuns: tries(20_000, 3_000) },
    );
    expect(refused.size).toBe(ROWS.length);
  },
  LONGEST,
);
