import { createHmac } from 'node:crypto';
import {
  CallRejectedError,
  developmentDirectory,
  developmentIdentity,
  developmentIdentitySecret,
  identityPublicKey,
  readIdentityDirectory,
  ServiceIdentity,
  type SealContext,
  type SignedCall,
} from './service-identity';

const nowMs = 1_795_500_000_000;
const hourMs = 3_600_000;

const call: SignedCall = {
  subject: 'op.merchant.keys.delete-key',
  fields: 'request-1\0trace\0wallet:0xabc\0\0\x000',
  body: Buffer.from('{"id":"1"}'),
};

const sealed: SealContext = { subject: call.subject, reply: '_INBOX.gateway.1' };

let clockMs: number;
const now = () => clockMs;
const gateway = developmentIdentity('gateway', now);
const merchant = developmentIdentity('merchant', now);
const stream = developmentIdentity('stream', now);

beforeEach(() => {
  clockMs = nowMs;
});

function rejectionOf(verify: () => unknown): string {
  try {
    verify();
  } catch (error) {
    if (error instanceof CallRejectedError) return error.reason;
    throw error;
  }
  return 'accepted';
}

describe('ServiceIdentity', () => {
  it('verifies a call that the gateway signed for this app, and returns the caller', () => {
    expect(merchant.verify(gateway.sign('merchant', call), call)).toBe('gateway');
  });

  it.each<[string, Partial<SignedCall>]>([
    ['subject', { subject: 'op.merchant.keys.list-keys' }],
    ['principal', { fields: call.fields.replace('0xabc', '0xdef') }],
    ['body', { body: Buffer.from('{"id":"2"}') }],
    ['empty body', { body: Buffer.alloc(0) }],
  ])('rejects a signature of another %s', (_part, change) => {
    const signature = gateway.sign('merchant', call);
    expect(rejectionOf(() => merchant.verify(signature, { ...call, ...change }))).toBe('forged');
  });

  it('rejects bytes that were shifted from the fields to the body', () => {
    const signature = gateway.sign('merchant', call);
    const moved = { ...call, fields: call.fields.slice(0, -1), body: Buffer.from(`0\0${String(call.body)}`) };
    expect(rejectionOf(() => merchant.verify(signature, moved))).toBe('forged');
  });

  it('rejects a call that was signed for another app', () => {
    expect(rejectionOf(() => merchant.verify(gateway.sign('stream', call), call))).toBe('unknownKey');
  });

  it('rejects a call that one app signed with the name of another', () => {
    const parts = stream.sign('merchant', call).split('.');
    const named = parts.with(1, 'gateway').join('.');
    expect(rejectionOf(() => merchant.verify(named, call))).toBe('unknownKey');
    const keyed = parts.with(1, 'gateway').with(2, gateway.sign('merchant', call).split('.')[2]!).join('.');
    expect(rejectionOf(() => merchant.verify(keyed, call))).toBe('forged');
  });

  it('rejects a call between two other apps that an app signs with its own keys', () => {
    // The receiver of a call can derive only the key of that direction. It cannot sign as the caller for a third app.
    const signature = gateway.sign('merchant', call);
    expect(rejectionOf(() => stream.verify(signature, call))).toBe('unknownKey');
    expect(rejectionOf(() => gateway.verify(signature, call))).toBe('unknownKey');
  });

  it.each([
    ['', 'unsigned'],
    ['x', 'malformed'],
    ['v2.gateway.a.b.c.d', 'malformed'],
    ['v1.gateway.a.b.c', 'malformed'],
    ['v1.gateway.a.b.c.d.e', 'malformed'],
    ['v1.absent.a.b.c.d', 'unknownKey'],
    ['v1.__proto__.a.b.c.d', 'unknownKey'],
  ])('rejects the signature %j', (signature, reason) => {
    expect(rejectionOf(() => merchant.verify(signature, call))).toBe(reason);
  });

  it.each(['', '!', 'NaN', '-1', 'zzzzzzzzzzzzzzzz'])('rejects a signature with the time %j', (issuedAt) => {
    const signature = gateway.sign('merchant', call).split('.').with(4, issuedAt).join('.');
    expect(rejectionOf(() => merchant.verify(signature, call))).toBe('expired');
  });

  it('rejects a truncated, extended or missing MAC', () => {
    const signature = gateway.sign('merchant', call);
    const body = signature.slice(0, signature.lastIndexOf('.') + 1);
    for (const changed of [body, signature.slice(0, -3), `${signature}AA`])
      expect(rejectionOf(() => merchant.verify(changed, call))).toBe('forged');
  });

  it('rejects a signature that is older or newer than a minute', () => {
    const signature = gateway.sign('merchant', call);
    clockMs = nowMs + 60_000;
    expect(merchant.verify(signature, call)).toBe('gateway');
    clockMs = nowMs + 60_001;
    expect(rejectionOf(() => merchant.verify(signature, call))).toBe('expired');
    clockMs = nowMs - 60_001;
    expect(rejectionOf(() => merchant.verify(signature, call))).toBe('expired');
  });

  it('accepts a call that was signed before the hour of its derived key ended', () => {
    clockMs = Math.ceil(nowMs / hourMs) * hourMs - 1;
    const signature = gateway.sign('merchant', call);
    clockMs += 1_000;
    expect(merchant.verify(signature, call)).toBe('gateway');
    expect(merchant.verify(gateway.sign('merchant', call), call)).toBe('gateway');
  });

  it('derives another key each hour', () => {
    const mac = (text: string) => text.split('.')[5];
    const first = gateway.sign('merchant', call);
    clockMs += hourMs;
    const later = gateway.sign('merchant', call);
    clockMs = nowMs;
    // The signature covers the time too, so the test replaces the time by that of the first signature.
    const mixed = later.split('.').with(4, first.split('.')[4]!).join('.');
    expect(mac(mixed)).not.toBe(mac(first));
    expect(rejectionOf(() => merchant.verify(mixed, call))).toBe('forged');
  });

  it('rejects a signature that was derived from the public keys', () => {
    const signature = gateway.sign('merchant', call).split('.');
    const guess = createHmac('sha256', developmentDirectory('merchant')[0]!)
      .update(`${call.subject}\0${signature[4]}\0${call.fields}\0`)
      .update(call.body)
      .digest()
      .subarray(0, 16)
      .toString('base64url');
    expect(rejectionOf(() => merchant.verify(signature.with(5, guess).join('.'), call))).toBe('forged');
  });
});

