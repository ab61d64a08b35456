import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError, type WebhookOptions } from '.';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body = JSON.stringify({
  type: 'webhook.test',
  timestamp: '2026-11-20T12:00:07.000Z',
  data: { wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', message: 'Café 🎉' },
});
const id = 'msg_0198f3a27c5e7d419a553f0e2c1b4a6d';
const sentMs = 1_795_176_007_000;

/** Returns headers that the official library has signed. */
const headersOf = (signedBody = body, by = secret, timestamp = sentMs): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp / 1_000),
  'webhook-signature': new Webhook(by).sign(id, new Date(timestamp), signedBody),
});
const at = (secondsLater: number): WebhookOptions => ({ now: () => sentMs + secondsLater * 1_000 });
const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'verified',
    (error: WebhookVerificationError) => error.reason,
  );

describe('verifyWebhook', () => {
  it.each<[string, string | Uint8Array | ArrayBuffer]>([
    ['text', body],
    ['a Buffer', Buffer.from(body)],
    ['an ArrayBuffer', new Uint8Array(Buffer.from(body)).buffer],
  ])('returns the message and its id for a body as %s', async (_form, raw) => {
    const message = await verifyWebhook(raw, headersOf(), secret, at(1));
    expect(message).toEqual({ ...JSON.parse(body), id });
    // The type of the message determines the type of the data.
    if (message.type === 'webhook.test') expect(message.data.message).toBe('Café 🎉');
  });

  it.each<[string, Parameters<typeof verifyWebhook>[1]]>([
    ['fetch', new Headers(headersOf())],
    ['Node.js', headersOf() as Record<string, string | undefined>],
    [
      'an object with upper-case names',
      Object.fromEntries(Object.entries(headersOf()).map(([k, v]) => [k.toUpperCase(), v])),
    ],
  ])('reads the headers of %s', async (_form, headers) => {
    expect(await reasonOf(verifyWebhook(body, headers, secret, at(0)))).toBe('verified');
  });

  it('verifies the published example of Standard Webhooks', async () => {
    const example = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const given = verifyWebhook('{"test": 2432232314}', example, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
      now: () => 1_614_265_330_000,
    });
    // The signature is valid, but the message is not from this API.
    expect(await reasonOf(given)).toBe('body_not_json');
  });

  it('accepts one valid signature among several, and one valid secret among several', async () => {
    const both = headersOf();
    both['webhook-signature'] = `v1,${'A'.repeat(43)}= v1a,x ${both['webhook-signature']}`;
    expect(await reasonOf(verifyWebhook(body, both, [other, secret], at(0)))).toBe('verified');
  });

  it.each<[string, Partial<Record<string, string>>, string]>([
    ['another id', { 'webhook-id': 'msg_2' }, 'signature_mismatch'],
    ['another time', { 'webhook-timestamp': String(sentMs / 1_000 + 1) }, 'signature_mismatch'],
    [
      'another version',
      { 'webhook-signature': headersOf()['webhook-signature']!.replace('v1,', 'v2,') },
      'signature_mismatch',
    ],
    ['no signature in it', { 'webhook-signature': 'v1,' }, 'signature_mismatch'],
    ['a signature that is not base64', { 'webhook-signature': 'v1,%%%' }, 'signature_mismatch'],
    ['no id', { 'webhook-id': '' }, 'header_missing'],
    ['no signature', { 'webhook-signature': '' }, 'header_missing'],
    ['a time in words', { 'webhook-timestamp': 'today' }, 'timestamp_invalid'],
    ['a fraction as time', { 'webhook-timestamp': '1795176007.5' }, 'timestamp_invalid'],
  ])('rejects a message with %s', async (_case, changed, reason) => {
    const headers = { ...headersOf(), ...changed } as Record<string, string>;
    expect(await reasonOf(verifyWebhook(body, headers, secret, at(0)))).toBe(reason);
  });

  it('rejects a changed body, another secret and repeated headers', async () => {
    expect(await reasonOf(verifyWebhook(`${body} `, headersOf(), secret, at(0)))).toBe('signature_mismatch');
    expect(await reasonOf(verifyWebhook(body, headersOf(body, other), secret, at(0)))).toBe(
      'signature_mismatch',
    );
    const repeated = { ...headersOf(), 'webhook-id': [id, id] };
    expect(await reasonOf(verifyWebhook(body, repeated, secret, at(0)))).toBe('header_missing');
  });

  it.each<[number, string]>([
    [300, 'verified'],
    [301, 'timestamp_too_old'],
    [-300, 'verified'],
    [-301, 'timestamp_too_new'],
  ])('returns for a message from %d seconds ago: %s', async (seconds, outcome) => {
    expect(await reasonOf(verifyWebhook(body, headersOf(), secret, at(seconds)))).toBe(outcome);
  });

  it('applies a custom tolerance', async () => {
    const options = { ...at(61), toleranceSeconds: 60 };
    expect(await reasonOf(verifyWebhook(body, headersOf(), secret, options))).toBe('timestamp_too_old');
  });

  it('rejects a signed body that is not a message', async () => {
    for (const text of ['no json', '[]', 'null'])
      expect(await reasonOf(verifyWebhook(text, headersOf(text), secret, at(0)))).toBe('body_not_json');
  });

  it('rejects an invalid secret before it reads the message', async () => {
    await expect(verifyWebhook(body, headersOf(), 'whsec_%%', at(0))).rejects.toThrow(TypeError);
    await expect(verifyWebhook(body, headersOf(), '', at(0))).rejects.toThrow(TypeError);
  });
});
