// A target whose certificate nobody here trusts, and how the command line says so.

import { expect, test } from 'vitest';
import { TLS_FILES } from '../certificates/tls.ts';
import { chatform, folder, project, spawned, start } from './chatform.ts';

test('An untrusted certificate ends an apply at once, with what would make it trusted, and then it is', async () => {
  const cwd = await folder(project());
  const emulator = start(['emulate', '--port', '0', '--tls-cert', TLS_FILES.cert, '--tls-key', TLS_FILES.key], { cwd });
  const url = /https:\/\/\S+/.exec(await emulator.says('stdout', 'https://'))?.[0] ?? '';
  const env = { CHATFORM_TOKEN: 'dal:token' };
  const run = ['apply', '--yes', '--base-url', url];
  const { code, stdout, stderr } = await chatform([...run, '--log-level', 'info'], { cwd, env });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('NODE_EXTRA_CA_CERTS');
  expect(stderr).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  expect(stderr).not.toMatch(/trying again|attempt=2/);
  const trusting = await spawned(run, { cwd, env: { ...env, NODE_EXTRA_CA_CERTS: TLS_FILES.cert } });
  expect([trusting.code, trusting.stdout]).toEqual([0, expect.stringContaining('Apply complete.')]);
});