describe('ServiceIdentity during a rotation of a secret', () => {
  const [oldSecret, newSecret] = [`old-${'x'.repeat(40)}`, `new-${'x'.repeat(40)}`];
  const oldKey = identityPublicKey(oldSecret);
  const newKey = identityPublicKey(newSecret);
  const directoryWith = (keys: readonly string[]) => (app: string) =>
    app === 'merchant' ? keys : developmentDirectory(app);
  const callers = (keys: readonly string[]) =>
    new ServiceIdentity('gateway', [developmentIdentitySecret('gateway')], directoryWith(keys), now);
  const merchantWith = (secrets: string[], keys: readonly string[]) =>
    new ServiceIdentity('merchant', secrets, directoryWith(keys), now);

  it('accepts calls at every step, in any order of restarts', () => {
    // The steps of docs/guides: the directory lists both keys, the app receives both secrets, and the old key
    // is removed.
    const steps: [ServiceIdentity, ServiceIdentity][] = [
      [callers([oldKey]), merchantWith([oldSecret], [oldKey, newKey])],
      [callers([oldKey, newKey]), merchantWith([oldSecret], [oldKey])],
      [callers([oldKey, newKey]), merchantWith([newSecret, oldSecret], [oldKey, newKey])],
      [callers([newKey, oldKey]), merchantWith([newSecret, oldSecret], [newKey, oldKey])],
      [callers([newKey]), merchantWith([newSecret, oldSecret], [newKey, oldKey])],
    ];
    for (const [from, to] of steps) {
      expect(to.verify(from.sign('merchant', call), call)).toBe('gateway');
      expect(from.verify(to.sign('gateway', call), call)).toBe('merchant');
      const sealedCall = from.seal('sealed-call', 'merchant', sealed, call.body);
      expect(to.open('sealed-call', 'gateway', sealed, sealedCall)).toEqual(call.body);
      const sealedReply = to.seal('sealed-reply', 'gateway', sealed, call.body);
      expect(from.open('sealed-reply', 'merchant', sealed, sealedReply)).toEqual(call.body);
    }
  });

  it('rejects calls signed with an old key that was removed from the directory', () => {
    const old = merchantWith([oldSecret], [oldKey]).sign('gateway', call);
    expect(rejectionOf(() => callers([newKey]).verify(old, call))).toBe('unknownKey');
  });
});

