// GitLab as a Host: the part of its REST API that a note and its labels need. https://docs.gitlab.com/api/, version 4.

import { UsageError } from '../../base/errors.ts';
import { memberOf, numberAt, textAt } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { ask, askAll, type Endpoint, type HostLine } from './ask.ts';
import type { Comment, Host } from './host.ts';

export function gitlabEndpoint(api: string, token: string, line: HostLine): Endpoint {
  return {
    ...line,
    name: 'GitLab',
    api,
    headers: { 'private-token': token, accept: 'application/json' },
    remedy: remedyOf,
  };
}

function remedyOf(status: number): string {
  switch (status) {
    case 401:
      return 'GITLAB_TOKEN is wrong or expired; the token of a job, CI_JOB_TOKEN, cannot write notes';
    case 403:
      return 'the token needs the scope `api`, and the role Reporter or higher for notes, Developer or higher for labels; a discussion that is locked takes notes of members only';
    case 404:
      return 'check the project and the number, and that the token may see them';
    default:
      return '';
  }
}

/** `project` is its id, or its path. */
export function gitlabHost(
  endpoint: Endpoint,
  { project, request }: { readonly project: string; readonly request: number },
): Host {
  const merge = `/projects/${encodeURIComponent(project)}/merge_requests/${request}`;
  return {
    self: async () => {
      const { json } = await ask(endpoint, { method: 'GET', path: '/user', accepts: [200] });
      const id = numberAt(json, 'id');
      if (id === null) throw new UsageError('GitLab did not name the account of the token');
      return String(id);
    },
    current: async () => {
      const { json } = await ask(endpoint, { method: 'GET', path: merge, accepts: [200] });
      return ['sha', 'merge_commit_sha', 'squash_commit_sha']
        .map((name) => textAt(json, name))
        .filter((commit) => commit !== null);
    },
    comments: async () => {
      const notes = await askAll(endpoint, `${merge}/notes?order_by=created_at&sort=asc`);
      return notes.filter((note) => memberOf(note, 'system') !== true).map(noteOf);
    },
    create: async (body) => {
      const question = { method: 'POST', path: `${merge}/notes`, body: { body }, accepts: [201] } as const;
      return noteOf((await ask(endpoint, question)).json);
    },
    update: async (id, body) => {
      const path = `${merge}/notes/${id}`;
      const { status, json } = await ask(endpoint, { method: 'PUT', path, body: { body }, accepts: [200, 404] });
      return status === 404 ? null : noteOf(json);
    },
    remove: async (id) => {
      await ask(endpoint, { method: 'DELETE', path: `${merge}/notes/${id}`, accepts: [204, 404] });
    },
    label: async (wanted, given) => {
      const gone = given.filter((label) => label !== wanted).join(',');
      const body = { remove_labels: gone, ...(wanted === null ? {} : { add_labels: wanted }) };
      await ask(endpoint, { method: 'PUT', path: merge, body, accepts: [200] });
    },
  };
}

function noteOf(json: Json): Comment {
  const id = numberAt(json, 'id');
  if (id === null) throw new UsageError('GitLab answered with a note that has no id');
  const author = numberAt(json, 'author', 'id');
  return { id, body: textAt(json, 'body') ?? '', author: author === null ? null : String(author), url: null };
}

/** The merge request of a commit, or null; of several, the one that was merged as this commit. */
export async function gitlabRequestOf(endpoint: Endpoint, project: string, commit: string): Promise<number | null> {
  const path = `/projects/${encodeURIComponent(project)}/repository/commits/${encodeURIComponent(commit)}/merge_requests`;
  const found = await askAll(endpoint, path);
  const names = ['merge_commit_sha', 'squash_commit_sha'];
  const merged = found.find((merge) => names.some((name) => textAt(merge, name) === commit));
  return numberAt(merged ?? (found.length === 1 ? found[0] : undefined), 'iid');
}
