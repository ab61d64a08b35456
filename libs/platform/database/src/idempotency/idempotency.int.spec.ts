import {
  callContext,
  DomainError,
  feature,
  FreeForm,
  Handles,
  idempotencyKeyOf,
  operation,
  Text,
  callHandler,
  type Handler,
  type CallContext,
  type Outcome,
  type ReplyStore,
} from '@tollbridge/rpc';
import { randomUUID } from 'node:crypto';
import { transaction, type TransactionClient } from '../database';
import { DatabaseReplies, storeReply } from './idempotency';
import { openOutboxDatabase, type OutboxDatabase } from '../testing/outbox-schema';
import { eventually, ManualClock } from '../testing/servers';

const hourMs = 3_600_000;
// The time-out of the operations below plus the margin of a lease.
const leaseMs = 15_000;
const pepper = 'a-pepper-of-the-tests-0123456789abcdef';

class Sale {
  @Text('What is sold')
  good: string;
  @FreeForm({ type: 'object' }, 'Anything', { optional: true })
  about?: unknown;
}

class Receipt {
  @Text('The number of this sale')
  id: string;
}

class SecretReceipt {
  @Text('The number of this sale', { isSecret: true })
  id: string;
}

const declared = { summary: 'Sell', input: Sale, output: Receipt, auth: 'public' } as const;
const shopApi = feature('shop', 'sales', 'Sales', {
  sell: operation('POST /sales', declared),
  lend: operation('POST /loans', declared),
  makeSecret: operation('POST /secrets', { ...declared, output: SecretReceipt }),
});

type Work = (sale: Sale, context: CallContext) => Promise<Receipt>;
let work: Work;

@Handles(shopApi)
class Sales {
  sell(sale: Sale, context: CallContext): Promise<Receipt> {
    return work(sale, context);
  }
  lend(sale: Sale, context: CallContext): Promise<Receipt> {
    return work(sale, context);
  }
  makeSecret(sale: Sale, context: CallContext): Promise<Receipt> {
    return work(sale, context);
  }
}

let shop: OutboxDatabase;
let clock: ManualClock;
let replies: DatabaseReplies;
let lastKey = 0;
const newKey = (): string => idempotencyKeyOf('key:1', `key-${++lastKey}`);

beforeAll(async () => {
  shop = await openOutboxDatabase(20);
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.fresh.query('DELETE FROM goods');
  await shop.fresh.query('DELETE FROM idempotency_keys');
  clock = new ManualClock();
  replies = new DatabaseReplies(shop.database.pool, clock, pepper);
  work = sellWithReply;
});

/** Writes a sale and its reply in one transaction. */
const sellWithReply: Work = async (_sale, context) => {
  const receipt = { id: randomUUID() };
  await transaction(shop.database.pool, async (client) => {
    await write(client, receipt);
    await storeReply(client, context, receipt);
  });
  return receipt;
};

/** Writes a sale. The binding stores the reply. */
const sellWithoutReply: Work = async () => {
  const receipt = { id: randomUUID() };
  await transaction(shop.database.pool, (client) => write(client, receipt));
  return receipt;
};

const write = async (client: TransactionClient, { id }: Receipt): Promise<void> =>
  void (await client.query('INSERT INTO goods (id) VALUES ($1)', [id]));
const written = async (): Promise<string[]> =>
  (await shop.fresh.query<{ id: string }>('SELECT id FROM goods')).map(({ id }) => id);

interface Asked {
  json?: string;
  name?: keyof typeof shopApi.operations;
  store?: ReplyStore;
}

function ask(
  idempotencyKey: string | undefined,
  { json = '{"good":"tea"}', name = 'sell', store = replies }: Asked = {},
): Promise<Outcome> {
  const handlers = new Sales() as unknown as Record<string, Handler>;
  const context = { ...callContext(), ...(idempotencyKey !== undefined && { idempotencyKey }) };
  return callHandler(handlers[name]!.bind(handlers), { json: Buffer.from(json), context, replies: store });
}

const textOf = ({ stored }: Outcome): string => Buffer.from(stored!.reply.bytes).toString();
const codeOf = (outcome: Outcome): string => (outcome.ok ? 'OK' : outcome.error.code);

/** Pauses a handler at a point until `goOn` is called. */
function halting(): { arrived: Promise<void>; goOn(): void; halt(): Promise<void> } {
  let arrive!: () => void;
  let goOn!: () => void;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (goOn = resolve));
  return { arrived, goOn, halt: () => (arrive(), released) };
}

