import { cardsApi, type CardData, type CardRecord, type NewCard } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { closedUrl, eventually, ManualClock } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { CardIssuers, type ConfiguredIssuers } from './card-issuer';
import { CardHarness, keyId, owner, stranger } from '../testing/card-harness';

const { getCard, cardData, myCards } = cardsApi.operations;
const clock = new ManualClock();
/** Every reply and log line of the test run. */
const shown: string[] = [];
let harness: CardHarness;

beforeAll(async () => {
  harness = await CardHarness.start(clock);
});
afterAll(() => harness?.close());

async function issue(amount = 25, idempotencyKey: string = randomUUID()): Promise<NewCard> {
  const card = await harness.call(getCard, { wallet: owner, amount }, { idempotencyKey });
  if (card.number !== undefined) shown.push(card.number);
  return card;
}

/** The record of a new card without the fields that are read for one reply. */
function stored({ number: _number, cvv: _cvv, expMonth: _month, expYear: _year, ...record }: NewCard) {
  return record satisfies CardRecord;
}

const numbersForm = (bin: string): object => ({
  number: expect.stringMatching(new RegExp(`^${bin}\\d{10}$`)),
  cvv: expect.stringMatching(/^\d{3}$/),
  expMonth: expect.stringMatching(/^\d{2}$/),
  expYear: expect.stringMatching(/^20\d{2}$/),
});

async function show(card_id: string, more: Parameters<CardHarness['call']>[2] = {}): Promise<CardData> {
  const data = await harness.call(cardData, { card_id }, more);
  if (data.number !== null) shown.push(data.number);
  return data;
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    ({ code, message, details }: DomainError) => ({ code, message, details }),
  );

const list = async (): Promise<CardRecord[]> =>
  (await harness.call(myCards, { wallet: owner, limit: 100 })).cards;

const reveals = (cardId: string): Promise<object[]> =>
  harness.database.query('SELECT * FROM card_reveals WHERE card_id = $1 ORDER BY id', [cardId]);

const issuers = [
  { issuer: 'lithic', bin: '411111' },
  { issuer: 'laso', bin: '424242' },
] as const;

