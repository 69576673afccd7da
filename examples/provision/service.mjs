// A service that makes a license ready when a customer signs up, and checks all licenses for drift. It trusts its callers: put it behind your own login.
//
//   POST /tenants {"name": "bravo", "shop": "Bravo"}   writes tenants/bravo/tenant.yaml and applies it; the same request may be sent again
//   GET /drift                                         all licenses, for example each night

import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { openProject } from 'chatform';

const HERE = import.meta.dirname;

/** The name becomes a path and a part of the name of a variable, so it has no dot and no slash, and no two names differ in case only. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** A row with `$` would be refused, and with it the project of all licenses. */
const SHOP = /^[\p{L}\p{N}][\p{L}\p{N} .,&'()-]{0,79}$/u;

/** Of a request, in bytes. */
const LONGEST = 10_000;

const stop = new AbortController();

/** Opened for each request, because it stays as its files were. */
const open = () => openProject(join(HERE, 'chatform.yaml'), { signal: stop.signal });

/** Writes the row as a whole or not at all, because others open the project meanwhile. Whether it is there now as given. */
async function enrolled(name, shop) {
  const folder = join(HERE, 'tenants', name);
  const [file, draft] = [join(folder, 'tenant.yaml'), join(folder, `${randomUUID()}.draft`)];
  const text = `name: ${JSON.stringify(name)}\nshop: ${JSON.stringify(shop)}\n`;
  await mkdir(folder, { recursive: true });
  await writeFile(draft, text);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return (await readFile(file, 'utf8')) === text;
  } finally {
    await rm(draft);
  }
}

async function signUp({ name, shop }) {
  if (typeof name !== 'string' || !NAME.test(name))
    return { status: 400, answer: { error: 'name: use lower-case letters, digits and -' } };
  if (typeof shop !== 'string' || !SHOP.test(shop))
    return { status: 400, answer: { error: 'shop: use letters, digits and spaces' } };
  if (!(await enrolled(name, shop))) return { status: 409, answer: { error: `${name} is taken` } };
  const project = await open();
  const { report } = await project.target(name).apply();
  return { status: report.outcome === 'done' ? 201 : 502, answer: { name, outcome: report.outcome } };
}

async function drift() {
  const results = await (await open()).targets().drift();
  const answer = results.map(({ target, state, result, message }) => {
    if (result !== null) return { target, in_sync: result.in_sync };
    console.error(`${target}: ${message}`);
    return { target, state };
  });
  return { status: 200, answer };
}

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > LONGEST) return null;
  }
  try {
    return Object(JSON.parse(text));
  } catch {
    return null;
  }
}

async function answered(request) {
  switch (`${request.method} ${request.url}`) {
    case 'POST /tenants': {
      const body = await bodyOf(request);
      return body === null ? { status: 400, answer: { error: 'send a JSON object' } } : signUp(body);
    }
    case 'GET /drift':
      return drift();
    default:
      return { status: 404, answer: { error: 'there is no such page' } };
  }
}

/** The caller is a customer. What is wrong with the license or the files is for us. */
function failed(error) {
  console.error(error);
  return { status: 503, answer: { error: 'not ready: send the same request again later' } };
}

const server = createServer(async (request, response) => {
  const { status, answer } = await answered(request).catch(failed);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(answer)}\n`);
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    // An apply under way ends with what is in flight; the same request goes on with the rest.
    stop.abort();
    server.close();
  });
