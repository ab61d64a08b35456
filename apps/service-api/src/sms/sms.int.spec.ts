import { smsApi, type AwaitedCode } from '@tollbridge/contracts';
import { fiveSimToken } from '@tollbridge/app-sandbox';
import { keyPrincipal, type DomainError } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { PurchasesWorker } from '../purchases/purchases.worker';
import { alice, bob, SmsHarness } from '../testing/sms-harness';
import { WaitingCalls } from '../waiting/waiting-calls';
import { CodeArrivals } from './numbers/code-arrivals';
import { NumberReturns } from './numbers/number-returns';
import { VirtualNumbers } from './numbers/virtual-numbers';

const { rentNumber, codeStatus, awaitCode, sendSms } = smsApi.operations;
let harness: SmsHarness;

beforeAll(async () => {
  harness = await SmsHarness.start();
});
afterAll(() => harness?.close());
beforeEach(async () => {
  await harness.database.query('DELETE FROM purchases');
  await harness.database.query('DELETE FROM sms_number_returns');
  const { smsActivate, twilio } = harness.simulators;
  smsActivate.asked.length = 0;
  smsActivate.numbers.codeAfterMs = 300;
  smsActivate.hasList = true;
  smsActivate.outage.mode = 'up';
  twilio.sendsAsked = 0;
  harness.budgets.calls.length = 0;
});

const failureOf = (call: Promise<unknown>): Promise<DomainError> =>
  call.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: DomainError) => error,
  );
const asked = (action: string) => harness.simulators.smsActivate.asked.filter((it) => it === action).length;
const released = () => harness.budgets.calls.filter(({ subject }) => subject.endsWith('release')).length;
const returns = () => harness.apps[0]!.context.get(NumberReturns, { strict: false });
const follow = () => harness.apps[0]!.context.get(PurchasesWorker, { strict: false }).step();
const balance = () => harness.simulators.smsActivate.numbers.balanceMicros;

