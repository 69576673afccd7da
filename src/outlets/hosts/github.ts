// GitHub as a Host: the part of its REST API that a comment and its labels need. https://docs.github.com/en/rest, version 2022-11-28.

import { UsageError } from '../../base/errors.ts';
import { numberAt, textAt } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { ask, askAll, type Endpoint, type HostLine } from './ask.ts';
import type { Comment, Host } from './host.ts';

export function githubEndpoint(api: string, token: string, line: HostLine): Endpoint {
  return {
    ...line,
    name: 'GitHub',
    api,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
    remedy: remedyOf,
  };
}

function remedyOf(status: number): string {
  switch (status) {
    case 401:
      return 'the token is missing, wrong or expired';
    case 403:
      return 'the job needs `permissions: { pull-requests: write }`, which no job for a pull request from a fork gets; a conversation that is locked takes no comment';
    case 404:
      return 'check the repository and the number, and that the token may see them';
    default:
      return '';
  }
}

/** Of a repository, `owner/name`. */
function pathOf(repository: string): string {
  return `/repos/${repository.split('/').map(encodeURIComponent).join('/')}`;
}

/** The account of a workflow's token; such a token may not ask for its account. */
const WORKFLOW = 'github-actions[bot]';

/** `repository` is `owner/name`. `author` is for a token that cannot tell its account, such as that of an application. */
export function githubHost(
  endpoint: Endpoint,
  {
    repository,
    request,
    author,
  }: { readonly repository: string; readonly request: number; readonly author: string | null },
): Host {
  const repo = pathOf(repository);
  const issue = `${repo}/issues/${request}`;
  return {
    self: async () => {
      if (author !== null) return author;
      const { status, json } = await ask(endpoint, { method: 'GET', path: '/user', accepts: [200, 403] });
      return status === 403 ? WORKFLOW : (textAt(json, 'login') ?? WORKFLOW);
    },
    current: async () => {
      const { json } = await ask(endpoint, { method: 'GET', path: `${repo}/pulls/${request}`, accepts: [200] });
      return [textAt(json, 'head', 'sha'), textAt(json, 'merge_commit_sha')].filter((commit) => commit !== null);
    },
    comments: async () => (await askAll(endpoint, `${issue}/comments`)).map(commentOf),
    create: async (body) => {
      const question = { method: 'POST', path: `${issue}/comments`, body: { body }, accepts: [201] } as const;
      return commentOf((await ask(endpoint, question)).json);
    },
    update: async (id, body) => {
      const path = `${repo}/issues/comments/${id}`;
      const { status, json } = await ask(endpoint, { method: 'PATCH', path, body: { body }, accepts: [200, 404] });
      return status === 404 ? null : commentOf(json);
    },
    remove: async (id) => {
      const path = `${repo}/issues/comments/${id}`;
      await ask(endpoint, { method: 'DELETE', path, accepts: [204, 404] });
    },
    label: async (wanted, given) => {
      const there = (await askAll(endpoint, `${issue}/labels`)).map((label) => textAt(label, 'name'));
      for (const label of given) {
        if (label === wanted || !there.includes(label)) continue;
        const path = `${issue}/labels/${encodeURIComponent(label)}`;
        await ask(endpoint, { method: 'DELETE', path, accepts: [200, 404] });
      }
      if (wanted === null || there.includes(wanted)) return;
      const question = { method: 'POST', path: `${issue}/labels`, body: { labels: [wanted] }, accepts: [200] } as const;
      await ask(endpoint, question);
    },
  };
}

function commentOf(json: Json): Comment {
  const id = numberAt(json, 'id');
  if (id === null) throw new UsageError('GitHub answered with a comment that has no id');
  return { id, body: textAt(json, 'body') ?? '', author: textAt(json, 'user', 'login'), url: textAt(json, 'html_url') };
}

/** The pull request of a commit, or null; of several, the one that was merged as this commit. */
export async function githubRequestOf(endpoint: Endpoint, repository: string, commit: string): Promise<number | null> {
  const found = await askAll(endpoint, `${pathOf(repository)}/commits/${encodeURIComponent(commit)}/pulls`);
  const merged = found.find(
    (pull) => textAt(pull, 'merge_commit_sha') === commit && textAt(pull, 'merged_at') !== null,
  );
  return numberAt(merged ?? (found.length === 1 ? found[0] : undefined), 'number');
}

/** The open pull request from `source`, `owner:branch`, that stands at a commit; null when there is none, or several. */
export async function githubRequestFrom(
  endpoint: Endpoint,
  repository: string,
  source: string,
  commit: string,
): Promise<number | null> {
  const open = await askAll(endpoint, `${pathOf(repository)}/pulls?state=open&head=${encodeURIComponent(source)}`);
  const there = open.filter((pull) => textAt(pull, 'head', 'sha') === commit);
  return numberAt(there.length === 1 ? there[0] : undefined, 'number');
}
