import { DomainError } from '@tollbridge/rpc';
import { ProviderError } from '@tollbridge/http';
import { startHttpServer, type HttpReply, type HttpServer } from '@tollbridge/testing';
import { FiveSim } from './fivesim/fivesim';
import type { VirtualNumbers } from './numbers/virtual-numbers';
import { SmsActivate } from './sms-activate/sms-activate';
import { Twilio } from './twilio/twilio';

const key = 'a-secret-key-1234567890';
const sid = `AC${'0'.repeat(32)}`;
const wish = { service: 'tg', country: 'GB' } as const;

let server: HttpServer;
let reply: HttpReply;
beforeAll(async () => {
  server = await startHttpServer(() => reply);
});
afterAll(() => server.close());
beforeEach(() => void (server.requests.length = 0));

const numbers = (): [string, VirtualNumbers][] => [
  ['sms-activate', new SmsActivate({ url: `${server.url}/stubs/handler_api.php`, key })],
  ['5sim', new FiveSim({ url: `${server.url}/v1`, key })],
];
const twilio = () => new Twilio({ url: server.url, accountSid: sid, authToken: key, from: '+15005550006' });

async function failureOf(call: Promise<unknown>): Promise<Error> {
  const error = await call.then(
    (value) => new Error(`it answered ${JSON.stringify(value)}`),
    (thrown: Error) => thrown,
  );
  // No error contains the key or the address in any form that a log could show.
  const shown = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
  for (const secret of [key, server.url, Buffer.from(`${sid}:${key}`).toString('base64')])
    expect(shown).not.toContain(secret);
  return error;
}
const kindOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await failureOf(call);
  if (error instanceof ProviderError) return error.kind;
  return error instanceof DomainError ? error.code : error.message;
};

describe.each<[string, HttpReply, string, string]>([
  ['500', { status: 500, body: `failed for ${key}` }, 'unknownOutcome', 'unavailable'],
  ['429', { status: 429, headers: { 'retry-after': '3' } }, 'rateLimited', 'rateLimited'],
  ['a body that ends in the middle', { half: 'ACCESS_NUM' }, 'unknownOutcome', 'unavailable'],
  ['garbage', { body: `<html>${key}</html>` }, 'unknownOutcome', 'badReply'],
  ['an empty body', { body: '' }, 'unknownOutcome', 'badReply'],
  ['a body that is too large', { body: 'x'.repeat(5_000_000) }, 'unknownOutcome', 'badReply'],
])('A number provider that returns %s', (_name, given, ofPurchase, ofRead) => {
  it('leaves the outcome of a rental unknown', async () => {
    for (const [, provider] of numbers()) {
      reply = given;
      expect(await kindOf(provider.rent(wish, '1'))).toBe(ofPurchase);
    }
    expect(server.requests).toHaveLength(2);
  });

  it('makes a read fail', async () => {
    for (const [, provider] of numbers()) {
      reply = given;
      expect(await kindOf(provider.state('1'))).toBe(ofRead);
      expect(await kindOf(provider.active())).toBe(ofRead);
      expect(await kindOf(provider.cancel('1'))).toBe(ofRead);
    }
  });

  it('leaves the outcome of a message unknown', async () => {
    reply = given;
    expect(await kindOf(twilio().send({ to: '+447400123456', body: 'Hi' }, '1'))).toBe(ofPurchase);
    expect(server.requests).toHaveLength(1);
  });
});

it.each([
  ['ACCESS_NUMBER:12', 'unknownOutcome'],
  ['ACCESS_NUMBER:12:not a number', 'unknownOutcome'],
  ['ERROR_SQL', 'unknownOutcome'],
  ['BAD_KEY', 'unavailable'],
  ['BANNED:2030-01-01 00:00:00', 'unavailable'],
  ['CHANNELS_LIMIT', 'unavailable'],
  ['WRONG_MAX_PRICE:2.5', 'PURCHASE_REFUSED'],
  ['NO_NUMBERS', 'PURCHASE_REFUSED'],
  ['WRONG_SERVICE', 'VALIDATION_ERROR'],
  ['WRONG_COUNTRY', 'PURCHASE_REFUSED'],
])('sms-activate: converts %s to %s with any status', async (body, expected) => {
  const [, provider] = numbers()[0]!;
  for (const status of [200, 400]) {
    reply = { status, body };
    expect(await kindOf(provider.rent(wish, '1'))).toBe(expected);
  }
});

it('sms-activate: reads an early cancellation with status 400', async () => {
  reply = { status: 400, body: 'EARLY_CANCEL_DENIED' };
  await expect(numbers()[0]![1].cancel('1')).resolves.toBe('tooEarly');
});

it.each([
  ['STATUS_OK:482913', 'received'],
  // A process that stopped before it stored a cancellation repeats it: the number was returned and is not charged.
  ['STATUS_CANCEL', 'cancelled'],
  ['NO_ACTIVATION', 'gone'],
  ['STATUS_WAIT_CODE', 'tooEarly'],
])('sms-activate: a cancellation rejected in state %s is %s', async (status, expected) => {
  const before = server.answer;
  server.answer = ({ query }) => ({ body: query.get('action') === 'getStatus' ? status : 'BAD_STATUS' });
  await expect(numbers()[0]![1].cancel('1')).resolves.toBe(expected);
  server.answer = before;
});

it.each([
  ['no free phones', 200, 'PURCHASE_REFUSED'],
  ['not enough user balance', 400, 'unavailable'],
  ['bad country', 400, 'PURCHASE_REFUSED'],
  ['', 401, 'unavailable'],
])('5sim: converts %s with status %s', async (body, status, expected) => {
  reply = { status, body };
  expect(await kindOf(numbers()[1]![1].rent(wish, '1'))).toBe(expected);
});

it.each([
  [401, 20003, 'unavailable'],
  [400, 21606, 'unavailable'],
  [400, 21211, 'PURCHASE_REFUSED'],
  [400, 99999, 'rejected'],
])('Twilio: converts status %s with code %s to %s', async (status, code, expected) => {
  reply = { status, body: { code, message: `no: ${key}`, more_info: server.url, status } };
  expect(await kindOf(twilio().send({ to: '+447400123456', body: 'Hi' }, '1'))).toBe(expected);
});
