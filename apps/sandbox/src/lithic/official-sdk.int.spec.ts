import { Database } from '@tollbridge/database';
import { freshDatabase, ManualClock, type FreshDatabase } from '@tollbridge/testing';
import Lithic from 'lithic';
import { randomUUID } from 'node:crypto';
import { isLuhnValid } from '../cards/test-number';
import { startServiceSimulators, type RunningServiceSimulators } from '../simulators/service-simulators';
import { lithicSandboxKey } from './lithic';
import { migrateSandbox } from '../simulators/open-simulators';

const clock = new ManualClock();
const problems: unknown[] = [];
let fresh: FreshDatabase;
let database: Database;
let running: RunningServiceSimulators;
let lithic: Lithic;

beforeAll(async () => {
  fresh = await freshDatabase('sandbox', migrateSandbox);
  database = await Database.open({ app: 'sandbox', url: fresh.runtimeUrl, entities: [], maxConnections: 4 });
  running = await startServiceSimulators({ database, clock, onError: (error) => problems.push(error) });
  lithic = new Lithic({ apiKey: lithicSandboxKey, baseURL: `${running.url}/lithic`, maxRetries: 0 });
});
afterAll(async () => {
  await running?.close();
  await database?.close();
  await fresh?.drop();
});
afterEach(() => expect(problems.splice(0)).toEqual([]));

const wish = (changes: object = {}) => ({
  type: 'VIRTUAL' as const,
  state: 'OPEN' as const,
  memo: randomUUID(),
  spend_limit: 2_500,
  spend_limit_duration: 'FOREVER' as const,
  ...changes,
});

describe('Official Lithic SDK against the simulator', () => {
  it('authenticates', async () => {
    expect(await lithic.apiStatus()).toEqual({ message: 'OK' });
  });

  it('creates a card, reads it, and finds it in the list', async () => {
    const made = await lithic.cards.create(wish({ memo: 'a card of Ann' }));

    expect(made).toMatchObject({ state: 'OPEN', type: 'VIRTUAL', spend_limit: 2_500, memo: 'a card of Ann' });
    expect(made.pan).toMatch(/^411111\d{10}$/);
    expect(isLuhnValid(made.pan!)).toBe(true);
    expect(made.last_four).toBe(made.pan!.slice(-4));
    expect(await lithic.cards.retrieve(made.token)).toEqual(made);
    const listed = [];
    for await (const card of lithic.cards.list({ memo: 'of Ann' })) listed.push(card);
    expect(listed).toMatchObject([{ token: made.token }]);
  });

  it('lists pages within a time range', async () => {
    const begin = new Date(clock.now()).toISOString();
    const made = [];
    for (let count = 0; count < 5; count++) {
      clock.advance(1_000);
      made.unshift((await lithic.cards.create(wish())).token);
    }
    const listed = [];
    for await (const { token } of lithic.cards.list({ begin, page_size: 2 })) listed.push(token);
    expect(listed).toEqual(made);
    const end = new Date(clock.now() - 2_500).toISOString();
    expect((await lithic.cards.list({ begin, end })).data).toHaveLength(2);
  });

  it('pauses a card, and closes it permanently', async () => {
    const { token } = await lithic.cards.create(wish());
    expect(await lithic.cards.update(token, { state: 'PAUSED', spend_limit: 900 })).toMatchObject({
      state: 'PAUSED',
      spend_limit: 900,
    });
    expect(await lithic.cards.update(token, { state: 'CLOSED' })).toMatchObject({ state: 'CLOSED' });
    await expect(lithic.cards.update(token, { state: 'OPEN' })).rejects.toMatchObject({ status: 400 });
  });

  it('returns one card for one idempotency key, and rejects another body', async () => {
    const key = randomUUID();
    const once = wish({ 'Idempotency-Key': key });
    const [one, other] = await Promise.all([lithic.cards.create(once), lithic.cards.create(once)]);
    expect(other.token).toBe(one.token);
    await expect(lithic.cards.create({ ...once, spend_limit: 1 })).rejects.toMatchObject({ status: 400 });
  });

  it('returns the reason and a request id with an error', async () => {
    const rejection = (promise: Promise<unknown>) =>
      promise.then(
        () => expect('made').toBe('rejected'),
        ({ status, error }: InstanceType<typeof Lithic.APIError>) => [status, error],
      );
    const body = { message: expect.any(String), debugging_request_id: expect.any(String) };
    const stranger = new Lithic({ apiKey: 'wrong', baseURL: `${running.url}/lithic`, maxRetries: 0 });
    expect(await rejection(stranger.cards.retrieve(randomUUID()))).toEqual([401, body]);
    expect(await rejection(lithic.cards.retrieve(randomUUID()))).toEqual([404, body]);
    expect(await rejection(lithic.cards.retrieve('not-a-uuid'))).toEqual([400, body]);
    expect(await rejection(lithic.cards.create(wish({ spend_limit: -1 })))).toEqual([400, body]);
    expect(await rejection(lithic.cards.create(wish({ type: 'GOLD' })))).toEqual([400, body]);
    for (const [cents, status] of [
      [2_571, 400],
      [2_572, 400],
      [2_573, 429],
      [2_575, 500],
    ] as const)
      expect(await rejection(lithic.cards.create(wish({ spend_limit: cents })))).toEqual([status, body]);
  });

  it('waits for a slow card', async () => {
    const { token, state } = await lithic.cards.create(wish({ spend_limit: 2_576 }));
    expect(state).toBe('PENDING_FULFILLMENT');
    clock.advance(20_000);
    expect(await lithic.cards.retrieve(token)).toMatchObject({ state: 'OPEN' });
  });

  it('finds a card by the same idempotency key after a lost response', async () => {
    const once = wish({ spend_limit: 2_574, 'Idempotency-Key': randomUUID() });
    await expect(lithic.cards.create(once)).rejects.toThrow('Connection error');
    const { data } = await lithic.cards.list({ memo: once.memo });
    expect(data).toMatchObject([{ state: 'OPEN', spend_limit: 2_574 }]);
  });

  it('hangs or returns 503 during an outage', async () => {
    const { outage } = running.simulators['lithic']!;
    try {
      outage.mode = 'down';
      await expect(lithic.apiStatus()).rejects.toMatchObject({ status: 503 });
      outage.mode = 'slow';
      await expect(lithic.apiStatus({ timeout: 200 })).rejects.toBeInstanceOf(Lithic.APIConnectionError);
    } finally {
      outage.mode = 'up';
    }
  });

  it('stores no card number in the tables', async () => {
    const rows = await fresh.query('SELECT c::text FROM lithic_cards c');
    expect(rows.length).toBeGreaterThan(5);
    expect(JSON.stringify(rows)).not.toMatch(/411111\d{10}/);
  });
});
