import { Database } from '@tollbridge/database';
import { freshDatabase, ManualClock, type FreshDatabase } from '@tollbridge/testing';
import { hexlify, randomBytes, Wallet, type HDNodeWallet } from 'ethers';
import { isLuhnValid } from '../cards/test-number';
import { startServiceSimulators, type RunningServiceSimulators } from '../simulators/service-simulators';
import { migrateSandbox } from '../simulators/open-simulators';

const clock = new ManualClock();
const problems: unknown[] = [];
let fresh: FreshDatabase;
let database: Database;
let running: RunningServiceSimulators;
const payer = Wallet.createRandom();

beforeAll(async () => {
  fresh = await freshDatabase('sandbox', migrateSandbox);
  database = await Database.open({ app: 'sandbox', url: fresh.runtimeUrl, entities: [], maxConnections: 4 });
  running = await startServiceSimulators({ database, clock, onError: (error) => problems.push(error) });
});
afterAll(async () => {
  await running?.close();
  await database?.close();
  await fresh?.drop();
});
afterEach(() => expect(problems.splice(0)).toEqual([]));

interface Answer {
  status: number;
  body: any;
  headers: Headers;
}

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const reply = await fetch(`${running.url}/laso${path}`, init);
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}

const read = (header: string | null): any => JSON.parse(Buffer.from(header!, 'base64').toString());

interface Changes {
  wallet?: HDNodeWallet;
  accepted?: object;
  domain?: object;
  authorization?: object;
}

/** Returns a payment header of x402, built independently from the specification. */
async function payment(path: string, changes: Changes = {}): Promise<string> {
  const { wallet = payer } = changes;
  const required = read((await ask(path)).headers.get('payment-required'));
  const offer = required.accepts.find(({ network }: { network: string }) => network === 'eip155:8453');
  const seconds = Math.floor(clock.now() / 1_000);
  const authorization = {
    from: wallet.address,
    to: offer.payTo,
    value: offer.amount,
    nonce: hexlify(randomBytes(32)),
    validAfter: String(seconds - 10),
    validBefore: String(seconds + 60),
    ...changes.authorization,
  };
  const domain = { ...offer.extra, chainId: 8453, verifyingContract: offer.asset, ...changes.domain };
  const field = (name: string, type: string) => ({ name, type });
  const TransferWithAuthorization = [
    field('from', 'address'),
    field('to', 'address'),
    field('value', 'uint256'),
    field('validAfter', 'uint256'),
    field('validBefore', 'uint256'),
    field('nonce', 'bytes32'),
  ];
  const signature = await wallet.signTypedData(domain, { TransferWithAuthorization }, authorization);
  const accepted = { ...offer, ...changes.accepted };
  const text = JSON.stringify({ x402Version: 2, accepted, payload: { signature, authorization } });
  return Buffer.from(text).toString('base64');
}

async function pay(path: string, changes: Changes = {}): Promise<Answer> {
  return ask(path, { headers: { 'payment-signature': await payment(path, changes) } });
}

const data = (token: string, query = ''): Promise<Answer> =>
  ask(`/get-card-data${query}`, { headers: { authorization: `Bearer ${token}` } });

const order = (amount: string): string => `/get-card?amount=${amount}&format=json`;

