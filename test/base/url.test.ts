import { expect, test } from 'vitest';
import { isThisMachine } from '../../src/base/url.ts';

test.each([
  ['http://localhost/', true],
  ['https://LOCALHOST:8443/x', true],
  ['http://127.0.0.1:9/', true],
  ['http://127.255.0.1/', true],
  ['http://2130706433/', true],
  ['http://0x7f.1/', true],
  ['http://[::1]/', true],
  ['http://localhost.example/', false],
  ['http://example.localhost/', true],
  ['http://127.0.0.1.example/', false],
  ['http://128.0.0.1/', false],
  ['http://10.127.0.1/', false],
  ['http://0.0.0.0/', false],
  ['http://[::2]/', false],
  ['http://example.com/?localhost', false],
])('%s leads to this machine: %s', (url, expected) => {
  expect(isThisMachine(new URL(url))).toBe(expected);
});