describe('A rented number', () => {
  it('rents once and receives a code', async () => {
    harness.simulators.smsActivate.numbers.codeAfterMs = 60_000;
    const rented = await harness.call(rentNumber, { service: 'tg', country: 44 }, { idempotencyKey: 'one' });
    expect(rented).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      activationId: expect.stringMatching(/^\d+$/),
      number: expect.stringMatching(/^\+447400\d{6}$/),
    });
    const { id } = rented;
    expect(await harness.call(codeStatus, { id })).toEqual({ ...rented, status: 'STATUS_WAIT_CODE' });
    harness.clock.move(60_000);
    await eventually(async () => {
      expect(await harness.call(codeStatus, { id })).toEqual({
        ...rented,
        status: 'received',
        code: expect.stringMatching(/^\d{6}$/),
      });
    });
    expect(asked('getNumber')).toBe(1);
    const [reserved] = harness.budgets.calls;
    expect(reserved!.input).toMatchObject({ kind: 'purchase', reference: id, valueUsd: '0.55' });
    expect(await harness.purchases()).toMatchObject([{ id, value_usd: '0.55' }]);
  });

  it('buys once per Idempotency-Key, and never stores the code', async () => {
    const given = { idempotencyKey: 'twice' };
    const rents = await Promise.all(
      [1, 2, 3].map(() =>
        harness.call(rentNumber, { service: 'tg', country: 44 }, given).catch(() => undefined),
      ),
    );
    const first = rents.find((it) => it)!;
    expect(await harness.call(rentNumber, { service: 'tg', country: 44 }, given)).toEqual(first);
    expect(asked('getNumber')).toBe(1);
    const code = await eventually(async () => {
      const { code } = await harness.call(codeStatus, { id: first.id });
      expect(code).toBeDefined();
      return code!;
    });
    // Repeated, because the app's own worker may hold the lease of the purchase.
    await eventually(async () => {
      harness.clock.move(3_000);
      await follow();
      expect(await harness.purchases()).toMatchObject([{ status: 'completed' }]);
    });
    const rows = await harness.database.query('SELECT p::text FROM purchases p');
    expect(JSON.stringify(rows)).not.toContain(code);
    // The number is still returned together with the code.
    expect(await harness.call(codeStatus, { id: first.id })).toMatchObject({ number: first.number, code });
  });

  it('returns 404 for another wallet and for an unknown number', async () => {
    const { id } = await harness.call(rentNumber, { service: 'tg', country: 44 });
    const [foreign, missing, odd] = await Promise.all([
      failureOf(harness.call(codeStatus, { id }, { wallet: bob! })),
      failureOf(harness.call(codeStatus, { id: id.replace(/.$/, (it) => (it === '0' ? '1' : '0')) })),
      failureOf(harness.call(codeStatus, { id: 'no-id' })),
    ]);
    const bytes = [foreign, missing, odd].map(({ code, message, details }) =>
      JSON.stringify({ code, message, details }),
    );
    expect(new Set(bytes).size).toBe(1);
    expect(missing.code).toBe('NOT_FOUND');
    const sent = await harness.call(sendSms, { to: '+447400123456', body: 'Hi' });
    const [message] = (await harness.purchases()).filter(({ provider_id }) => provider_id === sent.sid);
    expect((await failureOf(harness.call(codeStatus, { id: message!.id }))).code).toBe('NOT_FOUND');
  });

  it('refunds an unused number, and releases its budget', async () => {
    const before = balance();
    const { id } = await harness.call(rentNumber, { service: 'x1', country: 44 });
    harness.clock.move(20 * 60_000);
    await eventually(async () => {
      harness.clock.move(5 * 60_000);
      await follow();
      expect(await harness.purchases()).toMatchObject([{ status: 'refunded' }]);
    });
    expect(balance()).toBe(before);
    expect(await harness.call(codeStatus, { id })).toMatchObject({ status: 'STATUS_CANCEL' });
  });

  it.each<[number | string, string, string]>([
    [1, 'the USA', '+1415'],
    ['CA', 'Canada', '+1416'],
    [7, 'Russia', '+7916'],
    ['KZ', 'Kazakhstan', '+7701'],
    [86, 'China', '+86131'],
    ['it', 'Italy', '+39347'],
    [380, 'Ukraine', '+38050'],
  ])('rents a number for the country %j: %s', async (country, _name, prefix) => {
    const { number } = await harness.call(rentNumber, { service: 'tg', country });
    expect(number.startsWith(prefix)).toBe(true);
    const [stored] = await harness.database.query<{ country: string }>(
      `SELECT terms::jsonb ->> 'country' AS country FROM purchases`,
    );
    expect(stored!.country).toMatch(/^[A-Z]{2}$/);
  });

  it.each([999, 881, 1_242, 0, -1, 4.4, '44', 'UK', 'ZZ', 'GBR', null, [44], {}])(
    'rejects the invalid country %j',
    async (country) => {
      const failure = await failureOf(harness.call(rentNumber, { service: 'tg', country } as never));
      expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'country' }] });
      const wait = { service: 'tg', country, timeout: 1 } as never;
      expect((await failureOf(harness.call(awaitCode, wait))).code).toBe('VALIDATION_ERROR');
      expect(harness.simulators.smsActivate.asked).toEqual([]);
    },
  );

  it.each(['FO', 679])('declines the country %j, which the provider does not offer', async (country) => {
    const failure = await failureOf(harness.call(rentNumber, { service: 'tg', country }));
    expect(failure).toMatchObject({
      code: 'PURCHASE_REFUSED',
      status: 422,
      details: { reason: 'COUNTRY_NOT_OFFERED' },
    });
    expect(asked('getNumber')).toBe(0);
  });

  it.each<[string, { service: string; country: number }, string, unknown, number]>([
    ['an unknown service', { service: 'zz', country: 44 }, 'VALIDATION_ERROR', 'service', 0],
    ['a sold-out service', { service: 'x2', country: 44 }, 'PURCHASE_REFUSED', 'OUT_OF_STOCK', 1],
    ['an account without money', { service: 'x3', country: 44 }, 'UPSTREAM_UNAVAILABLE', undefined, 1],
    ['a banned account', { service: 'x4', country: 44 }, 'UPSTREAM_UNAVAILABLE', undefined, 1],
  ])('declines a rental for %s', async (_case, wish, code, reason, asks) => {
    const failure = await failureOf(harness.call(rentNumber, wish));
    const details = failure.details as { reason?: string }[] & { reason?: string };
    expect(failure.code).toBe(code);
    expect(details?.reason ?? (details?.[0] as { field?: string } | undefined)?.field).toBe(reason);
    expect(asked('getNumber')).toBe(asks);
    expect(JSON.stringify(failure)).not.toMatch(/sms-activate|BAD_|BANNED|NO_/);
    await eventually(() => expect(released()).toBe(asks));
  });

  it('sends no request to the provider for an invalid request', async () => {
    const failure = await failureOf(harness.call(rentNumber, { service: 'TG!', country: -1 }));
    expect((failure.details as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'country',
      'service',
    ]);
    expect(harness.simulators.smsActivate.asked).toEqual([]);
  });

  it('rents a number for each of 200 concurrent calls', async () => {
    // With a key without budgets, calls do not wait for a reservation. 200 concurrent reservations could time out.
    const before = harness.budgets.answer;
    harness.budgets.answer = () => ({ output: { status: 'reserved', isUnbounded: true } });
    const principal = keyPrincipal(randomUUID(), alice!);
    const one = (idempotencyKey: string): Promise<string> =>
      harness.call(rentNumber, { service: 'tg', country: 44 }, { principal, idempotencyKey }).then(
        ({ number }) => number,
        ({ code }: DomainError) => code,
      );
    const first = await one('before');
    const numbers = [
      first,
      ...(await Promise.all(Array.from({ length: 200 }, (_, at) => one(`burst-${at}`)))),
    ];
    expect(numbers.filter((it) => !it.startsWith('+'))).toEqual([]);
    expect([new Set(numbers).size, asked('getNumber')]).toEqual([201, 201]);
    // Calls are recorded after their work.
    await eventually(() => expect(harness.budgets.calls.length).toBeGreaterThanOrEqual(201));
    harness.budgets.answer = before;
    // Concurrent calls share one price request.
    expect(asked('getPrices')).toBeLessThan(100);
  });

  it('rents nothing over the budget of the key', async () => {
    const before = harness.budgets.answer;
    harness.budgets.answer = () => ({ failure: { code: 'BUDGET_EXCEEDED', message: 'Not this month.' } });
    const failure = await failureOf(harness.call(rentNumber, { service: 'tg', country: 44 }));
    harness.budgets.answer = before;
    expect([failure.code, asked('getNumber')]).toEqual(['BUDGET_EXCEEDED', 0]);
  });
});