describe('Laso order', () => {
  it('requires a payment of its amount', async () => {
    const { status, headers } = await ask(order('25.5'));
    expect(status).toBe(402);
    expect(headers.get('x-laso-docs-version')).toMatch(/^\d{4}-/);
    expect(read(headers.get('payment-required'))).toMatchObject({
      x402Version: 2,
      resource: { url: `${running.url}/laso${order('25.5')}` },
      accepts: [
        { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '25500000',
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    });
  });

  it('becomes a card after eight seconds', async () => {
    const { status, body, headers } = await pay(order('25.5'));
    expect(status).toBe(200);
    expect(body).toEqual({
      auth: { id_token: expect.any(String), refresh_token: expect.any(String), expires_in: '3600' },
      callable_base_url: `${running.url}/laso`,
      user_id: payer.address.toLowerCase(),
      card: {
        card_id: expect.any(String),
        usd_amount: 25.5,
        country: 'US',
        card_type: 'Non-Reloadable U.S.',
        timestamp: clock.now(),
        timestamp_readable: expect.any(String),
        status: 'pending',
      },
    });
    expect(read(headers.get('payment-response'))).toMatchObject({ success: true, payer: payer.address });
    const { card, auth } = body;
    expect((await data(auth.id_token, `?card_id=${card.card_id}`)).body).toEqual(card);
    clock.advance(8_000);
    const ready = (await data(auth.id_token, `?card_id=${card.card_id}`)).body;
    expect(ready).toMatchObject({ ...card, status: 'ready', transactions: [] });
    const { card_number, cvv, available_balance } = ready.card_details;
    expect([card_number, cvv]).toEqual([
      expect.stringMatching(/^424242\d{10}$/),
      expect.stringMatching(/^\d{3}$/),
    ]);
    expect(isLuhnValid(card_number)).toBe(true);
    expect(available_balance).toBe(25.5);
    expect((await data(auth.id_token)).body.cards).toContainEqual(ready);
  });

  it.each(['4.99', '1000.01', '0', '-5', 'ten', '25.555', ''])('rejects an amount of %p', async (amount) => {
    expect(await ask(order(amount))).toMatchObject({ status: 400 });
  });

  it.each<[string, Changes]>([
    ['invalid_exact_evm_payload_authorization_value', { authorization: { value: '1' } }],
    ['invalid_exact_evm_payload_recipient_mismatch', { authorization: { to: payer.address } }],
    ['invalid_exact_evm_payload_authorization_valid_before', { authorization: { validBefore: '1' } }],
    ['invalid_exact_evm_payload_authorization_valid_after', { authorization: { validAfter: '99999999999' } }],
    ['invalid_exact_evm_payload_signature', { domain: { chainId: 1 } }],
    ['invalid_exact_evm_payload_signature', { authorization: { from: Wallet.createRandom().address } }],
    ['unsupported_scheme', { accepted: { network: 'eip155:1' } }],
  ])('rejects a payment that is %s: %j', async (error, changes) => {
    const before = await fresh.query('SELECT count(*) FROM laso_cards');
    const { status, headers } = await pay(order('30'), changes);
    expect(status).toBe(402);
    expect(read(headers.get('payment-required'))).toMatchObject({ error });
    expect(await fresh.query('SELECT count(*) FROM laso_cards')).toEqual(before);
  });

  it('creates one card for one payment, also concurrently', async () => {
    const headers = { 'payment-signature': await payment(order('30')) };
    const replies = await Promise.all([1, 2, 3].map(() => ask(order('30'), { headers })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 402, 402]);
  });

  it.each([
    ['25.71', 400],
    ['25.72', 402],
    ['25.73', 429],
    ['25.75', 500],
  ])('returns the outcome of %s with %d', async (amount, status) => {
    expect(await pay(order(amount))).toMatchObject({ status });
  });

  it('creates a card of 25.74 without a response', async () => {
    await expect(pay(order('25.74'))).rejects.toThrow('fetch failed');
    const { body } = await pay('/auth');
    const { cards } = (await data(body.auth.id_token)).body;
    expect(cards).toContainEqual(expect.objectContaining({ usd_amount: 25.74 }));
  });

  it('delays a card of 25.76', async () => {
    const { auth, card } = (await pay(order('25.76'))).body;
    const status = async (): Promise<string> =>
      (await data(auth.id_token, `?card_id=${card.card_id}`)).body.status;
    clock.advance(8_000);
    expect(await status()).toBe('details_approval');
    clock.advance(12_000);
    expect(await status()).toBe('ready');
  });
});

describe('Laso token', () => {
  it('costs a tenth of a cent, expires after an hour, and is renewed for free', async () => {
    const { headers } = await ask('/auth');
    expect(read(headers.get('payment-required')).accepts[1]).toMatchObject({ amount: '1000' });
    const { auth } = (await pay('/auth')).body;
    expect(await data(auth.id_token)).toMatchObject({ status: 200 });
    clock.advance(3_600_000);
    expect(await data(auth.id_token)).toMatchObject({ status: 401 });
    const renew = (refresh_token: unknown): Promise<Answer> =>
      ask('/auth', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ grant_type: 'refresh_token', refresh_token }),
      });
    const renewed = await renew(auth.refresh_token);
    expect(await data(renewed.body.auth.id_token)).toMatchObject({ status: 200 });
    for (const bad of [auth.id_token, 'x', '', 7, null])
      expect(await renew(bad)).toMatchObject({ status: 401 });
    for (const bad of [auth.refresh_token, 'x', ''])
      expect(await data(bad)).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
  });

  it('lists the cards of its own account only', async () => {
    const { card } = (await pay(order('30'))).body;
    const other = (await pay('/auth', { wallet: Wallet.createRandom() })).body;
    const { id_token } = other.auth;
    expect(await data(id_token, `?card_id=${card.card_id}`)).toMatchObject({ status: 404 });
    expect((await data(id_token)).body).toEqual({ cards: [] });
  });
});

it('hangs or returns 503 during an outage', async () => {
  const { outage } = running.simulators['laso']!;
  try {
    outage.mode = 'down';
    expect((await fetch(`${running.url}/laso/auth`)).status).toBe(503);
    outage.mode = 'slow';
    const signal = AbortSignal.timeout(200);
    await expect(fetch(`${running.url}/laso/auth`, { signal })).rejects.toThrow('aborted');
  } finally {
    outage.mode = 'up';
  }
});

it('stores no card number in the tables', async () => {
  const rows = await fresh.query('SELECT c::text FROM laso_cards c');
  expect(rows.length).toBeGreaterThan(3);
  expect(JSON.stringify(rows)).not.toMatch(/424242\d{10}/);
});
