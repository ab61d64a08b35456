import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { hasToken, isReloadlySigned, isStandardSigned, isTwilioSigned } from './signatures';

const nowMs = Date.UTC(2026, 10, 22, 12);
const minute = 60_000;
const token = undefined;

describe('isStandardSigned', () => {
  const secret = `whsec_${Buffer.from('a key of twenty-four byte').toString('base64')}`;
  const body = Buffer.from('{"type":"a","name":"Grüße"}');
  const headersAt = (ms: number, prefix = 'svix', key = secret) => ({
    [`${prefix}-id`]: 'msg_1',
    [`${prefix}-timestamp`]: String(Math.floor(ms / 1_000)),
    [`${prefix}-signature`]: new Webhook(key).sign('msg_1', new Date(ms), body.toString()),
  });
  const check = (headers: Record<string, string>, changes: { body?: Buffer; prefix?: 'webhook' } = {}) =>
    isStandardSigned(changes.prefix ?? 'svix', secret, { body: changes.body ?? body, headers, token }, nowMs);

  it('accepts signatures of the reference library with both prefixes', () => {
    expect(check(headersAt(nowMs))).toBe(true);
    expect(check(headersAt(nowMs, 'webhook'), { prefix: 'webhook' })).toBe(true);
    const good = headersAt(nowMs);
    const both = { ...good, 'svix-signature': `v1,AAAA v2,x ${good['svix-signature']}` };
    expect(check(both)).toBe(true);
  });

  it('rejects a changed, foreign, old or missing signature', () => {
    const good = headersAt(nowMs);
    expect(check(good, { body: Buffer.from('{}') })).toBe(false);
    expect(check({ ...good, 'svix-id': 'msg_2' })).toBe(false);
    expect(check(headersAt(nowMs, 'svix', `whsec_${Buffer.from('another').toString('base64')}`))).toBe(false);
    expect(check(headersAt(nowMs, 'webhook'))).toBe(false);
    expect(check({})).toBe(false);
    expect(check({ ...good, 'svix-timestamp': 'NaN' })).toBe(false);
    for (const agoMs of [5 * minute + 1_000, -5 * minute - 1_000])
      expect(check(headersAt(nowMs - agoMs))).toBe(false);
    for (const agoMs of [4 * minute, -4 * minute]) expect(check(headersAt(nowMs - agoMs))).toBe(true);
  });

  it('limits the number of signatures', () => {
    const good = headersAt(nowMs);
    const many = `${'v1,AAAA '.repeat(8)}${good['svix-signature']}`;
    expect(check({ ...good, 'svix-signature': many })).toBe(false);
  });
});

describe('isReloadlySigned', () => {
  const secret = 'a-secret-of-reloadly';
  const body = Buffer.from('{"type":"giftcard_transaction.status"}');
  const signed = (timestamp: string, of = body) => ({
    'x-reloadly-request-timestamp': timestamp,
    'x-reloadly-signature': createHmac('sha256', secret)
      .update(`${of.toString()}:${timestamp}`)
      .digest('hex'),
  });
  const check = (headers: Record<string, string>) =>
    isReloadlySigned(secret, { body, headers, token }, nowMs);

  it('accepts timestamps in seconds and milliseconds', () => {
    expect(check(signed(String(nowMs / 1_000)))).toBe(true);
    expect(check(signed(String(nowMs)))).toBe(true);
  });

  it('rejects a changed, old or missing signature', () => {
    expect(check(signed(String(nowMs / 1_000), Buffer.from('{}')))).toBe(false);
    expect(check(signed(String(nowMs / 1_000 - 301)))).toBe(false);
    expect(check({ ...signed(String(nowMs / 1_000)), 'x-reloadly-request-timestamp': '1' })).toBe(false);
    expect(check({ ...signed('now') })).toBe(false);
    expect(check({})).toBe(false);
  });
});

describe('isTwilioSigned', () => {
  const [authToken, url] = ['an-auth-token', 'https://api.example.com/hooks/twilio'];
  const form = { To: '+447400123456', MessageSid: 'SM1', Body: 'Grüße & more=1', A: '' };
  const body = Buffer.from(String(new URLSearchParams(form)));
  const signature = getExpectedTwilioSignature(authToken, url, form);
  const check = (changes: { body?: Buffer; url?: string; signature?: string } = {}) =>
    isTwilioSigned(authToken, changes.url ?? url, {
      body: changes.body ?? body,
      headers: { 'x-twilio-signature': changes.signature ?? signature },
    });

  it('accepts signatures of the official library', () => {
    expect(check()).toBe(true);
    const twice = Buffer.from('To=b&To=a&To=b');
    const own = getExpectedTwilioSignature(authToken, url, { To: ['b', 'a', 'b'] });
    expect(check({ body: twice, signature: own })).toBe(true);
  });

  it('rejects a signature of another form or URL, and a missing signature', () => {
    expect(check({ body: Buffer.from(String(new URLSearchParams({ ...form, To: '+1' }))) })).toBe(false);
    expect(check({ url: `${url}?a=1` })).toBe(false);
    expect(check({ signature: '' })).toBe(false);
  });
});

it('hasToken accepts only the exact token', () => {
  expect(hasToken('a-token-of-24-characters', { token: 'a-token-of-24-characters' })).toBe(true);
  for (const given of [undefined, '', 'a-token-of-24-character', 'A-token-of-24-characters'])
    expect(hasToken('a-token-of-24-characters', { token: given })).toBe(false);
});