describe('A lost reply', () => {
  const rentLost = async (key: string, country = 91): Promise<void> => {
    const call = harness.call(rentNumber, { service: 'x5', country }, { idempotencyKey: key });
    expect((await failureOf(call)).code).toBe('OUTCOME_UNKNOWN');
  };
  const statuses = async () => (await harness.purchases()).map(({ status }) => status).sort();
  const lookAgain = async (): Promise<void> => {
    harness.clock.move(5_000);
    await follow();
  };

  it('reconciles the purchase from the list of active numbers when it is unambiguous', async () => {
    harness.simulators.smsActivate.numbers.codeAfterMs = 3_600_000;
    await rentLost('lost-1');
    await eventually(async () => {
      await lookAgain();
      expect(await statuses()).toEqual(['pending']);
    });
    const found = await harness.call(
      rentNumber,
      { service: 'x5', country: 91 },
      { idempotencyKey: 'lost-1' },
    );
    expect(found.number).toMatch(/^\+9198/);
    expect(await harness.call(codeStatus, { id: found.id })).toMatchObject({ status: 'STATUS_WAIT_CODE' });
    expect(asked('getNumber')).toBe(1);
  });

  it('reconciles a purchase with the older form of the country', async () => {
    harness.simulators.smsActivate.numbers.codeAfterMs = 3_600_000;
    await rentLost('lost-old', 62);
    await harness.database.query(`UPDATE purchases SET terms = jsonb_set(terms::jsonb, '{country}', '6')`);
    await eventually(async () => {
      await lookAgain();
      expect(await statuses()).toEqual(['pending']);
    });
  });

  it('stays unknown when another purchase has the same terms in the older form', async () => {
    harness.simulators.smsActivate.numbers.codeAfterMs = 3_600_000;
    await rentLost('lost-old-1', 380);
    await harness.database.query(`UPDATE purchases SET terms = jsonb_set(terms::jsonb, '{country}', '1')`);
    await rentLost('lost-new-1', 380);
    await lookAgain();
    await lookAgain();
    expect(await statuses()).toEqual(['unknown', 'unknown']);
  });

  it('stays unknown when it is ambiguous, and is refunded with its number', async () => {
    harness.simulators.smsActivate.numbers.codeAfterMs = 3_600_000;
    const before = balance();
    await rentLost('lost-2');
    await rentLost('lost-3');
    expect(balance()).toBe(before - 1_000_000n);
    await lookAgain();
    await lookAgain();
    expect(await statuses()).toEqual(['unknown', 'unknown']);
    harness.clock.move(26 * 60_000);
    await eventually(async () => {
      await lookAgain();
      expect(await statuses()).toEqual(['refunded', 'refunded']);
    });
    expect(asked('getNumber')).toBe(2);
    // The client never received a number.
    const again = harness.call(rentNumber, { service: 'x5', country: 91 }, { idempotencyKey: 'lost-2' });
    expect(await failureOf(again)).toMatchObject({
      code: 'PURCHASE_REFUSED',
      details: { reason: 'REFUNDED' },
    });
  });
});

