// GitHub and GitLab as far as comments ask for them, on this machine: strict about method, path, headers and pages, so that what they would refuse fails
// a test. Pages have three items, whatever is asked for.

import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export const TOKEN = 'ghs_very-secret-token-0123456789';

export interface FakeComment {
  readonly id: number;
  body: string;
  readonly author: string;
  readonly system?: true;
}

export interface Fake {
  readonly url: string;
  readonly comments: FakeComment[];
  readonly labels: Set<string>;
  /** Commits at which the request stands. */
  head: string;
  merged: string | null;
  /** Whose branch the request comes from, `owner:branch`. */
  source: string;
  /** Runs of workflows, or jobs of pipelines, as the host tells of them. */
  readonly runs: Readonly<Record<string, unknown>>[];
  /** Requests in addition to number 7, as the host tells of them. */
  readonly requests: Readonly<Record<string, unknown>>[];
  /** What happened to the request. */
  readonly timeline: Readonly<Record<string, unknown>>[];
  /** Commits that are part of the branch that is applied. */
  readonly ancestors: Set<string>;
  /** Everything that was asked, `PATCH /path`. */
  readonly asked: string[];
  /** What a strict host would have refused. */
  readonly complaints: string[];
  /** Statuses that answer the next requests before anything is looked at. */
  readonly faults: (readonly [status: number, headers?: Readonly<Record<string, string>>])[];
  /** Called before a comment is written, as another job that is faster. */
  meanwhile: (() => void) | null;
}

export const ME = 'github-actions[bot]';
const PAGE = 3;

/** A successful run of plan.yml for a request of this repository, as GitHub tells of it. */
export const planRun = (id: number, head: string, more: Fake['runs'][number] = {}): Fake['runs'][number] => ({
  id,
  path: '.github/workflows/plan.yml',
  event: 'pull_request',
  head_sha: head,
  head_branch: 'topic',
  created_at: '2026-11-20T12:00:00Z',
  conclusion: 'success',
  head_repository: { full_name: 'o/r' },
  ...more,
});

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly page: number;
  readonly query: URLSearchParams;
  readonly json: Readonly<Record<string, unknown>>;
}

type Reply = readonly [status: number, json?: unknown, headers?: Readonly<Record<string, string>>];

