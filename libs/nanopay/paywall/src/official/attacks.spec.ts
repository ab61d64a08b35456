import { FakeFacilitator, officialHeaderFor, type OfficialChanges } from '../testing/fake-facilitator';
import { startOfficialShop, type OfficialShop } from '../testing/official-shop';
import { MemoryClaims } from './memory-claims';

const other = '0x3333333333333333333333333333333333333333';
const nonce = `0x${'ab'.repeat(32)}`;

let facilitator: FakeFacilitator;
const shops: OfficialShop[] = [];
beforeAll(async () => void (facilitator = await FakeFacilitator.start()));
afterAll(() => facilitator.close());
beforeEach(() => facilitator.reset());
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.stop();
});

async function open(
  ...options: Parameters<typeof startOfficialShop> extends [unknown, ...infer Rest] ? Rest : never
) {
  const shop = await startOfficialShop(facilitator, ...options);
  shops.push(shop);
  return shop;
}

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;
const upto: OfficialChanges['pick'] = ({ scheme }) => scheme === 'upto';

describe.each([
  ['exact', undefined],
  ['upto', upto],
] as const)('a payment by %s', (_scheme, pick) => {
  const headerOf = async (
    shop: OfficialShop,
    changes: OfficialChanges = {},
    path?: string,
    method?: string,
  ) => officialHeaderFor(await shop.required(path, method), { ...(pick ? { pick } : {}), ...changes });

  it.each([
    ['amount', { amount: '1' }],
    ['payTo', { payTo: other }],
    ['asset', { asset: other }],
    ['maxTimeoutSeconds', { maxTimeoutSeconds: 3_600 }],
    ['extra', { extra: { name: 'Other', version: '2' } }],
  ])('rejects an accepted offer with another %s', async (_field, accepted) => {
    const shop = await open();
    const reply = await shop.pay(await headerOf(shop, { accepted }));
    expect(reply.status).toBe(402);
    expect(await codeOf(reply)).toBe('invalid_payment_requirements');
    expect(facilitator.calls('verify')).toHaveLength(0);
    expect(shop.handler.calls).toBe(0);
  });

  it.each([
    ['scheme', { scheme: 'batch-settlement' }, 'unsupported_scheme'],
    ['network', { network: 'eip155:1' as const }, 'invalid_network'],
  ])('rejects an accepted offer of another %s', async (_field, accepted, reason) => {
    const shop = await open();
    const reply = await shop.pay(await headerOf(shop, { accepted }));
    expect([reply.status, await codeOf(reply)]).toEqual([402, reason]);
    expect(facilitator.calls('verify')).toHaveLength(0);
  });

  it.each([
    ['receiver', { to: other, witness: { to: other } }],
    ['amount', { value: '1', permitted: { token: other, amount: '1' } }],
    ['nonce', { nonce: '0x1' }],
    ['payer', { from: 'no address' }],
  ])('rejects a payment if its signed %s differs or is malformed', async (_field, authorization) => {
    const shop = await open();
    const reply = await shop.pay(await headerOf(shop, { authorization }));
    expect([reply.status, await codeOf(reply)]).toEqual([402, 'invalid_payload']);
    expect(facilitator.calls('verify')).toHaveLength(0);
  });

  it('cannot pay for another route, method or price', async () => {
    const shop = await open();
    const payment = await headerOf(shop);
    expect((await shop.pay(payment, '/other')).status).toBe(402);
    expect((await shop.pay(payment, '/sold?more=1')).status).toBe(402);
    expect((await shop.pay(payment, '/sold', 'POST')).status).toBe(402);
    expect((await shop.pay(payment, '/dear')).status).toBe(402);
    expect(shop.handler.calls).toBe(0);
    expect((await shop.pay(payment)).status).toBe(200);
  });

  it('buys one resource when the payment specifies none', async () => {
    const shop = await open();
    const payment = await headerOf(shop, { document: { resource: undefined } });
    const paths = ['/sold', '/other', '/sold', '/other'];
    const replies = await Promise.all(paths.map((path) => shop.pay(payment, path)));
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(2);
    expect(shop.handler.calls).toBe(1);
    expect(facilitator.transfers).toHaveLength(1);
  });

  it('returns its response to no client that copied the payment from the chain without its identifier', async () => {
    const shop = await open();
    const payment = JSON.parse(Buffer.from(await headerOf(shop), 'base64').toString()) as object;
    const named = (id?: string) => {
      const extensions = id === undefined ? {} : { 'payment-identifier': { info: { id } } };
      return Buffer.from(JSON.stringify({ ...payment, extensions })).toString('base64');
    };
    const own = named('pay_7d5d747be160e280');
    const paid = await shop.pay(own);
    const stored = await shop.pay(own);
    expect([paid.status, await stored.json()]).toEqual([200, await paid.json()]);
    for (const copy of [named(), named('pay_7d5d747be160e281')]) {
      const reply = await shop.pay(copy);
      expect([reply.status, await codeOf(reply)]).toEqual([409, 'payment_conflict']);
    }
  });

  it('buys one response at two processes without a shared store', async () => {
    const [first, second] = [await open(), await open()];
    const payment = await headerOf(first);
    const copies = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? first : second).pay(payment));
    const replies = await Promise.all(copies);
    const kinds = replies.map(({ status }) => status);
    expect(new Set(kinds)).toEqual(new Set([200, 402, 503].filter((status) => kinds.includes(status))));
    const [one, two] = [await first.pay(payment), await second.pay(payment)];
    expect([one.status, two.status].sort()).toEqual([200, 402]);
    expect(facilitator.transfers).toHaveLength(1);
  });

  it('buys one response at two processes although the facilitator repeats outcomes', async () => {
    facilitator.keepsOutcomes = true;
    const [first, second] = [await open(), await open()];
    const payment = await headerOf(first);
    // Both processes verify the payment before one of them settles it.
    let waiting = 0;
    let open2: () => void;
    const both = new Promise<void>((resolve) => (open2 = resolve));
    facilitator.before = async (operation) => {
      if (operation !== 'settle') return undefined;
      if (++waiting === 2) open2();
      await both;
      return undefined;
    };
    const replies = await Promise.all([first.pay(payment), second.pay(payment)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 402]);
    expect(facilitator.transfers).toHaveLength(1);
  });

  it('runs one handler in processes that share a store', async () => {
    const claims = new MemoryClaims();
    const [first, second] = [await open({ claims }), await open({ claims })];
    const payment = await headerOf(first);
    await Promise.all(Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? first : second).pay(payment)));
    const replies = await Promise.all([first.pay(payment), second.pay(payment)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(first.handler.calls + second.handler.calls).toBe(1);
    expect(facilitator.transfers).toHaveLength(1);
  });
});