/** Starts many waiting calls, a few at a time. A call that gets no database connection is rejected and retried. */
async function byAndBy(count: number, begin: () => unknown): Promise<void> {
  for (let rented = 0; rented < count; rented = asked('getNumber')) {
    const batch = Math.min(5, count - rented);
    for (let at = 0; at < batch; at++) begin();
    const isThere = () => expect(asked('getNumber')).toBe(rented + batch);
    await eventually(isThere, { timeoutMs: 3_000 }).catch(() => undefined);
  }
}

describe('Waiting for a code', () => {
  const wait = (service: string, timeout: number, given: object = {}) =>
    harness.call(awaitCode, { service, country: 44, timeout }, given);

  it('returns the code', async () => {
    const awaited = await wait('tg', 20);
    expect(awaited).toEqual({
      id: expect.any(String),
      activationId: expect.any(String),
      number: expect.stringMatching(/^\+44/),
      code: expect.stringMatching(/^\d{6}$/),
    });
    expect(await harness.purchases()).toMatchObject([{ id: awaited.id, status: 'completed' }]);
    expect(await harness.returns()).toEqual([]);
    expect(await harness.call(codeStatus, { id: awaited.id })).toMatchObject({ code: awaited.code });
  });

  it('replays the code of a repeated call', async () => {
    const first = await wait('tg', 20, { idempotencyKey: 'wait-1' });
    expect(await wait('tg', 20, { idempotencyKey: 'wait-1' })).toEqual(first);
    expect(asked('getNumber')).toBe(1);
    const replays = await harness.database.query('SELECT r::text FROM idempotency_replies r').catch(() => []);
    expect(JSON.stringify(replays)).not.toContain(first.code);
  });

  it('times out without a code, and returns the number for a refund', async () => {
    const before = balance();
    const awaited = await wait('x1', 1);
    expect(awaited).toMatchObject({ code: null, timeout: true });
    expect(asked('setStatus')).toBe(1);
    const [planned] = await harness.returns();
    const inMs = planned!.return_at.getTime() - harness.clock.now();
    expect(inMs).toBeGreaterThan(110_000);
    expect(inMs).toBeLessThan(121_000);
    expect(await harness.purchases()).toMatchObject([{ status: 'pending' }]);
    harness.clock.move(121_000);
    await eventually(async () => {
      await returns().step();
      expect(await harness.purchases()).toMatchObject([{ id: awaited.id, status: 'refunded' }]);
    });
    expect(balance()).toBe(before);
    expect(await harness.returns()).toEqual([]);
    const published = await harness.database.query<{ status: string }>(
      "SELECT payload->'data'->>'status' AS status FROM outbox WHERE aggregate_id = $1 ORDER BY seq",
      [awaited.id],
    );
    expect(published.at(-1)).toEqual({ status: 'refunded' });
    expect(await harness.call(codeStatus, { id: awaited.id })).toMatchObject({ status: 'STATUS_CANCEL' });
  });

  it('ends when the client disconnects, and returns the number', async () => {
    const leaving = new AbortController();
    const call = failureOf(wait('x1', 120, { signal: leaving.signal }));
    await eventually(async () => expect(await harness.purchases()).toMatchObject([{ status: 'pending' }]));
    leaving.abort();
    expect((await call).code).toBe('OUTCOME_UNKNOWN');
    await eventually(() => expect(asked('setStatus')).toBe(1));
    harness.clock.move(121_000);
    await eventually(async () => {
      await returns().step();
      expect(await harness.purchases()).toMatchObject([{ status: 'refunded' }]);
    });
  });

  it('rents nothing for a disconnected client', async () => {
    let answerPrice: (price: string) => void = () => undefined;
    const numbers = harness.apps[0]!.context.get<VirtualNumbers>(VirtualNumbers, { strict: false });
    const price = jest
      .spyOn(numbers, 'price')
      .mockImplementation(() => new Promise((resolve) => (answerPrice = resolve)));
    const calls = jest.spyOn(harness.apps[0]!.context.get(WaitingCalls, { strict: false }), 'during');
    const leaving = new AbortController();
    const call = failureOf(wait('x1', 120, { signal: leaving.signal }));
    await eventually(() => expect(price).toHaveBeenCalled());
    leaving.abort();
    expect((await call).code).toBe('OUTCOME_UNKNOWN');
    await eventually(() => expect(calls.mock.calls.map(([{ signal }]) => signal?.aborted)).toEqual([true]));
    answerPrice('0.55');
    price.mockRestore();
    calls.mockRestore();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([asked('getNumber'), await harness.purchases()]).toEqual([0, []]);
  });

  it('continues after an outage of the provider', async () => {
    harness.simulators.smsActivate.numbers.codeAfterMs = 1_500;
    const call = wait('tg', 20);
    await eventually(() => expect(asked('getNumber')).toBe(1));
    harness.simulators.smsActivate.outage.mode = 'down';
    await new Promise((resolve) => setTimeout(resolve, 500));
    harness.simulators.smsActivate.outage.mode = 'up';
    expect((await call).code).toMatch(/^\d{6}$/);
  });

  it('works with a provider without a list of active numbers', async () => {
    harness.simulators.smsActivate.hasList = false;
    expect((await wait('tg', 20)).code).toMatch(/^\d{6}$/);
    expect(asked('getStatus')).toBeGreaterThan(0);
  });

  it('waits 120 seconds by default and 600 at most', async () => {
    const waits = jest.spyOn(harness.apps[0]!.context.get(WaitingCalls, { strict: false }), 'during');
    expect((await wait('tg', 600)).code).toMatch(/^\d{6}$/);
    const input = { service: 'tg', country: 44 } as never;
    expect((await harness.call(awaitCode, input)).code).toMatch(/^\d{6}$/);
    expect(waits.mock.calls.map(([, timeoutMs]) => timeoutMs)).toEqual([600_000, 120_000]);
    waits.mockRestore();
    expect(await failureOf(wait('tg', 1.5))).toMatchObject({ details: [{ field: 'timeout' }] });
    for (const timeout of [0, -1, 601, 1e9])
      expect(await failureOf(wait('tg', timeout))).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: 'timeout', message: expect.stringMatching(/1 to 600/) }],
      });
    expect(asked('getNumber')).toBe(2);
  });

  it('continues in another process with the same number and Idempotency-Key', async () => {
    harness.simulators.smsActivate.numbers.codeAfterMs = 3_600_000;
    const [given, { signal }] = [{ wallet: bob!, idempotencyKey: 'stopped' }, new AbortController()];
    const first = failureOf(wait('tg', 600, { ...given, signal }));
    const leftWithoutKey = failureOf(wait('x1', 600, { wallet: bob!, signal }));
    await eventually(async () =>
      expect(await harness.purchases()).toMatchObject([{ status: 'pending' }, { status: 'pending' }]),
    );
    const rented = (await harness.purchases()).map(({ provider_id }) => provider_id);
    const stopping = performance.now();
    await harness.apps.shift()!.close();
    // Without these replies, the client would wait for the bus time-out of 645 s.
    expect([(await first).code, (await leftWithoutKey).code]).toEqual(['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN']);
    expect(performance.now() - stopping).toBeLessThan(60_000);
    await harness.startApp();
    const second = wait('tg', 600, { ...given, signal });
    await eventually(async () => expect(asked('getActiveActivations')).toBeGreaterThan(2));
    const { numbers } = harness.simulators.smsActivate;
    for (const id of rented)
      numbers.find(Number(id))!.codeAtMs =
        numbers.find(Number(id))!.service.code === 'tg' ? harness.clock.now() : null;
    expect(await second).toMatchObject({ code: expect.stringMatching(/^\d{6}$/) });
    expect(asked('getNumber')).toBe(2);
    // The call cannot be repeated, so the number is returned. The provider rejects this as too early, so the planned
    // return follows later.
    expect(asked('setStatus')).toBeGreaterThan(0);
  });

  it('polls immediately when an event reports the code', async () => {
    harness.simulators.smsActivate.numbers.codeAfterMs = 60_000;
    const { id, activationId } = await harness.call(rentNumber, { service: 'tg', country: 44 });
    let isWoken = false;
    const arrivals = harness.apps[0]!.context.get(CodeArrivals, { strict: false });
    const { signal } = new AbortController();
    void arrivals.pause(activationId, 600_000, signal).then(() => (isWoken = true));
    expect(await harness.call(codeStatus, { id })).toMatchObject({ status: 'STATUS_WAIT_CODE' });
    expect(isWoken).toBe(false);
    harness.clock.move(60_000);
    await eventually(async () => {
      expect(await harness.call(codeStatus, { id })).toMatchObject({ status: 'received' });
      expect(isWoken).toBe(true);
    });
  });

  it('sends as few polls for many calls as for one', async () => {
    harness.simulators.smsActivate.numbers.codeAfterMs = 3_000;
    const startedMs = performance.now();
    const waiting: Promise<AwaitedCode | undefined>[] = [];
    await byAndBy(40, () => waiting.push(wait('tg', 60).catch(() => undefined)));
    const awaited = (await Promise.all(waiting)).flatMap((it) => it ?? []);
    const tookMs = performance.now() - startedMs;
    // Calls that get no database connection are rejected, and this test ignores them.
    expect(awaited.length).toBeGreaterThan(20);
    expect(new Set(awaited.map(({ number }) => number)).size).toBe(awaited.length);
    expect(awaited.every(({ code }) => /^\d{6}$/.test(code!))).toBe(true);
    // One list for half of an interval of 100 ms, and no request for a single number.
    expect(asked('getActiveActivations')).toBeLessThan(tookMs / 50 + 10);
    expect(asked('getStatus')).toBeLessThan(10);
  });

  it('limits the waiting calls of a merchant, and rents nothing above the limit', async () => {
    harness.simulators.smsActivate.numbers.codeAfterMs = 3_600_000;
    const leaving = new AbortController();
    const one = () => failureOf(wait('tg', 100, { signal: leaving.signal }));
    const waiting: Promise<DomainError>[] = [];
    await byAndBy(200, () => waiting.push(one()));
    expect(await one()).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect(asked('getNumber')).toBe(200);
    leaving.abort();
    await Promise.all(waiting);
  });
});

