import { ApiKeyChanged, keyPlansApi, type KeyPlan, type SetKeyPlanRequest } from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  decode,
  developmentIdentity,
  walletPrincipal,
  type DomainError,
} from '@tollbridge/rpc';
import { eventually, ManualClock } from '@tollbridge/testing';
import { v7 as uuid } from 'uuid';
import { Merchant, type MadeKey } from '../testing/merchant';

const { setKeyPlan } = keyPlansApi.operations;
const clock = new ManualClock();
let merchant: Merchant;
beforeAll(async () => {
  merchant = await Merchant.start({ clock });
  // A second replica of the merchant app answers as well.
  await merchant.startApp();
});
afterAll(() => merchant?.close());

let key: MadeKey;
beforeEach(async () => (key = await merchant.makeKey()));

const setPlan = (plan: KeyPlan, changes: Partial<SetKeyPlanRequest> = {}) =>
  merchant.call(setKeyPlan, {
    key: key.id,
    plan,
    operator: 'alice@ops-1',
    reason: 'Contract 4711',
    ...changes,
  });
const changes = () =>
  merchant.database.query<{ from_plan: string; to_plan: string; key_version: number }>(
    'SELECT * FROM key_plan_changes WHERE key_id = $1 ORDER BY seq',
    [key.id],
  );
const failure = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    ({ code, details }: DomainError) => [code, details],
  );