describe.each(issuers)('Cards of $issuer', ({ issuer, bin }) => {
  beforeAll(() => harness.startApp({ SERVICE_API_CARD_ISSUER: issuer }));
  afterAll(() => harness.closeApps());

  it('issues a card that becomes open, and shows it to its owner only', async () => {
    const card = await issue(25.5);
    expect(card).toEqual({
      cardId: expect.any(String),
      issuerCardId: expect.any(String),
      wallet: owner,
      amount: 25.5,
      currency: 'USD',
      createdAt: new Date(clock.now()).toISOString(),
      status: issuer === 'lithic' ? 'open' : 'pending',
      lastFour: issuer === 'lithic' ? expect.stringMatching(/^\d{4}$/) : null,
      ...(issuer === 'lithic' && numbersForm(bin)),
    });
    const record = stored(card);
    const before = await reveals(card.cardId);
    expect(before).toHaveLength(issuer === 'lithic' ? 1 : 0);
    if (issuer === 'laso') {
      const nothing = { status: 'pending', number: null, cvv: null, expMonth: null, expYear: null };
      expect(await show(card.cardId)).toEqual({ ...record, ...nothing });
      expect(await reveals(card.cardId)).toEqual([]);
      clock.advance(8_000);
    }

    const data = await show(card.cardId, { requestId: 'req_of_the_reveal' });

    expect(data).toEqual({
      ...record,
      status: 'open',
      lastFour: data.number!.slice(-4),
      ...numbersForm(bin),
    });
    if (issuer === 'lithic') expect(data).toEqual(card);
    expect(await list()).toContainEqual({ ...record, status: 'open', lastFour: data.lastFour });
    expect(await reveals(card.cardId)).toEqual([
      ...before,
      {
        id: expect.any(String),
        card_id: card.cardId,
        wallet: owner,
        key_id: keyId,
        request_id: 'req_of_the_reveal',
        shown_at: new Date(clock.now()),
      },
    ]);
  });

  it('replays the stored record with numbers read from the issuer', async () => {
    const key = randomUUID();
    const first = await issue(26, key);
    clock.advance(8_000);
    const { outage } = harness.issuers.running.simulators[issuer]!;
    outage.mode = 'down';
    // The purchase succeeded, so the reply is its record, whatever the issuer does.
    expect(await issue(26, key)).toEqual(stored(first));
    outage.mode = 'up';
    expect(await issue(26, key)).toEqual(first);
    expect(await reveals(first.cardId)).toHaveLength(issuer === 'lithic' ? 2 : 0);
    const [row] = await harness.database.query<{ is_sealed: boolean }>(
      'SELECT is_sealed FROM idempotency_keys ORDER BY created_at DESC, answered_at DESC LIMIT 1',
    );
    expect(row).toEqual({ is_sealed: true });
  });

  it('returns a card without numbers when the issuer does not answer the read after the purchase', async () => {
    const issuing = harness.apps
      .at(-1)!
      .context.get<ConfiguredIssuers>(CardIssuers, { strict: false }).chosen!;
    const reveal = jest.spyOn(issuing, 'reveal').mockRejectedValue(new DomainError('UPSTREAM_UNAVAILABLE'));
    const card = await issue(27);
    reveal.mockRestore();
    expect(card).toEqual(stored(card));
    clock.advance(8_000);
    expect(await show(card.cardId)).toMatchObject({ ...numbersForm(bin), status: 'open' });
  });

  it('returns 404 for other wallets', async () => {
    const { cardId } = await issue();
    const before = await reveals(cardId);
    const missing = await failure(show(randomUUID()));
    expect(missing).toMatchObject({ code: 'NOT_FOUND' });
    for (const id of [cardId, randomUUID(), 'x', "' OR true"])
      expect(await failure(show(id, { wallet: stranger }))).toEqual(missing);
    expect((await harness.call(myCards, { wallet: stranger }, { wallet: stranger })).cards).toEqual([]);
    expect(await reveals(cardId)).toEqual(before);
  });

  it('buys once for concurrent calls', async () => {
    const before = await harness.made(issuer);
    const key = randomUUID();
    const calls = await Promise.all(
      [1, 2, 3, 4, 5].map(() => issue(30, key).catch((error: DomainError) => error.code)),
    );
    const made = calls.filter((call) => typeof call !== 'string');
    expect(new Set(made.map(({ cardId }) => cardId)).size).toBe(1);
    expect(calls.filter((call) => typeof call === 'string' && call !== 'IDEMPOTENCY_IN_PROGRESS')).toEqual(
      [],
    );
    expect(await issue(30, key)).toEqual(made[0]);
    expect(await harness.made(issuer)).toBe(before + 1);
    expect(await failure(issue(31, key))).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('buys twice without an Idempotency-Key', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => harness.call(getCard, { wallet: owner, amount: 40 })),
    );
    expect(one!.cardId).not.toBe(other!.cardId);
    expect(one!.issuerCardId).not.toBe(other!.issuerCardId);
  });

  it('reconciles a purchase after a lost reply, and buys once', async () => {
    const before = await harness.made(issuer);
    const keys = [randomUUID(), randomUUID()];
    // Two equal purchases at the same time. An issuer that stores no references cannot distinguish them.
    for (const key of keys)
      expect(await failure(issue(25.74, key))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await harness.made(issuer)).toBe(before + 2);
    // On a busy machine, a lookup can fail. It is retried only when this test advances the clock.
    const askAll = (): Promise<CardRecord[]> => {
      clock.advance(10_000);
      return Promise.all(keys.map((key) => issue(25.74, key)));
    };
    const found = await eventually(askAll, { everyMs: 200 });
    expect(await harness.made(issuer)).toBe(before + 2);
    const [one, other] = await Promise.all(found.map(({ cardId }) => show(cardId)));
    expect(one!.number).not.toBe(other!.number);
    expect(one).toMatchObject({ status: 'open', amount: 25.74 });
  });

  it('declines a purchase that the issuer still has no record of after the settle time', async () => {
    const before = await harness.made(issuer);
    const key = randomUUID();
    expect(await failure(issue(25.75, key))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    const { calls } = harness.budgets;
    const released = (): number => calls.filter(({ subject }) => subject.endsWith('.release')).length;
    expect(released()).toBe(0);
    const status = async (): Promise<string> => {
      const [row] = await harness.database.query<{ status: string }>(
        `SELECT status FROM purchases WHERE kind = 'card' ORDER BY id DESC LIMIT 1`,
      );
      return row!.status;
    };
    expect(await status()).toBe('unknown');
    // Within this time, the reply of the issuer may still arrive.
    clock.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await status()).toBe('unknown');
    const givenUp = async (): Promise<void> => {
      clock.advance(600_000);
      expect(await status()).toBe('refused');
    };
    await eventually(givenUp, { everyMs: 200 });
    expect(await harness.made(issuer)).toBe(before);
  });

  it.each([
    [25.71, { code: 'PURCHASE_REFUSED', details: { reason: 'DECLINED' } }],
    [25.72, { code: 'PURCHASE_REFUSED', details: { reason: 'ISSUER_OUT_OF_FUNDS' } }],
    [25.73, { code: 'UPSTREAM_UNAVAILABLE' }],
  ])('declines with a reason of this API: %d', async (amount, expected) => {
    const before = await harness.made(issuer);
    const error = await failure(issue(amount));
    expect(error).toMatchObject(expected);
    expect(JSON.stringify(error)).not.toMatch(/insufficient|account|could not|rate limit|lithic|laso/i);
    expect(await harness.made(issuer)).toBe(before);
    await eventually(() => expect(harness.budgets.calls.at(-1)!.subject).toMatch(/release$/));
    harness.budgets.calls.length = 0;
  });

  it('shows no card during an outage of the issuer', async () => {
    const { cardId } = await issue();
    clock.advance(10_000);
    const before = await reveals(cardId);
    const { outage } = harness.issuers.running.simulators[issuer]!;
    outage.mode = 'down';
    expect(await failure(show(cardId))).toEqual({
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'The card issuer does not answer at present. Retry later.',
    });
    outage.mode = 'up';
    expect(await show(cardId)).toMatchObject({ status: 'open' });
    expect(await reveals(cardId)).toHaveLength(before.length + 1);
  });

  it('reveals a card ten times a minute at most, and records each reveal', async () => {
    const { cardId } = await issue();
    // The purchase has also revealed the numbers of an open card, which counts towards the limit.
    clock.advance(60_001);
    const before = (await reveals(cardId)).length;
    const tries = await Promise.all(
      [...Array(14).keys()].map(() => show(cardId).catch((error: DomainError) => error.code)),
    );
    expect(tries.filter((it) => it === 'RATE_LIMIT_EXCEEDED')).toHaveLength(4);
    await expect(show(cardId)).rejects.toMatchObject({ retryAfterSeconds: 60 });
    expect(await reveals(cardId)).toHaveLength(before + 10);
    clock.advance(60_001);
    expect(await show(cardId)).toMatchObject({ status: 'open' });
    expect(await reveals(cardId)).toHaveLength(before + 11);
  });
});