async function serve(
  fake: Omit<Fake, 'url'>,
  check: (request: IncomingMessage) => string | null,
  answer: (asked: Asked) => Reply,
) {
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? '/', 'http://fake');
    fake.asked.push(`${request.method} ${url.pathname}`);
    const send = ([status, json, headers = {}]: Reply): void => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(json === undefined ? '' : Buffer.isBuffer(json) ? json : JSON.stringify(json));
    };
    const fault = fake.faults.shift();
    if (fault !== undefined) return send([fault[0], { message: `fault with ${TOKEN}` }, fault[1] ?? {}]);
    const hasBody = ['POST', 'PUT', 'PATCH'].includes(request.method ?? '');
    const wrong =
      check(request) ??
      (request.headers['user-agent'] === undefined ? 'no user agent' : null) ??
      (hasBody && request.headers['content-type'] !== 'application/json' ? 'no content type' : null) ??
      (!hasBody && body !== '' ? 'a body where there is none' : null);
    if (wrong !== null) {
      fake.complaints.push(`${request.method} ${url.pathname}: ${wrong}`);
      return send([400, { message: wrong }]);
    }
    const reply = answer({
      method: request.method ?? '',
      path: url.pathname,
      page: Number(url.searchParams.get('page') ?? '1'),
      query: url.searchParams,
      json: hasBody ? JSON.parse(body) : {},
    });
    if (reply[0] === 418) fake.complaints.push(`${request.method} ${request.url}: no such endpoint`);
    send(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function begin(): Omit<Fake, 'url'> {
  return {
    comments: [],
    labels: new Set(),
    head: 'a'.repeat(40),
    merged: null,
    source: 'o:topic',
    runs: [],
    requests: [],
    timeline: [],
    ancestors: new Set(),
    asked: [],
    complaints: [],
    faults: [],
    meanwhile: null,
  };
}

function interrupt(fake: Omit<Fake, 'url'>): void {
  const { meanwhile } = fake;
  fake.meanwhile = null;
  meanwhile?.();
}

function nextId({ comments }: Omit<Fake, 'url'>): number {
  return Math.max(100, ...comments.map(({ id }) => id)) + 1;
}

function removed<T extends { readonly id: number }>(items: T[], id: number): boolean {
  const index = items.findIndex((item) => item.id === id);
  if (index >= 0) items.splice(index, 1);
  return index >= 0;
}

export async function fakeGithub(): Promise<Fake> {
  const fake = begin();
  const shown = ({ id, body, author }: FakeComment) => ({
    id,
    body,
    user: { login: author },
    html_url: `https://github.example/o/r/pull/7#issuecomment-${id}`,
  });
  const paged = (items: readonly unknown[], page: number, path: string): Reply => {
    const more = items.length > page * PAGE;
    const link = `<https://elsewhere.example${path}?page=${page + 1}>; rel="next"`;
    return [200, items.slice((page - 1) * PAGE, page * PAGE), more ? { link } : {}];
  };
  const url = await serve(
    fake,
    ({ headers }) => {
      if (headers.authorization !== `Bearer ${TOKEN}`) return 'authorization';
      if (headers.accept !== 'application/vnd.github+json') return 'accept';
      return headers['x-github-api-version'] === '2022-11-28' ? null : 'version';
    },
    ({ method, path, page, query, json }) => {
      const id = Number(/\/issues\/comments\/(\d+)$/.exec(path)?.[1] ?? 0);
      const text = String(json['body'] ?? '');
      if (text.length > 65_536) return [422, { message: 'body is too long (maximum is 65536 characters)' }];
      if (method === 'GET' && path === '/user') return [403, { message: 'Resource not accessible by integration' }];
      if (method === 'GET' && path === '/repos/o/r/pulls/7')
        return [200, { number: 7, head: { sha: fake.head }, merge_commit_sha: fake.merged }];
      if (method === 'GET' && path === '/repos/o/r/pulls' && query.get('state') === 'open')
        return [200, query.get('head') === fake.source ? [{ number: 7, head: { sha: fake.head } }] : []];
      const request = {
        number: 7,
        merge_commit_sha: fake.merged,
        merged_at: '2026-11-21T00:00:00Z',
        closed_at: '2026-11-21T00:00:00Z',
        head: { sha: fake.head, ref: fake.source.replace(/^.*:/, '') },
        base: { ref: 'main' },
      };
      if (method === 'GET' && path === `/repos/o/r/commits/${fake.merged}/pulls`)
        return paged([{ number: 5, merged_at: null }, request, ...fake.requests], page, path);
      if (method === 'GET' && path === '/repos/o/r/pulls' && query.get('state') === 'all') {
        const from = query.get('head') === fake.source ? [request, ...fake.requests] : [];
        return paged(from, page, path);
      }
      if (method === 'GET' && path === '/repos/o/r/issues/7/timeline') return paged(fake.timeline, page, path);
      if (method === 'GET' && /^\/repos\/o\/r\/commits\/[0-9a-f]{40}\/pulls$/.test(path)) return [200, []];
      const workflow = /^\/repos\/o\/r\/actions\/workflows\/([\w.]+)\/runs$/.exec(path)?.[1];
      if (method === 'GET' && workflow !== undefined) {
        const names = { event: 'event', head_sha: 'head_sha', status: 'conclusion', branch: 'head_branch' };
        const asked = Object.entries(names).filter(([name]) => query.has(name));
        const found = fake.runs.filter(
          (run) =>
            run['path'] === `.github/workflows/${workflow}` &&
            asked.every(([name, member]) => run[member] === query.get(name)),
        );
        return [200, { workflow_runs: found }];
      }
      const left = /^\/repos\/o\/r\/actions\/runs\/(\d+)\/artifacts$/.exec(path)?.[1];
      if (method === 'GET' && left !== undefined) {
        const found = fake.runs.find(({ id }) => String(id) === left)?.['artifacts'] ?? [];
        return [200, { artifacts: (found as readonly object[]).map((each) => ({ expired: false, ...each })) }];
      }
      const run = /^\/repos\/o\/r\/actions\/runs\/(\d+)$/.exec(path)?.[1];
      if (method === 'GET' && run !== undefined) {
        const found = fake.runs.find(({ id }) => String(id) === run);
        return found === undefined ? [404, { message: 'Not Found' }] : [200, found];
      }
      if (path === '/repos/o/r/issues/7/comments') {
        if (method === 'GET') return paged(fake.comments.map(shown), page, path);
        if (method !== 'POST') return [418];
        interrupt(fake);
        const made = { id: nextId(fake), body: text, author: ME };
        fake.comments.push(made);
        return [201, shown(made)];
      }
      if (id > 0 && method === 'PATCH') {
        interrupt(fake);
        const found = fake.comments.find((comment) => comment.id === id);
        if (found === undefined) return [404, { message: 'Not Found' }];
        found.body = text;
        return [200, shown(found)];
      }
      if (id > 0 && method === 'DELETE') return removed(fake.comments, id) ? [204] : [404, { message: 'Not Found' }];
      if (path === '/repos/o/r/issues/7/labels') {
        if (method === 'GET')
          return paged(
            [...fake.labels].map((name) => ({ name })),
            page,
            path,
          );
        if (method !== 'POST') return [418];
        for (const label of json['labels'] as readonly string[]) fake.labels.add(label);
        return [200, []];
      }
      const label = /^\/repos\/o\/r\/issues\/7\/labels\/(.+)$/.exec(path)?.[1];
      if (label !== undefined && method === 'DELETE')
        return fake.labels.delete(decodeURIComponent(label)) ? [200, []] : [404, { message: 'Label does not exist' }];
      return [418, { message: 'no such endpoint' }];
    },
  );
  return Object.assign(fake, { url });
}

export async function fakeGitlab(): Promise<Fake> {
  const fake = begin();
  const shown = ({ id, body, author, system }: FakeComment) => ({
    id,
    body,
    system: system === true,
    author: { id: author === ME ? 42 : 43 },
  });
  const paged = (items: readonly unknown[], page: number): Reply => [
    200,
    items.slice((page - 1) * PAGE, page * PAGE),
    { 'x-next-page': items.length > page * PAGE ? String(page + 1) : '' },
  ];
  const MERGE = '/api/v4/projects/77/merge_requests/7';
  const url = await serve(
    fake,
    ({ headers }) => {
      if (headers['private-token'] !== TOKEN) return 'token';
      return headers.authorization === undefined ? null : 'authorization';
    },
    ({ method, path, page, query, json }) => {
      const id = Number(/\/notes\/(\d+)$/.exec(path)?.[1] ?? 0);
      const text = String(json['body'] ?? '');
      if (text.length > 1_000_000) return [400, { message: { note: ['is too long'] } }];
      if (method === 'GET' && path === '/api/v4/user') return [200, { id: 42, username: 'bot' }];
      if (method === 'GET' && path === MERGE)
        return [200, { iid: 7, sha: fake.head, merge_commit_sha: fake.merged, squash_commit_sha: null }];
      if (method === 'GET' && path === `/api/v4/projects/77/repository/commits/${fake.merged}/merge_requests`)
        return paged(
          [
            {
              iid: 7,
              state: 'merged',
              sha: fake.head,
              merge_commit_sha: fake.merged,
              target_branch: 'main',
              source_project_id: fake.source.startsWith('o:') ? 77 : 78,
            },
            ...fake.requests,
          ],
          page,
        );
      if (method === 'GET' && /\/77\/repository\/commits\/[0-9a-f]{40}\/merge_requests$/.test(path)) return [200, []];
      if (method === 'GET' && path === `${MERGE}/pipelines`) return paged(fake.runs, page);
      if (method === 'GET' && path === '/api/v4/projects/77/repository/merge_base') {
        const [one = '', other = ''] = query.getAll('refs[]');
        return [200, { id: fake.ancestors.has(one) ? one : `base of ${other}` }];
      }
      const pipeline = /\/projects\/77\/pipelines\/(\d+)\/jobs$/.exec(path)?.[1];
      const of = fake.runs.find((run) => String(run['id']) === pipeline);
      if (method === 'GET' && of !== undefined) return paged(of['jobs'] as readonly unknown[], page);
      const [, job, file = ''] = /\/projects\/77\/jobs\/(\d+)\/artifacts\/([\w./-]+)$/.exec(path) ?? [];
      if (method === 'GET' && job !== undefined) {
        const jobs = fake.runs.flatMap((run) => run['jobs'] as readonly Readonly<Record<string, unknown>>[]);
        const found = jobs.find((each) => String(each['id']) === job);
        const at = typeof found?.['folder'] === 'string' ? `${found['folder']}/${file}` : found?.['file'];
        const isThere = typeof at === 'string' && at.endsWith(`/${file}`) && existsSync(at);
        return isThere ? [200, readFileSync(at)] : [404, { message: 'none' }];
      }
      if (method === 'PUT' && path === MERGE) {
        for (const label of String(json['remove_labels'] ?? '').split(',')) fake.labels.delete(label);
        if (json['add_labels'] !== undefined) fake.labels.add(String(json['add_labels']));
        return [200, { iid: 7 }];
      }
      if (path === `${MERGE}/notes` && method === 'GET') {
        return paged(fake.comments.map(shown), page);
      }
      if (path === `${MERGE}/notes` && method === 'POST') {
        interrupt(fake);
        const made = { id: nextId(fake), body: text, author: ME };
        fake.comments.push(made);
        return [201, shown(made)];
      }
      if (id > 0 && method === 'PUT') {
        interrupt(fake);
        const found = fake.comments.find((comment) => comment.id === id);
        if (found === undefined) return [404, { message: '404 Not found' }];
        found.body = text;
        return [200, shown(found)];
      }
      if (id > 0 && method === 'DELETE')
        return removed(fake.comments, id) ? [204] : [404, { message: '404 Not found' }];
      return [418, { message: 'no such endpoint' }];
    },
  );
  return Object.assign(fake, { url: `${url}/api/v4` });
}
