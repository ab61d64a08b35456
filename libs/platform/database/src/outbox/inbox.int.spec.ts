import { randomUUID } from 'node:crypto';
import { storeDeadLetter } from './dead-letters';
import { handleBatchOnce } from './inbox';
import { openOutboxDatabase, type OutboxDatabase } from '../testing/outbox-schema';

let shop: OutboxDatabase;

beforeAll(async () => {
  shop = await openOutboxDatabase();
});

afterAll(() => shop.close());

beforeEach(async () => {
  await shop.fresh.query('DELETE FROM goods');
  await shop.fresh.query(`INSERT INTO goods VALUES ('tea')`);
});

const version = async (): Promise<number> =>
  (await shop.fresh.query<{ version: number }>('SELECT version FROM goods'))[0]!.version;

const sell = async (eventId: string, consumer = 'stock', fail?: Error): Promise<boolean> =>
  (await handleBatchOnce(shop.database.pool, consumer, [{ id: eventId }], async (_fresh, client) => {
    await client.query('UPDATE goods SET version = version + 1');
    if (fail) throw fail;
  })) === 1;

describe('handleBatchOnce with one event', () => {
  it('handles an event once', async () => {
    const event = randomUUID();
    expect(await sell(event)).toBe(true);
    expect(await sell(event)).toBe(false);
    expect(await version()).toBe(1);
  });

  it('handles an event once when many consumers handle it at the same time', async () => {
    const event = randomUUID();
    const done = await Promise.all(Array.from({ length: 30 }, () => sell(event)));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await version()).toBe(1);
  });

  it('handles an event once for each consumer', async () => {
    const event = randomUUID();
    expect(await sell(event, 'stock')).toBe(true);
    expect(await sell(event, 'books')).toBe(true);
    expect(await version()).toBe(2);
  });

  it('rolls back a failed effect, and handles the event at its redelivery', async () => {
    const event = randomUUID();
    await expect(sell(event, 'stock', new Error('no'))).rejects.toThrow('no');
    expect(await version()).toBe(0);
    expect(await sell(event)).toBe(true);
    expect(await version()).toBe(1);
  });

  it('waits for a concurrent transaction that handles the event, and handles it when that transaction fails', async () => {
    const event = randomUUID();
    let fail!: () => void;
    const failing = new Promise<void>((_, reject) => (fail = () => reject(new Error('no'))));
    let hasBegun!: () => void;
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const first = handleBatchOnce(shop.database.pool, 'stock', [{ id: event }], async (_fresh, client) => {
      await client.query('UPDATE goods SET version = version + 1');
      hasBegun();
      await failing;
    });
    await begun;
    const others = Promise.all([sell(event), sell(event)]);
    fail();
    await expect(first).rejects.toThrow('no');
    expect((await others).sort()).toEqual([false, true]);
    expect(await version()).toBe(1);
  });
});

describe('handleBatchOnce with a batch', () => {
  const take = async (ids: string[]): Promise<string[]> => {
    const taken: string[] = [];
    await handleBatchOnce(
      shop.database.pool,
      'stock',
      ids.map((id) => ({ id })),
      async (fresh) => void taken.push(...fresh.map(({ id }) => id)),
    );
    return taken;
  };

  it('handles only new events, in order and each once', async () => {
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    expect(await take([second])).toEqual([second]);
    expect(await take([third, second, first, third])).toEqual([third, first]);
    expect(await take([first, second, third])).toEqual([]);
    expect(await take([])).toEqual([]);
  });

  it('handles no event when an id is not a canonical UUID', async () => {
    const event = randomUUID();
    await expect(take([event, 'no id'])).rejects.toThrow('uuid');
    await expect(take([event, `{${randomUUID()}}`])).rejects.toThrow('canonical');
    expect(await take([event])).toEqual([event]);
  });

  it('handles each event once when processes receive the same events concurrently in different orders', async () => {
    const ids = Array.from({ length: 100 }, () => randomUUID());
    const orders = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? ids : [...ids].reverse()));
    const taken = (await Promise.all(orders.map(take))).flat();
    expect(taken.sort()).toEqual([...ids].sort());
  });
});

describe('storeDeadLetter', () => {
  const deadLetters = () => shop.fresh.query('SELECT consumer, event, reason FROM dead_letters ORDER BY id');
  beforeEach(() => shop.fresh.query('DELETE FROM dead_letters'));

  it('stores the event with the failure reason', async () => {
    await storeDeadLetter(shop.database.pool, 'stock', '{"id":1}', new Error('no such good'));
    await storeDeadLetter(shop.database.pool, 'stock', '{"id":2}', 'a text');
    expect(await deadLetters()).toEqual([
      { consumer: 'stock', event: '{"id":1}', reason: 'no such good' },
      { consumer: 'stock', event: '{"id":2}', reason: 'a text' },
    ]);
  });

  it('replaces NUL characters, which PostgreSQL cannot store', async () => {
    await storeDeadLetter(shop.database.pool, 'stock', 'a\0b', new Error('c\0d'));
    expect(await deadLetters()).toEqual([{ consumer: 'stock', event: 'a\ufffdb', reason: 'c\ufffdd' }]);
  });
});