describe.each<[string, Work]>([
  ['stores its reply with its write', (...call) => sellWithReply(...call)],
  ['leaves its reply to the binding', (...call) => sellWithoutReply(...call)],
])('DatabaseReplies, with a handler that %s', (_name, handler) => {
  beforeEach(() => {
    work = handler;
  });

  it('calls the handler once, and replays its reply byte for byte with its original time', async () => {
    const key = newKey();
    const first = await ask(key);
    clock.advance(hourMs);
    const second = await ask(key);
    expect(await written()).toEqual([JSON.parse(textOf(first)).id]);
    expect(second.stored!.reply).toEqual({ ...first.stored!.reply, bytes: expect.anything() });
    expect(textOf(second)).toBe(textOf(first));
    expect([first, second].map(({ stored }) => stored!.isReplayed)).toEqual([false, true]);
  });

  it('calls the handler once for 50 equal calls at the same time, and returns one reply to all of them', async () => {
    const key = newKey();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => ask(key)));
    expect(await written()).toHaveLength(1);
    const answered = outcomes.filter(({ ok }) => ok).map(textOf);
    expect(new Set(answered).size).toBe(1);
    const others = outcomes.filter(({ ok }) => !ok).map(codeOf);
    expect(others.every((code) => code === 'IDEMPOTENCY_IN_PROGRESS')).toBe(true);
    const later = await Promise.all(Array.from({ length: 50 }, () => ask(key)));
    expect(new Set([...later.map(textOf), ...answered])).toEqual(new Set(answered));
    expect(await written()).toHaveLength(1);
  });

  it('calls the handler for each key, for each operation, and for each call without a key', async () => {
    const key = newKey();
    const other = idempotencyKeyOf('key:2', `key-${lastKey}`);
    await Promise.all([ask(key), ask(other), ask(key, { name: 'lend' })]);
    const [one, two] = [await ask(undefined), await ask(undefined)];
    expect([one.stored, two.stored]).toEqual([undefined, undefined]);
    expect(await written()).toHaveLength(5);
    expect(await shop.fresh.query('SELECT FROM idempotency_keys')).toHaveLength(3);
  });
});