describe('After a crash', () => {
  it('returns the number of a waiting call from another process', async () => {
    // Uses another merchant, because the disconnected calls of the previous test end one by one.
    const wish = { service: 'x1', country: 44, timeout: 30 };
    const call = failureOf(harness.call(awaitCode, wish, { wallet: bob! }));
    await eventually(async () => expect(await harness.purchases()).toMatchObject([{ status: 'pending' }]));
    // The state after a killed process: the return was planned and stored before the rental.
    const [planned] = await harness.returns();
    const afterMs = planned!.return_at.getTime() - harness.clock.now();
    expect(afterMs).toBeGreaterThan(60_000);
    expect(afterMs).toBeLessThan(76_000);
    const second = await harness.startApp();
    harness.clock.move(200_000);
    await eventually(async () => {
      await second.context.get(NumberReturns, { strict: false }).step();
      expect(await harness.purchases()).toMatchObject([{ status: 'refunded' }]);
    });
    expect(await harness.returns()).toEqual([]);
    await call.catch(() => undefined);
    await harness.apps.pop()!.close();
  });

  it('stores a cancellation that was not stored before the crash', async () => {
    const { id } = await harness.call(awaitCode, { service: 'x1', country: 44, timeout: 1 });
    const [stored] = await harness.purchases();
    harness.clock.move(121_000);
    const { numbers } = harness.simulators.smsActivate;
    numbers.cancel(numbers.find(Number(stored!.provider_id))!);
    await eventually(async () => {
      await returns().step();
      expect(await harness.purchases()).toMatchObject([{ id, status: 'refunded' }]);
    });
  });

  it('does not return a number for a declined purchase', async () => {
    await failureOf(harness.call(awaitCode, { service: 'x2', country: 44, timeout: 5 }));
    harness.clock.move(120_000);
    await eventually(async () => {
      await returns().step();
      expect(await harness.returns()).toEqual([]);
    });
  });
});