describe('With one chosen issuer', () => {
  beforeAll(() => harness.startApp());
  afterAll(() => harness.closeApps());

  it('still shows cards of the other issuer', async () => {
    const [other] = await harness.database.query<{ id: string }>(
      `SELECT id FROM cards WHERE issuer = 'laso' LIMIT 1`,
    );
    expect((await show(other!.id)).number).toMatch(/^424242/);
  });

  it('rejects invalid amounts and foreign wallets without a request to the issuer', async () => {
    harness.budgets.calls.length = 0;
    const before = await harness.made('lithic');
    const bad = (input: object): Promise<unknown> => failure(harness.call(getCard, input as never));
    const fields = async (input: object): Promise<string[]> =>
      ((await bad(input)) as { details: { field: string }[] }).details.map(({ field }) => field).sort();
    expect(await fields({})).toEqual(['amount', 'wallet']);
    expect(await fields({ wallet: 'me', amount: '25', name: 'x' })).toEqual(['amount', 'name', 'wallet']);
    for (const amount of [0, -25, 4.99, 1_000.01, 25.005, 1e9, 1e-7, NaN, null, '25', [25]])
      expect(await fields({ wallet: owner, amount })).toEqual(['amount']);
    expect(await bad({ wallet: stranger, amount: 25 })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await failure(harness.call(myCards, { wallet: stranger }))).toMatchObject({ code: 'FORBIDDEN' });
    expect(await failure(harness.call(myCards, { wallet: 'me' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await harness.made('lithic')).toBe(before);
    expect(harness.budgets.calls).toEqual([]);
  });

  it('accepts another spelling of the wallet', async () => {
    const card = await harness.call(getCard, { wallet: owner.toLowerCase(), amount: 5 });
    expect(card).toMatchObject({ wallet: owner, amount: 5 });
  });

  it('stores exact cents at the issuer and in the budget', async () => {
    harness.budgets.calls.length = 0;
    for (const [amount, cents] of [
      [8.29, 829],
      [1_000, 100_000],
      [79.99, 7_999],
      [5, 500],
    ] as const) {
      const { issuerCardId } = await issue(amount);
      const [row] = await harness.issuers.fresh.query<{ spend_limit: number }>(
        'SELECT spend_limit FROM lithic_cards WHERE token = $1',
        [issuerCardId],
      );
      expect(row!.spend_limit).toBe(cents);
    }
    const values = harness.budgets.calls.map(({ input }) => [input['kind'], input['valueUsd']]);
    expect(values).toEqual(['8.29', '1000', '79.99', '5'].map((value) => ['topup', value]));
  });

  it('buys nothing over the budget of the key', async () => {
    const before = await harness.made('lithic');
    const { budgets } = harness;
    const { answer } = budgets;
    budgets.answer = () => ({ failure: { code: 'MAX_PER_TX_EXCEEDED', message: 'Too much at once.' } });
    expect(await failure(issue(100))).toMatchObject({ code: 'MAX_PER_TX_EXCEEDED' });
    budgets.answer = answer;
    expect(await harness.made('lithic')).toBe(before);
  });

  it('pages the list, and applies the maximum to a larger limit', async () => {
    const all = await list();
    expect(all.length).toBeGreaterThan(10);
    const paged: CardRecord[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await harness.call(myCards, { wallet: owner, limit: 3, ...(cursor && { cursor }) });
      expect(page.cards.length).toBeLessThanOrEqual(3);
      paged.push(...page.cards);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(all);
    expect(await harness.call(myCards, { wallet: owner, limit: 5_000 })).toMatchObject({ limit: 1_000 });
    expect(await failure(harness.call(myCards, { wallet: owner, cursor: 'x' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('returns the newest 1,000 cards and a cursor', async () => {
    const wallet = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
    await harness.database.query(
      `INSERT INTO cards (id, wallet, issuer, issuer_card_id, amount_cents, state, last_four, created_at, updated_at)
       SELECT ('0198f3a2-7c5e-7d41-9a55-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'lithic',
              lpad(n::text, 128, 'x'), 100000, 'open', '4242', now(), now()
       FROM generate_series(1, 1005) n`,
      [wallet],
    );
    const first = await harness.call(myCards, { wallet }, { wallet });
    expect([first.cards.length, first.limit]).toEqual([1_000, 1_000]);
    const rest = await harness.call(myCards, { wallet, cursor: first.nextCursor! }, { wallet });
    expect([rest.cards.length, rest.nextCursor]).toEqual([5, null]);
    const ids = [...first.cards, ...rest.cards].map(({ cardId }) => cardId);
    expect([new Set(ids).size, ids]).toEqual([1_005, [...ids].sort().reverse()]);
  });

  it('never stores a reply with a number', async () => {
    const [card] = await list();
    const count = async (): Promise<unknown> =>
      harness.database.query('SELECT count(*) FROM idempotency_keys');
    const before = await count();
    await show(card!.cardId, { idempotencyKey: randomUUID() });
    expect(await count()).toEqual(before);
  });

  it('rejects changes of the reveal records', async () => {
    const client = new Client({ connectionString: harness.database.runtimeUrl });
    await client.connect();
    try {
      for (const text of ['UPDATE card_reveals SET wallet = $$x$$', 'DELETE FROM card_reveals'])
        await expect(client.query(text)).rejects.toThrow('only added to');
    } finally {
      await client.end();
    }
    await expect(harness.database.query('TRUNCATE card_reveals')).rejects.toThrow('only added to');
  });
});

describe('Without an issuer', () => {
  afterEach(() => harness.closeApps());

  it('returns 503 and still lists cards when none is configured', async () => {
    await harness.startApp({ SERVICE_API_CARD_ISSUER: '', LITHIC_URL: '', LASO_WALLET_KEY: '' });
    expect(await failure(issue())).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'Virtual cards are not configured in this deployment.',
    });
    const [card] = await list();
    expect(await failure(show(card!.cardId))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('returns 502 immediately when the issuer is unreachable', async () => {
    await harness.startApp({ LITHIC_URL: await closedUrl() });
    expect(await failure(issue())).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });
});

it('never writes a card number to tables, streams or logs', async () => {
  expect(shown.length).toBeGreaterThan(20);
  const { tables, rows, files } = await harness.everythingWritten();
  expect(tables).toEqual(
    expect.arrayContaining(['cards', 'card_reveals', 'idempotency_keys', 'outbox', 'purchases']),
  );
  // The search must cover this run: the files contain its events, the tables contain its cards.
  expect(files).toContain('purchase-changed');
  expect(rows).toContain(shown[0]!.slice(-4));
  const logged = harness.logged.join('');
  expect(logged).toContain('purchase outcome unknown');
  for (const text of [rows, files, logged]) {
    expect(shown.filter((number) => text.includes(number))).toEqual([]);
    // The dump shows bytes, such as stored replies, in hexadecimal.
    const inHex = (number: string): boolean => text.includes(Buffer.from(number).toString('hex'));
    expect(shown.filter(inHex)).toEqual([]);
    expect(text).not.toMatch(/(?:411111|424242)\d{10}/);
  }
});