describe('DatabaseReplies, with a repeated key', () => {
  it('replays the reply for an equal input with different JSON formatting', async () => {
    const key = newKey();
    const first = await ask(key, { json: '{"good":"tea","about":{"a":1,"b":[{"x":1,"y":2}],"10":0}}' });
    const second = await ask(key, {
      json: ' {"about": {"10":0, "b":[{"y":2,"x":1}],\n"a":1}, "good":"te\\u0061"}',
    });
    expect(textOf(second)).toBe(textOf(first));
  });

  it.each([
    ['another value', '{"good":"coffee"}'],
    ['one more field', '{"good":"tea","about":{}}'],
    [
      'an object in place of a list',
      '{"good":"tea","about":{"fields":[["a",1]]}}',
      '{"good":"tea","about":{"a":1}}',
    ],
    ['another order of a list', '{"good":"tea","about":[1,2]}', '{"good":"tea","about":[2,1]}'],
  ])(
    'rejects an input with %s, without calling the handler',
    async (_case, json, before = '{"good":"tea"}') => {
      const key = newKey();
      await ask(key, { json: before });
      expect(codeOf(await ask(key, { json }))).toBe('IDEMPOTENCY_KEY_REUSED');
      expect(codeOf(await ask(key, { json: before }))).toBe('OK');
      expect(await written()).toHaveLength(1);
    },
  );

  it('rejects another input while the first call is running, and after its lease', async () => {
    const key = newKey();
    const { arrived, halt } = halting();
    work = async () => halt().then(() => ({ id: 'never' }));
    void ask(key);
    await arrived;
    const other = { json: '{"good":"coffee"}' };
    expect(codeOf(await ask(key, other))).toBe('IDEMPOTENCY_KEY_REUSED');
    clock.advance(leaseMs);
    expect(codeOf(await ask(key, other))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('stores nothing for an invalid input', async () => {
    const key = newKey();
    expect(codeOf(await ask(key, { json: '{"goods":"tea"}' }))).toBe('VALIDATION_ERROR');
    expect(codeOf(await ask(key))).toBe('OK');
  });

  it('serves a new call with the key after 24 hours, even with another input', async () => {
    const key = newKey();
    const first = await ask(key);
    clock.advance(24 * hourMs - 1);
    expect(textOf(await ask(key))).toBe(textOf(first));
    clock.advance(1);
    const later = await ask(key, { json: '{"good":"coffee"}' });
    expect(later.stored!.isReplayed).toBe(false);
    expect(await written()).toHaveLength(2);
    clock.advance(24 * hourMs - 1);
    expect(textOf(await ask(key, { json: '{"good":"coffee"}' }))).toBe(textOf(later));
  });
});

describe('DatabaseReplies when the handler throws', () => {
  it('replays a final error with its details', async () => {
    const key = newKey();
    const details = { reason: 'nonce_taken', nonces: [1] };
    let calls = 0;
    work = () =>
      Promise.reject(new DomainError('CONFLICT', `Rejected for the ${++calls}. time.`, { details }));
    const [first, second] = [await ask(key), await ask(key)];
    expect(second).toMatchObject({ ok: false, error: { message: 'Rejected for the 1. time.', details } });
    expect(textOf(second)).toBe(textOf(first));
    expect(second.stored).toMatchObject({ isReplayed: true, reply: { failure: 'CONFLICT' } });
  });

  it.each<[string, unknown]>([
    ['a fault', new Error('bug')],
    ['an unknown outcome', new DomainError('OUTCOME_UNKNOWN')],
    ['an unavailable service', new DomainError('SERVICE_UNAVAILABLE')],
    ['an unavailable provider', new DomainError('UPSTREAM_UNAVAILABLE')],
    ['too many requests', new DomainError('RATE_LIMIT_EXCEEDED')],
    ['a nested call that is still being served', new DomainError('IDEMPOTENCY_IN_PROGRESS')],
  ])('does not store %s, and serves the next call immediately', async (_case, error) => {
    const key = newKey();
    work = () => Promise.reject(error as Error);
    const failed = await ask(key);
    expect([failed.ok, failed.stored]).toEqual([false, undefined]);
    work = sellWithReply;
    expect(codeOf(await ask(key, { json: '{"good":"coffee"}' }))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(codeOf(await ask(key))).toBe('OK');
    expect(await written()).toHaveLength(1);
  });

  it('returns the reply that was committed before the error', async () => {
    const key = newKey();
    work = async (...call) => {
      await sellWithReply(...call);
      throw new Error('the connection broke during the commit');
    };
    const [first, second] = [await ask(key), await ask(key)];
    expect(JSON.parse(textOf(first))).toEqual({ id: (await written())[0] });
    expect(textOf(second)).toBe(textOf(first));
  });

  it('returns the error when the reply was rolled back', async () => {
    const key = newKey();
    work = async (_sale, context) => {
      await transaction(shop.database.pool, async (client) => {
        await storeReply(client, context, { id: 'rolled back' });
        throw new Error('nonce taken');
      }).catch(() => undefined);
      throw new DomainError('CONFLICT');
    };
    const [first, second] = [await ask(key), await ask(key)];
    expect([codeOf(first), codeOf(second)]).toEqual(['CONFLICT', 'CONFLICT']);
    expect(textOf(second)).toBe(textOf(first));
  });

  it('stores an error together with a write', async () => {
    const key = newKey();
    const rejection = new DomainError('TRANSACTION_FAILED', 'The chain rejects it.');
    work = async (_sale, context) => {
      await transaction(shop.database.pool, async (client) => {
        await write(client, { id: 'rejected' });
        await storeReply(client, context, rejection);
      });
      throw rejection;
    };
    const [first, second] = [await ask(key), await ask(key)];
    expect([codeOf(first), codeOf(second)]).toEqual(['TRANSACTION_FAILED', 'TRANSACTION_FAILED']);
    expect(textOf(second)).toBe(textOf(first));
  });
});

describe('DatabaseReplies, when a process dies or is slow', () => {
  it('calls the handler again after the lease when the process died before its write', async () => {
    const key = newKey();
    const { arrived, halt } = halting();
    work = async () => halt().then(() => ({ id: 'never' }));
    void ask(key);
    await arrived;
    work = sellWithReply;
    clock.advance(leaseMs - 1);
    expect(codeOf(await ask(key))).toBe('IDEMPOTENCY_IN_PROGRESS');
    clock.advance(1);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => ask(key)));
    expect(await written()).toHaveLength(1);
    expect(new Set(outcomes.filter(({ ok }) => ok).map(textOf)).size).toBe(1);
  });

  it('replays the reply when the process died after its commit', async () => {
    const key = newKey();
    const { arrived, halt } = halting();
    work = async (...call) => {
      const receipt = await sellWithReply(...call);
      await halt();
      return receipt;
    };
    void ask(key);
    await arrived;
    const next = await ask(key);
    expect(next.stored!.isReplayed).toBe(true);
    expect(JSON.parse(textOf(next))).toEqual({ id: (await written())[0] });
  });

  it('rolls back the write of a slow process when another process has completed the call', async () => {
    const key = newKey();
    const { arrived, goOn, halt } = halting();
    work = async (...call) => halt().then(() => sellWithReply(...call));
    const slow = ask(key);
    await arrived;
    work = sellWithReply;
    clock.advance(leaseMs);
    const fast = await ask(key);
    goOn();
    expect(codeOf(await slow)).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(await written()).toEqual([JSON.parse(textOf(fast)).id]);
    expect(textOf(await ask(key))).toBe(textOf(fast));
  });

  it('does not replace the reply of another process with the reply of a slow process', async () => {
    const key = newKey();
    const { arrived, goOn, halt } = halting();
    work = async () => halt().then(() => ({ id: 'slow' }));
    const slow = ask(key);
    await arrived;
    work = async () => ({ id: 'fast' });
    clock.advance(leaseMs);
    await ask(key);
    goOn();
    expect(codeOf(await slow)).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(textOf(await ask(key))).toBe('{"id":"fast"}');
  });

  it('accepts only the write of the latest claim, even if an earlier claim finishes first', async () => {
    const key = newKey();
    const one = halting();
    const two = halting();
    work = async (...call) => one.halt().then(() => sellWithReply(...call));
    const first = ask(key);
    await one.arrived;
    clock.advance(leaseMs);
    work = async (...call) => two.halt().then(() => sellWithReply(...call));
    const second = ask(key);
    await two.arrived;
    one.goOn();
    expect(codeOf(await first)).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(await written()).toEqual([]);
    two.goOn();
    expect(codeOf(await second)).toBe('OK');
    expect(await written()).toHaveLength(1);
  });
});

describe('DatabaseReplies and storeReply', () => {
  it('waits for a running commit and replays its reply', async () => {
    const key = newKey();
    const { arrived, goOn, halt } = halting();
    work = async (_sale, context) => {
      const receipt = { id: 'one' };
      await transaction(shop.database.pool, async (client) => {
        await write(client, receipt);
        await storeReply(client, context, receipt);
        await halt();
      });
      return receipt;
    };
    const first = ask(key);
    await arrived;
    const second = ask(key);
    await eventually(async () =>
      expect(
        await shop.fresh.query(`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`),
      ).toHaveLength(1),
    );
    goOn();
    expect(await Promise.all([first, second].map(async (it) => textOf(await it)))).toEqual(
      Array(2).fill('{"id":"one"}'),
    );
  });

  it('rolls back the write when its reply is too large for a message', async () => {
    const key = newKey();
    work = async (_sale, context) => {
      const receipt = { id: 'x'.repeat(1_000_001) };
      await transaction(shop.database.pool, async (client) => {
        await write(client, { id: 'too much' });
        await storeReply(client, context, receipt);
      });
      return receipt;
    };
    expect(codeOf(await ask(key))).toBe('INTERNAL_ERROR');
    expect(await written()).toEqual([]);
  });

  it('answers INTERNAL_ERROR when the reply cannot be stored', async () => {
    const key = newKey();
    work = async () => {
      await shop.fresh.query('ALTER TABLE idempotency_keys RENAME TO away');
      return { id: 'done' };
    };
    const outcome = await ask(key);
    await shop.fresh.query('ALTER TABLE away RENAME TO idempotency_keys');
    expect(codeOf(outcome)).toBe('INTERNAL_ERROR');
  });

  it('returns the committed reply when the handler returns a different reply', async () => {
    const key = newKey();
    work = async (...call) => {
      await sellWithReply(...call);
      return { id: 'computed later' };
    };
    const [first, second] = [await ask(key), await ask(key)];
    expect(JSON.parse(textOf(first))).toEqual({ id: (await written())[0] });
    expect(textOf(second)).toBe(textOf(first));
  });

  it('stores nothing outside of a transaction', async () => {
    work = async (_sale, context) => {
      const client = await shop.database.pool.connect();
      try {
        await storeReply(client, context, { id: 'alone' });
      } finally {
        client.release();
      }
      return { id: 'alone' };
    };
    expect(codeOf(await ask(newKey()))).toBe('INTERNAL_ERROR');
  });

  it('throws for a call that another store has claimed', async () => {
    const claim = { idempotencyKey: 'x', committed: undefined } as never;
    await expect(storeReply({} as TransactionClient, { claim }, {})).rejects.toThrow(
      'outside of the database',
    );
  });
});

describe('DatabaseReplies, with a reply that contains a secret', () => {
  const secret = 'tb_test_sk_very-secret';
  const stored = async () => {
    const [row] = await shop.fresh.query<{ row: string; reply: Buffer; is_sealed: boolean }>(
      'SELECT k::text AS row, reply, is_sealed FROM idempotency_keys k',
    );
    return row!;
  };

  it.each([true, false])(
    'replays the reply, and stores it encrypted (with its write: %s)',
    async (isWithWrite) => {
      const key = newKey();
      work = async (_sale, context) => {
        const receipt = { id: secret };
        if (isWithWrite)
          await transaction(shop.database.pool, (client) => storeReply(client, context, receipt));
        return receipt;
      };
      const [first, second] = [
        await ask(key, { name: 'makeSecret' }),
        await ask(key, { name: 'makeSecret' }),
      ];
      expect([textOf(first), textOf(second)]).toEqual(Array(2).fill(JSON.stringify({ id: secret })));
      const { row, reply, is_sealed } = await stored();
      expect(is_sealed).toBe(true);
      for (const text of [secret, key])
        for (const encoding of ['utf8', 'hex', 'base64'] as const) {
          const encoded = Buffer.from(text).toString(encoding);
          expect(reply.toString('latin1')).not.toContain(encoded);
          expect(row).not.toContain(encoded);
        }
    },
  );

  it('decrypts replies with the former secret during a rotation, and encrypts with the new one', async () => {
    const [before, during] = [newKey(), newKey()];
    work = async () => ({ id: secret });
    const replacing = new DatabaseReplies(shop.database.pool, clock, `${pepper}.,${pepper}`);
    const replaced = new DatabaseReplies(shop.database.pool, clock, `${pepper}.`);
    const askAt = (key: string, store?: DatabaseReplies) =>
      ask(key, { name: 'makeSecret', ...(store && { store }) });
    await askAt(before);
    await askAt(during, replacing);
    expect(textOf(await askAt(before, replacing))).toBe(JSON.stringify({ id: secret }));
    expect(textOf(await askAt(during, replaced))).toBe(JSON.stringify({ id: secret }));
    expect(codeOf(await askAt(before, replaced))).toBe('INTERNAL_ERROR');
    expect(codeOf(await askAt(during))).toBe('INTERNAL_ERROR');
  });

  it('does not decrypt the reply with another secret of the service, or in another row', async () => {
    const key = newKey();
    work = async () => ({ id: secret });
    await ask(key, { name: 'makeSecret' });
    const store = new DatabaseReplies(shop.database.pool, clock, `${pepper}.`);
    expect(codeOf(await ask(key, { name: 'makeSecret', store }))).toBe('INTERNAL_ERROR');
    const other = newKey();
    await ask(other, { name: 'makeSecret' });
    await shop.fresh.query(
      `UPDATE idempotency_keys SET reply = (SELECT reply FROM idempotency_keys ORDER BY key LIMIT 1)`,
    );
    const outcomes = [await ask(key, { name: 'makeSecret' }), await ask(other, { name: 'makeSecret' })];
    expect(outcomes.map(codeOf).sort()).toEqual(['INTERNAL_ERROR', 'OK']);
  });

  it('does not call the handler when it cannot encrypt the reply', async () => {
    let isCalled = false;
    work = async () => {
      isCalled = true;
      return { id: secret };
    };
    const store = new DatabaseReplies(shop.database.pool, clock);
    const outcome = await ask(newKey(), { name: 'makeSecret', store });
    expect([codeOf(outcome), isCalled]).toEqual(['INTERNAL_ERROR', false]);
  });
});

describe('DatabaseReplies.deleteOld', () => {
  it('deletes only expired keys, in batches', async () => {
    for (let made = 0; made < 5; made++) await ask(newKey());
    clock.advance(12 * hourMs);
    const younger = newKey();
    const first = await ask(younger);
    clock.advance(12 * hourMs);
    expect([await replies.deleteOld(3), await replies.deleteOld(3), await replies.deleteOld(3)]).toEqual([
      3, 2, 0,
    ]);
    expect(textOf(await ask(younger))).toBe(textOf(first));
  });

  it('does not delete the expired key of a call that is still running', async () => {
    const key = newKey();
    work = () => Promise.reject(new DomainError('SERVICE_UNAVAILABLE'));
    await ask(key);
    clock.advance(24 * hourMs - 1);
    const { arrived, goOn, halt } = halting();
    work = async (...call) => halt().then(() => sellWithReply(...call));
    const late = ask(key);
    await arrived;
    clock.advance(1);
    expect(await replies.deleteOld(10)).toBe(0);
    expect(codeOf(await ask(key))).toBe('IDEMPOTENCY_IN_PROGRESS');
    goOn();
    expect(codeOf(await late)).toBe('OK');
    expect(await replies.deleteOld(10)).toBe(1);
  });
});