describe('A message', () => {
  const send = (to: string, body = 'Your parcel has arrived.', idempotencyKey?: string) =>
    harness.call(sendSms, { to, body }, idempotencyKey ? { idempotencyKey } : {});

  it('sends once at the price of its segments', async () => {
    const sent = await send('+447400123456', 'é'.repeat(161), 'sms-1');
    expect(sent).toEqual({ sid: expect.stringMatching(/^SM[0-9a-f]{32}$/), status: 'queued', segments: 2 });
    expect(await send('+447400123456', 'é'.repeat(161), 'sms-1')).toEqual(sent);
    expect(harness.simulators.twilio.sendsAsked).toBe(1);
    expect(harness.budgets.calls[0]!.input).toMatchObject({ kind: 'purchase', valueUsd: '0.5' });
  });

  it('stores its text as a digest only', async () => {
    await send('+447400123456', 'Your code is 918273', 'sms-2');
    const rows = JSON.stringify(await harness.database.query('SELECT p::text FROM purchases p'));
    expect(rows).toContain('+447400123456');
    expect(rows).not.toContain('918273');
  });

  it.each([
    ['a premium-rate number', '+19005551234'],
    ['a number of another country', '+33899123456'],
    ['a personal number', '+447012345678'],
    ['a shared-cost number', '+448701234567'],
    ['a satellite', '+881612345678'],
    ['a number that cannot exist', '+355123456'],
    ['letters', '+44abc'],
    ['a national number', '07400123456'],
    ['another header', '+447400123456\r\nX: y'],
  ])('rejects %s without a request to the provider', async (_case, to) => {
    const failure = await failureOf(send(to));
    expect(failure.code).toBe('VALIDATION_ERROR');
    expect((failure.details as { field: string }[]).map(({ field }) => field)).toEqual(['to']);
    expect(harness.simulators.twilio.sendsAsked).toBe(0);
  });

  it('rejects a text that is too long or empty, and an invalid recipient', async () => {
    for (const body of ['x'.repeat(70_000), ''])
      expect((await failureOf(send('+19005551234', body))).details).toMatchObject([
        { field: 'body' },
        { field: 'to' },
      ]);
    expect(harness.simulators.twilio.sendsAsked).toBe(0);
  });

  it.each([
    ['+12025550111', 'PURCHASE_REFUSED', 'INVALID_NUMBER'],
    ['+12025550112', 'PURCHASE_REFUSED', 'NOT_REACHABLE'],
    ['+12025550108', 'PURCHASE_REFUSED', 'COUNTRY_NOT_ENABLED'],
    ['+12025550110', 'PURCHASE_REFUSED', 'OPTED_OUT'],
    ['+12025550114', 'PURCHASE_REFUSED', 'NOT_MOBILE'],
    ['+12025550129', 'UPSTREAM_UNAVAILABLE', undefined],
  ])('converts a decline of the provider: %s becomes %s', async (to, code, reason) => {
    const failure = await failureOf(send(to));
    expect([failure.code, (failure.details as { reason?: string } | undefined)?.reason]).toEqual([
      code,
      reason,
    ]);
    await eventually(() => expect(released()).toBe(1));
  });

  it('reconciles from the list after a lost reply, and does not send twice', async () => {
    expect((await failureOf(send('+12025550155', 'Hello', 'sms-3'))).code).toBe('OUTCOME_UNKNOWN');
    await eventually(async () => {
      harness.clock.move(5_000);
      await follow();
      expect(await harness.purchases()).toMatchObject([{ status: 'completed' }]);
    });
    const sent = await send('+12025550155', 'Hello', 'sms-3');
    expect(harness.simulators.twilio.messages.find(sent.sid)).toMatchObject({ body: 'Hello' });
    expect(harness.simulators.twilio.sendsAsked).toBe(1);
  });

  it('stays unknown when it is ambiguous', async () => {
    for (const key of ['sms-4', 'sms-5'])
      expect((await failureOf(send('+12025550155', 'The same', key))).code).toBe('OUTCOME_UNKNOWN');
    harness.clock.move(5_000);
    await follow();
    expect((await harness.purchases()).map(({ status }) => status)).toEqual(['unknown', 'unknown']);
  });
});