describe('ServiceIdentity.seal', () => {
  const seal = (body: Uint8Array = call.body) => gateway.seal('sealed-call', 'merchant', sealed, body);

  it.each([0, 1, 1_000_000])('encrypts %i bytes for the receiver, differently each time', (length) => {
    const body = Buffer.alloc(length, 'secret');
    const [first, second] = [seal(body), seal(body)];
    expect(merchant.open('sealed-call', 'gateway', sealed, first)).toEqual(body);
    expect(first.body).toHaveLength(length + 28);
    expect(first.body).not.toEqual(second.body);
  });

  it('rejects a seal for another receiver', () => {
    expect(rejectionOf(() => stream.open('sealed-call', 'gateway', sealed, seal()))).toBe('unknownKey');
    expect(rejectionOf(() => gateway.open('sealed-call', 'gateway', sealed, seal()))).toBe('unknownKey');
  });

  it('rejects a seal with any bit changed, in the body or in the header', () => {
    const { seal: header, body } = seal();
    for (let bit = 0; bit < body.length * 8; bit++) {
      const changed = Buffer.from(body);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const open = () => merchant.open('sealed-call', 'gateway', sealed, { seal: header, body: changed });
      expect(rejectionOf(open)).toBe('forged');
    }
    const later = header
      .split('.')
      .with(4, (nowMs + 1).toString(36))
      .join('.');
    expect(rejectionOf(() => merchant.open('sealed-call', 'gateway', sealed, { seal: later, body }))).toBe(
      'forged',
    );
  });

  it('rejects a seal for the opposite direction, or for another operation, call or failure', () => {
    const contexts: SealContext[] = [
      { ...sealed, subject: 'op.merchant.keys.list-keys' },
      { ...sealed, reply: '_INBOX.gateway.2' },
      { ...sealed, failure: 'CONFLICT' },
      { subject: sealed.subject + '\0' + sealed.reply, reply: '' },
    ];
    for (const context of contexts)
      expect(rejectionOf(() => merchant.open('sealed-call', 'gateway', context, seal()))).toBe('forged');
    expect(rejectionOf(() => merchant.open('sealed-reply', 'gateway', sealed, seal()))).toBe('forged');
  });

  it.each([
    ['', 'unsealed'],
    ['v1.gateway', 'malformed'],
    ['v2.gateway.a.b.c', 'malformed'],
    ['v1.gateway.a.b.-1', 'malformed'],
    [`v1.gateway.a.b.${'z'.repeat(11)}`, 'malformed'],
    ['v1.gateway.a.b.c.d', 'malformed'],
    ['v1.gateway.a.b.c', 'unknownKey'],
  ])('rejects the header "%s"', (header, reason) => {
    const open = () => merchant.open('sealed-call', 'gateway', sealed, { ...seal(), seal: header });
    expect(rejectionOf(open)).toBe(reason);
  });
});

describe('ServiceIdentity configuration', () => {
  it('rejects a short secret, three secrets, and a secret that does not match the directory', () => {
    expect(() => identityPublicKey('short')).toThrow('at least 32 characters');
    const secret = developmentIdentitySecret('merchant');
    const make = (secrets: string[]) => () => new ServiceIdentity('merchant', secrets, developmentDirectory);
    expect(make([])).toThrow('one or 2');
    expect(make([secret, secret, secret])).toThrow('one or 2');
    expect(make(['x'.repeat(32)])).toThrow('does not list the key');
  });

  it('throws on signing for an app that the directory does not list', () => {
    const directory = (app: string) => (app === 'unknown' ? [] : developmentDirectory(app));
    const identity = new ServiceIdentity('gateway', [developmentIdentitySecret('gateway')], directory);
    expect(() => identity.sign('unknown', call)).toThrow('does not list unknown');
  });

  const key = developmentDirectory('gateway')[0]!;
  it('reads a directory of one or two keys for each app', () => {
    const directory = readIdentityDirectory(JSON.stringify({ gateway: [key], merchant: [key, key] }));
    expect([directory('gateway'), directory('merchant'), directory('stream')]).toEqual([
      [key],
      [key, key],
      [],
    ]);
    expect(directory('__proto__')).toEqual([]);
  });

  it.each([
    ['[]', 'must be an object'],
    ['null', 'must be an object'],
    ['{"gateway": []}', 'for gateway'],
    ['{"gateway": ["x"]}', 'for gateway'],
    [`{"gateway": "${key}"}`, 'for gateway'],
    [`{"gateway": ["${key}", "${key}", "${key}"]}`, 'for gateway'],
    ['{', 'JSON'],
  ])('rejects the directory %s', (json, message) => {
    expect(() => readIdentityDirectory(json)).toThrow(message);
  });
});