describe('setKeyPlan', () => {
  it('sets the plan by the id or the publishable half of a key, and records the operator, time and reason', async () => {
    const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const named = { id: key.id, key: key.key, label: 'A key', owner, changed: true };
    const at = new Date(clock.now()).toISOString();
    expect(await setPlan('pro')).toEqual({ ...named, from: 'free', to: 'pro', rate: null, at });
    expect(await merchant.authenticate(key.secret)).toMatchObject({
      plan: 'pro',
      rate: { perMinute: 1_000, burst: 2_000 },
    });
    const byHalf = await setPlan('enterprise', { key: key.key, operator: 'bob', reason: 'Upgrade' });
    expect(byHalf).toEqual({ ...named, from: 'pro', to: 'enterprise', rate: null, at });
    expect(await merchant.authenticate(key.key)).toMatchObject({ plan: 'enterprise', rate: null });
    const common = { key_id: key.id, owner, caller: 'service:operator', request_id: expect.any(String) };
    expect(await changes()).toMatchObject([
      {
        ...common,
        from_plan: 'free',
        to_plan: 'pro',
        operator: 'alice@ops-1',
        reason: 'Contract 4711',
        changed_at: new Date(clock.now()),
      },
      { ...common, from_plan: 'pro', to_plan: 'enterprise', operator: 'bob', reason: 'Upgrade' },
    ]);
  });

  it('sets and records an individual rate for an Enterprise key, and removes the rate with the next plan', async () => {
    const rate = { perMinute: 5_000, burst: 10_000 };
    expect(await setPlan('enterprise', { perMinute: 5_000 })).toMatchObject({ rate, changed: true });
    expect(await merchant.authenticate(key.secret)).toMatchObject({ plan: 'enterprise', rate });
    expect(await setPlan('enterprise', rate)).toMatchObject({ rate, changed: false });
    const smaller = { perMinute: 7, burst: 7 };
    expect(await setPlan('enterprise', smaller)).toMatchObject({ from: 'enterprise', rate: smaller });
    expect(await merchant.authenticate(key.secret)).toMatchObject({ rate: smaller });
    expect(await setPlan('enterprise')).toMatchObject({ rate: null, changed: true });
    await setPlan('enterprise', rate);
    await setPlan('pro');
    expect(await merchant.authenticate(key.secret)).toMatchObject({
      plan: 'pro',
      rate: { perMinute: 1_000, burst: 2_000 },
    });
    const rates = (await changes()).map((row) => Object.values(row).slice(-4));
    expect(rates).toEqual([
      [null, null, 5_000, 10_000],
      [5_000, 10_000, 7, 7],
      [7, 7, null, null],
      [null, null, 5_000, 10_000],
      [5_000, 10_000, null, null],
    ]);
  });

  it('records and publishes nothing when the key has the plan already', async () => {
    expect(await setPlan('free')).toMatchObject({ from: 'free', to: 'free', changed: false });
    expect(await changes()).toEqual([]);
    const [row] = await merchant.database.query('SELECT version FROM api_keys WHERE id = $1', [key.id]);
    expect(row).toEqual({ version: 1 });
  });

  it('publishes one event for each change, so that gateways drop the cached key', async () => {
    const events = await merchant.recordEvents();
    try {
      await setPlan('pro');
      await setPlan('pro');
      await setPlan('free');
      await eventually(() => expect(events.of(key.id)).toHaveLength(2));
      const published = events.of(key.id).map(({ envelope }) => envelope);
      expect(published.map(({ aggregateVersion }) => aggregateVersion)).toEqual([2, 3]);
      for (const { data } of published) expect(decode(ApiKeyChanged, data)).toMatchObject({ ok: true });
    } finally {
      await events.stop();
    }
  });

  it('serialises concurrent changes, so that each record starts with the plan that the previous one ended with', async () => {
    const plans: KeyPlan[] = ['pro', 'enterprise', 'free'];
    await Promise.all(Array.from({ length: 30 }, (_, at) => setPlan(plans[at % 3]!)));
    const recorded = await changes();
    let plan = 'free';
    for (const [index, { from_plan, to_plan, key_version }] of recorded.entries()) {
      expect([from_plan, key_version]).toEqual([plan, index + 2]);
      plan = to_plan;
    }
    expect(await merchant.authenticate(key.secret)).toMatchObject({ plan });
  });

  it.each([
    ['an unknown id', { key: '01a1faec-0000-7000-8000-000000000000' }],
    ['an unknown publishable half', { key: `tb_test_pk_${'a'.repeat(39)}` }],
  ])('NOT_FOUND: rejects %s', async (_title, change) => {
    expect(await failure(setPlan('pro', change))).toEqual(['NOT_FOUND', undefined]);
  });

  it('NOT_FOUND: rejects a deleted key', async () => {
    await merchant.database.query('UPDATE api_keys SET deleted_at = now() WHERE id = $1', [key.id]);
    expect(await failure(setPlan('pro'))).toEqual(['NOT_FOUND', undefined]);
    expect(await changes()).toEqual([]);
  });

  it.each([
    ['key', { key: 'x' }],
    ['key', { key: `tb_test_sk_${'a'.repeat(39)}` }],
    ['plan', { plan: 'gold' as KeyPlan }],
    ['perMinute', { perMinute: 5_000 }],
    ['perMinute', { plan: 'enterprise' as const, perMinute: 0 }],
    ['perMinute', { plan: 'enterprise' as const, perMinute: 1_000_001 }],
    ['burst', { plan: 'enterprise' as const, burst: 5 }],
    ['burst', { plan: 'enterprise' as const, perMinute: 10, burst: 9 }],
    ['operator', { operator: '' }],
    ['reason', { reason: '' }],
    ['reason', { reason: 'x'.repeat(501) }],
  ])('VALIDATION_ERROR: rejects %s %j', async (field, change) => {
    expect(await failure(setPlan('pro', change))).toMatchObject(['VALIDATION_ERROR', [{ field }]]);
    expect(await changes()).toEqual([]);
  });

  it.each(['gateway', 'pay-orders', 'stream'])(
    'rejects a call from %s, even for the owner of the key',
    async (app) => {
      const bus = await BusConnection.open({ app, url: merchant.nats.url });
      const client = new BusClient(bus, developmentIdentity(app));
      try {
        const request = { key: key.id, plan: 'enterprise' as const, operator: 'x', reason: 'x' };
        const call = client.call(setKeyPlan, request, {
          requestId: uuid(),
          traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-00`,
          principal: walletPrincipal('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'),
        });
        await expect(call).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
        expect(await changes()).toEqual([]);
      } finally {
        client.close();
        await bus.close();
      }
    },
  );
});

describe('the audit log', () => {
  const recorded = (target: string) =>
    merchant.database.query(
      'SELECT operator, caller, action, target, reason, outcome, before, after, error FROM operator_actions WHERE target = $1 ORDER BY seq',
      [target],
    );

  it('contains one record of each call, with the plan before and after the call', async () => {
    await setPlan('pro');
    await setPlan('pro', { operator: 'bob' });
    const common = {
      caller: 'service:operator',
      action: 'key-plan',
      target: key.id,
      outcome: 'done',
      error: null,
    };
    const after = { key: key.id, plan: 'pro' };
    expect(await recorded(key.id)).toEqual([
      {
        ...common,
        operator: 'alice@ops-1',
        reason: 'Contract 4711',
        before: { key: key.id, plan: 'free' },
        after,
      },
      { ...common, operator: 'bob', reason: 'Contract 4711', before: after, after },
    ]);
  });

  it('contains one record of a failed call', async () => {
    const id = '01a1faec-0000-7000-8000-000000000001';
    await failure(setPlan('pro', { key: id }));
    expect(await recorded(id)).toMatchObject([
      { outcome: 'failed', error: expect.stringContaining('NOT_FOUND'), before: null, after: null },
    ]);
  });
});

describe('key_plan_changes', () => {
  it.each(['UPDATE key_plan_changes SET reason = $1', 'DELETE FROM key_plan_changes WHERE reason <> $1'])(
    'rejects %s',
    async (statement) => {
      await setPlan('pro');
      await expect(merchant.database.query(statement, ['x'])).rejects.toThrow('append-only');
    },
  );
});