describe('5sim', () => {
  it('rents, waits and returns numbers when the settings choose it', async () => {
    const other = await SmsHarness.start((url) => ({
      SMS_NUMBERS_PROVIDER: '5sim',
      SMS_NUMBERS_URL: `${url}/fivesim/v1`,
      SMS_NUMBERS_KEY: fiveSimToken,
    }));
    try {
      const { numbers } = other.simulators.fivesim;
      const before = numbers.balanceMicros;
      numbers.codeAfterMs = 300;
      const awaited = await other.call(awaitCode, { service: 'wa', country: 1, timeout: 20 });
      expect(awaited).toMatchObject({
        number: expect.stringMatching(/^\+1415555/),
        code: expect.stringMatching(/^\d{6}$/),
      });
      numbers.codeAfterMs = 3_600_000;
      const none = await other.call(awaitCode, { service: 'tg', country: 7, timeout: 1 });
      expect(none).toMatchObject({ code: null, timeout: true });
      expect(await other.call(codeStatus, { id: none.id })).toMatchObject({ status: 'STATUS_CANCEL' });
      expect(before - numbers.balanceMicros).toBe(800_000n);
      const unknown = await failureOf(other.call(rentNumber, { service: 'zz', country: 'GB' }));
      expect(unknown.details).toMatchObject([{ field: 'service' }]);
      const nowhere = await failureOf(other.call(rentNumber, { service: 'tg', country: 'FO' }));
      expect(nowhere.details).toEqual({ reason: 'COUNTRY_NOT_OFFERED' });
      other.simulators.fivesim.losesNext = true;
      const lost = { service: 'go', country: 'IT' };
      const call = other.call(rentNumber, lost, { idempotencyKey: 'five' });
      expect((await failureOf(call)).code).toBe('OUTCOME_UNKNOWN');
      await eventually(async () => {
        other.clock.move(3_000);
        await other.apps[0]!.context.get(PurchasesWorker, { strict: false }).step();
        const found = await other.call(rentNumber, lost, { idempotencyKey: 'five' });
        expect(found.number).toMatch(/^\+39347/);
      });
    } finally {
      await other.close();
    }
  });

  it('returns 503 when no provider is configured', async () => {
    const none = { SMS_NUMBERS_URL: '', TWILIO_URL: '' };
    const other = await SmsHarness.start(() => none);
    try {
      const calls = [
        other.call(rentNumber, { service: 'tg', country: 44 }),
        other.call(awaitCode, { service: 'tg', country: 44, timeout: 5 }),
        other.call(sendSms, { to: '+447400123456', body: 'Hi' }),
      ];
      for (const call of calls) {
        const { code, message } = await failureOf(call);
        expect([code, message]).toEqual(['SERVICE_UNAVAILABLE', expect.stringContaining('not')]);
      }
      expect((await failureOf(other.call(codeStatus, { id: alice! }))).code).toBe('NOT_FOUND');
    } finally {
      await other.close();
    }
  });
});
