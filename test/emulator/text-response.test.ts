import { expect, test } from 'vitest';
import { textAtHand, textResponse } from '../../src/emulator/text-response.ts';

const HEADERS = { 'content-type': 'application/json', 'x-any': 'thing' };
const TEXT = '{"name":"Ł"}';
const made = () => textResponse(TEXT, 201, HEADERS);

test('A response is a Response, with its status and headers', () => {
  const response = made();
  expect(response).toBeInstanceOf(Response);
  expect([response.status, response.ok, response.type, response.redirected]).toEqual([201, true, 'default', false]);
  expect(Object.fromEntries(response.headers)).toEqual(HEADERS);
});

test('Its body is read in every way there is', async () => {
  const bytes = new TextEncoder().encode(TEXT);
  expect(await made().text()).toBe(TEXT);
  expect(await made().json()).toEqual({ name: 'Ł' });
  expect(new Uint8Array(await made().arrayBuffer())).toEqual(bytes);
  const blob = await made().blob();
  expect([blob.type, await blob.text()]).toEqual(['application/json', TEXT]);
  expect(await new Response(made().body).text()).toBe(TEXT);
  expect(await made().clone().text()).toBe(TEXT);
});

test('It is read once, like any Response', async () => {
  const response = made();
  expect(response.bodyUsed).toBe(false);
  await response.text();
  expect(response.bodyUsed).toBe(true);
  await expect(response.text()).rejects.toThrow(TypeError);
  expect(() => response.clone()).toThrow(TypeError);
});

test('Its text is at hand until somebody has begun to read it', () => {
  const response = made();
  expect(textAtHand(response)).toBe(TEXT);
  response.clone();
  expect(textAtHand(response)).toBeUndefined();
  expect(textAtHand(new Response(TEXT))).toBeUndefined();
});

test('Without a text there is no body', async () => {
  const response = textResponse(null, 200, HEADERS);
  expect([response.body, await response.text(), textAtHand(response)]).toEqual([null, '', undefined]);
});