it('stays the same payment in another notation', async () => {
  const shop = await open();
  const required = await shop.required();
  const plain = officialHeaderFor(required, { nonce });
  const spelled = officialHeaderFor(required, { nonce: nonce.toUpperCase().replace('0X', '0x') });
  const json = JSON.stringify(JSON.parse(Buffer.from(plain, 'base64').toString()), null, 1);
  expect((await shop.pay(plain)).status).toBe(200);
  for (const copy of [spelled, Buffer.from(json).toString('base64')])
    expect((await shop.pay(copy)).status).toBe(200);
  expect(shop.handler.calls).toBe(1);
  expect(facilitator.transfers).toHaveLength(1);
});

it.each([
  ['too long', (payment: object) => ({ ...payment, extensions: { note: 'x'.repeat(11_264) } })],
  [
    'too deep',
    (payment: object) => ({ ...payment, extensions: JSON.parse('{"a":'.repeat(20) + '1' + '}'.repeat(20)) }),
  ],
  ['too many entries', (payment: object) => ({ ...payment, extensions: { list: Array(1_000).fill(1) } })],
])('answers 400 to a header with %s', async (_name, change) => {
  const shop = await open();
  const payment = JSON.parse(
    Buffer.from(officialHeaderFor(await shop.required()), 'base64').toString(),
  ) as object;
  const reply = await shop.pay(Buffer.from(JSON.stringify(change(payment))).toString('base64'));
  expect([reply.status, await codeOf(reply)]).toEqual([400, 'invalid_payment_header']);
  expect(facilitator.calls('verify')).toHaveLength(0);
});

it('rejects a header of 20 kB before the paywall', async () => {
  const shop = await open();
  const reply = await shop.pay('A'.repeat(20_000));
  expect(reply.status).toBe(431);
});

it('rejects version 1, and a payment without a payload', async () => {
  const shop = await open();
  const required = await shop.required();
  const codes = [];
  for (const document of [{ x402Version: 1 }, { payload: 'none' }])
    codes.push(await codeOf(await shop.pay(officialHeaderFor(required, { document }))));
  expect(codes).toEqual(['invalid_x402_version', 'invalid_payload']);
});
