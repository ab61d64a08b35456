import { PurchaseChanged } from '@tollbridge/contracts';
import {
  callContext,
  decode,
  DomainError,
  keyPrincipal,
  walletPrincipal,
  type BusOperation,
} from '@tollbridge/rpc';
import { Database } from '@tollbridge/database';
import { KeyBudgets } from '@tollbridge/key-budgets';
import { ProviderError, type ProviderErrorKind } from '@tollbridge/http';
import { eventually, ManualClock, type FreshDatabase } from '@tollbridge/testing';
import type { Progress, Purchase } from './purchase';
import type { PurchaseKind } from './purchase-kind';
import { PurchaseOutcomes } from './purchase-outcomes';
import { PurchasePollsRepository } from './purchase-polls.repository';
import { leaseMs, Purchases } from './purchases';
import { PurchaseRow } from './purchases.entity';
import { PurchasesRepository } from './purchases.repository';
import { PurchasesWorker } from './purchases.worker';
import { migratedDatabase } from '../testing/migrated-database';

const keyId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const byKey = callContext({ principal: keyPrincipal(keyId, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8') });
const silent = { warn: () => undefined, info: () => undefined, error: () => undefined } as never;
const lost = (kind: ProviderErrorKind) => new ProviderError('teas', { kind, message: 'it failed' });

interface TeaTerms {
  leaves: string;
  remark?: string | undefined;
}

/** A fake provider that records sales. It loses or rejects requests as the test configures. */
class TeaShop implements PurchaseKind<TeaTerms> {
  readonly kind = 'tea';
  readonly spend = 'purchase';
  readonly settleMs = 5_000;
  readonly sold = new Map<string, Progress>();
  asked = 0;
  /** Hooks before and after a sale. An error that they throw reaches the client. */
  before: () => unknown = () => undefined;
  after: () => unknown = () => undefined;
  become: Progress['status'] = 'completed';

  async buy({ leaves }: TeaTerms, reference: string): Promise<Progress> {
    this.asked++;
    await this.before();
    const progress = { status: this.become, providerId: `t-${this.asked}`, result: { leaves } };
    this.sold.set(reference, progress);
    await this.after();
    return progress;
  }

  async find(reference: string): Promise<Progress | undefined> {
    const progress = this.sold.get(reference);
    return progress && { ...progress, status: this.become };
  }
}

let database: FreshDatabase;
let connection: Database;
let repository: PurchasesRepository;
let clock: ManualClock;
let shop: TeaShop;
let budgets: [string, Record<string, unknown>][];
let budget: () => unknown;

beforeAll(async () => {
  database = await migratedDatabase();
  const options = {
    app: 'service-api',
    url: database.runtimeUrl,
    entities: [PurchaseRow],
    maxConnections: 8,
    // Several hundred purchases wait for these connections.
    connectTimeoutMs: 60_000,
  };
  connection = await Database.open(options);
});
afterAll(async () => {
  await connection?.close();
  await database?.drop();
});
beforeEach(() => {
  repository = new PurchasesRepository(connection);
  [clock, shop, budgets] = [new ManualClock(), new TeaShop(), []];
  budget = () => ({ status: 'reserved', isUnbounded: false });
});
afterEach(() => connection.pool.query('DELETE FROM purchases'));

/** One replica of the app. */
function replica(kinds: PurchaseKind<any>[] = [shop]): { purchases: Purchases; worker: PurchasesWorker } {
  const call = async (operation: BusOperation<any, any>, input: Record<string, unknown>) => {
    budgets.push([operation.name, input]);
    const answer = budget();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const outbox = { wake: () => undefined } as never;
  const hints = { wakes: () => undefined, idleUntil: () => ({ kind: 'done' }) } as never;
  const spends = new KeyBudgets({ call } as never);
  const outcomes = new PurchaseOutcomes(repository, outbox, clock, silent);
  const polls = new PurchasePollsRepository(connection);
  return {
    purchases: new Purchases(repository, spends, outcomes, clock),
    worker: new PurchasesWorker(repository, polls, outbox, hints, kinds, clock, silent),
  };
}

const wish = (reference?: string, leaves = 'green') => ({
  terms: { leaves },
  provider: 'teas',
  ...(reference !== undefined && { reference }),
  valueUsd: '2.5',
  description: 'Tea',
});
const buy = (reference?: string, leaves?: string, context = byKey): Promise<Purchase> =>
  replica().purchases.buy(shop, wish(reference, leaves), context);
const codeOf = (buying: Promise<unknown>): Promise<string> =>
  buying.then(
    () => 'OK',
    (error) => (error as DomainError).code,
  );
const stored = async () =>
  (await database.query<{ status: string }>('SELECT status FROM purchases')).map((it) => it.status);
const publishedEvents = async (id: string) =>
  (
    await database.query<{ data: PurchaseChanged }>(
      "SELECT payload->'data' AS data FROM outbox WHERE aggregate_id = $1 ORDER BY seq",
      [id],
    )
  ).map(({ data }) => data);
/** Advances the clock and runs the worker once. */
async function later(ms: number): Promise<void> {
  clock.advance(ms);
  await replica().worker.step();
}

it('buys once for 50 concurrent calls with one reference on two replicas', async () => {
  const replicas = [replica(), replica()];
  shop.before = () => new Promise((resolve) => setTimeout(resolve, 200));
  const asked = Array.from({ length: 50 }, (_, at) =>
    replicas[at % 2]!.purchases.buy(shop, wish('mine'), byKey),
  );
  const bought = await Promise.all(asked);
  expect(shop.asked).toBe(1);
  expect(new Set(bought.map(({ id, status }) => `${id} ${status}`)).size).toBe(1);
  expect([...shop.sold.keys()]).toEqual([bought[0]!.id]);
  expect(budgets.map(([name, { reference, kind }]) => [name, reference, kind])).toEqual([
    ['reserve', bought[0]!.id, 'purchase'],
  ]);
  const events = await publishedEvents(bought[0]!.id);
  expect(events).toMatchObject([
    { status: 'completed', provider_id: 't-1', key_id: keyId, value_usd: '2.5' },
  ]);
  expect(decode(PurchaseChanged, events[0])).toMatchObject({ ok: true });
});

it('buys each time without a reference, and separates references by wallet', async () => {
  const ids = [await buy(), await buy(), await buy('tea-1')].map(({ id }) => id);
  ids.push((await buy('tea-1', 'green', callContext({ principal: walletPrincipal('0xBob') }))).id);
  expect(new Set(ids).size).toBe(4);
  expect(shop.asked).toBe(4);
});

it('rejects a reference that was used with other terms', async () => {
  await buy('tea-1', 'green');
  expect(await codeOf(buy('tea-1', 'black'))).toBe('CONFLICT');
  // The terms are the same in the form that JSON stores.
  const again = { ...wish('tea-1'), terms: { leaves: 'green', remark: undefined } };
  expect(await codeOf(replica().purchases.buy(shop, again, byKey))).toBe('OK');
  expect(shop.asked).toBe(1);
});

it.each<[string, Error, string]>([
  [
    'a rejection',
    new DomainError('PURCHASE_REFUSED', 'Sold out.', { details: { reason: 'OUT_OF_STOCK' } }),
    'PURCHASE_REFUSED',
  ],
  ['an unknown rejection', lost('rejected'), 'PURCHASE_REFUSED'],
  ['an outage of the provider', lost('unavailable'), 'UPSTREAM_UNAVAILABLE'],
  ['a rate limit of the provider', lost('rateLimited'), 'UPSTREAM_UNAVAILABLE'],
])('buys nothing, releases the budget and allows a retry after %s', async (_case, error, code) => {
  shop.before = () => {
    throw error;
  };
  expect(await codeOf(buy('tea-1'))).toBe(code);
  expect(budgets.map(([name]) => name)).toEqual(['reserve', 'release']);
  expect(await stored()).toEqual(['refused']);
  shop.before = () => undefined;
  expect(await buy('tea-1', 'black')).toMatchObject({ status: 'completed', result: { leaves: 'black' } });
});

it('sends nothing over the budget, and allows a retry', async () => {
  budget = () => new DomainError('BUDGET_EXCEEDED', 'Not this month.');
  expect(await codeOf(buy('tea-1'))).toBe('BUDGET_EXCEEDED');
  expect([shop.asked, await stored()]).toEqual([0, ['refused']]);
  budget = () => ({ status: 'reserved', isUnbounded: false });
  expect(await codeOf(buy('tea-1'))).toBe('OK');
});

describe('A lost reply', () => {
  const loseAnswer = (): never => {
    throw lost('unknownOutcome');
  };

  it('leads to a reconciled purchase, which is made once', async () => {
    shop.after = loseAnswer;
    expect(await codeOf(buy('tea-1'))).toBe('OUTCOME_UNKNOWN');
    expect(budgets.map(([name]) => name)).toEqual(['reserve']);
    // A repeated call does not buy again during this time.
    expect(await codeOf(buy('tea-1'))).toBe('OUTCOME_UNKNOWN');
    await later(2_000);
    const found = await buy('tea-1');
    expect(found).toMatchObject({ status: 'completed', providerId: 't-1' });
    expect(shop.asked).toBe(1);
    expect((await publishedEvents(found.id)).map(({ status }) => status)).toEqual(['unknown', 'completed']);
  });

  it("declines the purchase only after the provider's settle time", async () => {
    shop.before = loseAnswer;
    expect(await codeOf(buy('tea-1'))).toBe('OUTCOME_UNKNOWN');
    await later(leaseMs);
    expect(await stored()).toEqual(['unknown']);
    await later(5 * 60_000);
    expect(await stored()).toEqual(['refused']);
    shop.before = () => undefined;
    expect(await codeOf(buy('tea-1'))).toBe('OK');
  });

  it.each<[string, unknown]>([
    ['an invalid reply', lost('badReply')],
    ['an error of this app', new TypeError('undefined is not a function')],
  ])('stays unknown after %s', async (_case, error) => {
    shop.after = () => {
      throw error;
    };
    expect(await codeOf(buy('tea-1'))).toBe('OUTCOME_UNKNOWN');
    await later(2_000);
    expect(await stored()).toEqual(['completed']);
  });

  it('stays unknown for a provider without lookup', async () => {
    const mute = new TeaShop();
    Object.assign(mute, { find: undefined });
    mute.after = loseAnswer;
    expect(await codeOf(replica([mute]).purchases.buy(mute, wish('tea-1'), byKey))).toBe('OUTCOME_UNKNOWN');
    clock.advance(60 * 60_000);
    await replica([mute]).worker.step();
    expect(await database.query('SELECT status, check_at FROM purchases')).toEqual([
      { status: 'unknown', check_at: null },
    ]);
  });
});

it('rejects the 501st concurrent purchase with retryAfter', async () => {
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  shop.before = () => held;
  const { purchases } = replica();
  const buy = (at: number) => purchases.buy(shop, wish(`tea-${at}`), byKey);
  const buying = Array.from({ length: 499 }, (_, at) => buy(at));
  while (shop.asked < 499) await new Promise((resolve) => setTimeout(resolve, 10));
  // A call that only waits for another call's reply uses no slot.
  for (const _again of [1, 2, 3]) {
    buying.push(buy(0));
    await eventually(() => expect(Reflect.get(purchases, 'concurrent')).toBe(499));
  }
  buying.push(buy(499));
  const beyond = purchases.buy(shop, wish('one more'), byKey);
  await expect(beyond).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 5 });
  goOn();
  await Promise.all(buying);
  expect([shop.asked, budgets.length]).toEqual([500, 500]);
  expect(await codeOf(purchases.buy(shop, wish('one more'), byKey))).toBe('OK');
});

describe('A database outage after the reply of the provider', () => {
  const away = new Error('timeout exceeded when trying to connect');

  it('retries the write after a short outage', async () => {
    jest.spyOn(repository, 'change').mockRejectedValueOnce(away);
    expect(await buy('tea-1')).toMatchObject({ status: 'completed', providerId: 't-1' });
    expect(await stored()).toEqual(['completed']);
  });

  it('leaves the outcome unknown and the budget reserved until it is reconciled', async () => {
    const change = jest.spyOn(repository, 'change').mockRejectedValue(away);
    expect(await codeOf(buy('tea-1'))).toBe('OUTCOME_UNKNOWN');
    expect(budgets.map(([name]) => name)).toEqual(['reserve']);
    change.mockRestore();
    await later(leaseMs);
    expect(await stored()).toEqual(['completed']);
    expect(await buy('tea-1')).toMatchObject({ providerId: 't-1' });
    expect(shop.asked).toBe(1);
  });

  it.each<[string, Error, string, string[]]>([
    ['a rejection', new DomainError('PURCHASE_REFUSED'), 'PURCHASE_REFUSED', ['reserve', 'release']],
    ['an unknown outcome', lost('unknownOutcome'), 'OUTCOME_UNKNOWN', ['reserve']],
  ])('keeps the meaning of %s', async (_case, error, code, asked) => {
    jest.spyOn(repository, 'change').mockRejectedValue(away);
    shop.before = () => {
      throw error;
    };
    expect(await codeOf(buy('tea-1'))).toBe(code);
    expect(budgets.map(([name]) => name)).toEqual(asked);
  });
});

it('returns a late rejection even after another call has claimed the reference', async () => {
  let decline: () => void = () => undefined;
  shop.before = () =>
    new Promise((_resolve, reject) => (decline = () => reject(new DomainError('PURCHASE_REFUSED'))));
  const slow = codeOf(buy('tea-1'));
  while (shop.asked === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await later(leaseMs + 6_000);
  shop.before = () => undefined;
  const { id } = await buy('tea-1');
  decline();
  expect(await slow).toBe('PURCHASE_REFUSED');
  expect(await database.query('SELECT id, status FROM purchases')).toEqual([{ id, status: 'completed' }]);
});

it('reconciles the purchase of a stopped process after its lease', async () => {
  let sold: () => void = () => undefined;
  const wasSold = new Promise<void>((resolve) => (sold = resolve));
  // Never returns, like a stopped process.
  shop.after = () => {
    sold();
    return new Promise(() => undefined);
  };
  void buy('tea-1');
  await wasSold;
  await later(leaseMs - 1);
  expect(await stored()).toEqual(['buying']);
  await later(1);
  expect(await stored()).toEqual(['completed']);
  shop.after = () => undefined;
  expect(await buy('tea-1')).toMatchObject({ providerId: 't-1' });
  expect(shop.asked).toBe(1);
});

it('stores a success that arrives after the purchase was declined', async () => {
  let goOn: () => void = () => undefined;
  shop.before = () => new Promise<void>((resolve) => (goOn = resolve));
  const slow = buy('tea-1');
  while (shop.asked === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await later(leaseMs + 6_000);
  expect(await stored()).toEqual(['refused']);
  goOn();
  const { id } = await slow;
  expect(await stored()).toEqual(['completed']);
  expect((await publishedEvents(id)).map(({ status }) => status)).toEqual(['refused', 'completed']);
});

it.each(['completed', 'failed', 'refunded'] as const)(
  'polls a pending purchase with growing pauses until it is %s',
  async (end) => {
    shop.become = 'pending';
    const { id } = await buy('tea-1');
    const find = jest.spyOn(shop, 'find');
    for (let second = 0; second < 60; second++) await later(1_000);
    expect(find.mock.calls.length).toBeGreaterThan(3);
    expect(find.mock.calls.length).toBeLessThan(8);
    shop.become = end;
    await later(5 * 60_000);
    expect(await stored()).toEqual([end]);
    find.mockClear();
    await later(24 * 60 * 60_000);
    expect(find).not.toHaveBeenCalled();
    expect((await publishedEvents(id)).map(({ status }) => status)).toEqual(['pending', end]);
    expect(await buy('tea-1')).toMatchObject({ id, status: end });
  },
);

it('shares due purchases between workers, and retries a failed lookup', async () => {
  shop.become = 'pending';
  await Promise.all(Array.from({ length: 30 }, (_, at) => buy(`tea-${at}`)));
  const find = jest.spyOn(shop, 'find').mockRejectedValue(lost('unavailable'));
  clock.advance(2_000);
  const workers = [replica().worker, replica().worker];
  // Each worker skips rows that the other has locked, so the number of rows of each varies.
  await Promise.all(workers.map((worker) => worker.step()));
  for (const worker of workers) await worker.step();
  expect(new Set(find.mock.calls.map(([reference]) => reference)).size).toBe(30);
  expect(find).toHaveBeenCalledTimes(30);
  shop.become = 'completed';
  find.mockRestore();
  clock.advance(10 * 60_000);
  expect([await workers[0]!.step(), await workers[0]!.step()]).toEqual([{ kind: 'more' }, { kind: 'done' }]);
  expect(new Set(await stored())).toEqual(new Set(['completed']));
});
