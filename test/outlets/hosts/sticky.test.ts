// The one comment of a target, on a host in memory: what no fake of a real host can be made to do in one go.

import { expect, test } from 'vitest';
import { keyOf, marked, publish } from '../../../src/features/ci/sticky.ts';
import type { Comment, Host } from '../../../src/outlets/hosts/host.ts';

const claim = (run: number) =>
  ({ key: keyOf('page'), run, attempt: 1, commit: 'a'.repeat(40), state: 'plan' }) as const;

/** `self` is what the token says of itself, `writer` as whom it writes. */
function hostOf(
  comments: Comment[],
  who: { readonly self: string; readonly writer: string },
  more: Partial<Host> = {},
) {
  const host: Host = {
    self: async () => who.self,
    current: async () => [],
    comments: async () => [...comments],
    create: async (body) => {
      const made = { id: 10 + comments.length, body, author: who.writer, url: null };
      comments.push(made);
      return made;
    },
    update: async (id, body) => {
      const index = comments.findIndex((each) => each.id === id);
      const found = comments[index];
      if (found === undefined) return null;
      const written = { ...found, body };
      comments[index] = written;
      return written;
    },
    remove: async (id) => {
      comments.splice(0, comments.length, ...comments.filter((each) => each.id !== id));
    },
    label: async () => {},
    ...more,
  };
  return host;
}

test('A token that writes as somebody else than it could tell finds its comment all the same', async () => {
  const comments: Comment[] = [];
  const host = hostOf(comments, { self: 'github-actions[bot]', writer: 'my-app[bot]' });
  expect(await publish(host, claim(1), 'one')).toMatchObject({ outcome: 'created' });
  expect(await publish(host, claim(2), 'two')).toMatchObject({ outcome: 'updated' });
  expect(comments).toMatchObject([{ id: 10, body: marked(claim(2), 'two') }]);
  expect(await publish(host, claim(1), 'one')).toMatchObject({ outcome: 'late' });
  expect(comments).toMatchObject([{ id: 10, body: marked(claim(2), 'two') }]);
});

test('A comment that is listed and can never be written is an error that says so', async () => {
  const there = [{ id: 1, body: marked(claim(1), 'one'), author: 'me', url: null }];
  const host = hostOf(there, { self: 'me', writer: 'me' }, { update: async () => null });
  await expect(publish(host, claim(2), 'two')).rejects.toThrow(/delete it, or check/);
});