describe('ServiceIdentity.signEvent', () => {
  const event: SignedCall = {
    subject: 'events.gateway.key-used.v1',
    fields: '',
    body: Buffer.from('{"id":"1","aggregateVersion":1,"data":{"amount":"1"}}'),
  };
  const signed = (of: SignedCall = event) => gateway.signEvent('merchant', of);

  it('creates a signature that its receiver can verify after days and in another hour', () => {
    const signature = signed();
    clockMs = nowMs + 90 * 24 * hourMs;
    gateway.signEvent('merchant', event);
    expect(merchant.rejectionOf(signature, 'gateway', event)).toBeUndefined();
  });

  it.each<[string, Partial<SignedCall>]>([
    ['subject', { subject: 'events.gateway.key-deleted.v1' }],
    ['trace', { fields: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }],
    ['id', { body: Buffer.from('{"id":"2","aggregateVersion":1,"data":{"amount":"1"}}') }],
    ['version', { body: Buffer.from('{"id":"1","aggregateVersion":2,"data":{"amount":"1"}}') }],
    ['amount', { body: Buffer.from('{"id":"1","aggregateVersion":1,"data":{"amount":"9"}}') }],
  ])('rejects an event with another %s', (_part, change) => {
    expect(merchant.rejectionOf(signed(), 'gateway', { ...event, ...change })).toBe('forged');
  });

  it('rejects an event that another app signed, regardless of the stated name', () => {
    const byStream = stream.signEvent('merchant', event);
    expect(merchant.rejectionOf(byStream, 'gateway', event)).toBe('notOfPublisher');
    const renamed = byStream.replace('.stream.', '.gateway.');
    expect(merchant.rejectionOf(renamed, 'gateway', event)).toBe('unknownKey');
    const [, , streamKey, ...rest] = byStream.split('.');
    expect(streamKey).toBeDefined();
    const withKeyOfGateway = ['v1', 'gateway', signed().split('.')[2], ...rest].join('.');
    expect(merchant.rejectionOf(withKeyOfGateway, 'gateway', event)).toBe('forged');
  });

  it('rejects a signature for another receiver, and the signature of a call', () => {
    expect(stream.rejectionOf(signed(), 'gateway', event)).toBe('unknownKey');
    expect(merchant.rejectionOf(gateway.sign('merchant', event), 'gateway', event)).toBe('forged');
    expect(rejectionOf(() => merchant.verify(signed(call), call))).toBe('forged');
  });

  it.each([
    ['', 'unsigned'],
    ['v1.gateway', 'malformed'],
    ['v2.gateway.a.b.c.d', 'malformed'],
    ['v1.gateway.a.b.-1.d', 'malformed'],
    [`v1.gateway.a.b.${'z'.repeat(11)}.d`, 'malformed'],
    ['v1.gateway.a.b.c.d', 'unknownKey'],
  ])('rejects the signature "%s"', (signature, reason) => {
    expect(merchant.rejectionOf(signature, 'gateway', event)).toBe(reason);
  });

  it('verifies while both keys of a rotation are listed, and not after the old one is removed', () => {
    const [old, next] = [`old-${'x'.repeat(40)}`, `new-${'x'.repeat(40)}`].map((secret) => secret);
    const both = [old!, next!].map(identityPublicKey);
    const listed = (keys: readonly string[]) => (app: string) =>
      app === 'gateway' ? keys : developmentDirectory(app);
    const publisher = new ServiceIdentity('gateway', [old!], listed(both), now);
    const signature = publisher.signEvent('merchant', event);
    const reader = (keys: readonly string[]) =>
      new ServiceIdentity('merchant', [developmentIdentitySecret('merchant')], listed(keys), now);
    expect(reader(both).rejectionOf(signature, 'gateway', event)).toBeUndefined();
    expect(reader(both.slice(1)).rejectionOf(signature, 'gateway', event)).toBe('unknownKey');
  });

  it('limits the cache of keys that are derived for untrusted events', () => {
    const keys = (merchant as unknown as { sharedKeys: Map<string, unknown> }).sharedKeys;
    const [version, signer, own, peer] = signed().split('.');
    for (let hour = 0; hour < 1_000; hour++) {
      const issuedAt = (nowMs - hour * hourMs).toString(36);
      const forged = [version, signer, own, peer, issuedAt, 'x'.repeat(22)].join('.');
      expect(merchant.rejectionOf(forged, 'gateway', event)).toBe('forged');
    }
    expect(keys.size).toBeLessThanOrEqual(512);
    expect(merchant.rejectionOf(signed(), 'gateway', event)).toBeUndefined();
  });
});
