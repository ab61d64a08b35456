import {
  AnyCaller,
  apiKeysApi,
  budgetsApi,
  CreateKeyReply,
  KeyView,
  SpendsReply,
  type CreateKeyRequest,
  type ReserveRequest,
} from '@tollbridge/contracts';
import { digestOfKey, readKeyText } from '@tollbridge/api-keys';
import {
  BusClient,
  BusConnection,
  callContext,
  decode,
  idempotencyKeyOf,
  walletPrincipal,
  type BusOperation,
  type DomainError,
} from '@tollbridge/rpc';
import { eventually, ManualClock, missingCases } from '@tollbridge/testing';
import { readFileSync } from 'node:fs';
import { v7 as uuid } from 'uuid';
import { aReserveRequest } from '../budgets/testing/reserve-request.builder';
import { Merchant } from '../testing/merchant';

const { listKeys, createKey, toggleKey, regenerateKey, deleteKey, listSpends } = apiKeysApi.operations;
const clock = new ManualClock();
const unknownId = '01a1faec-0000-7000-8000-000000000000';
let merchant: Merchant;

beforeAll(async () => {
  merchant = await Merchant.start({ clock });
  // A second replica of the merchant app answers as well.
  await merchant.startApp();
});
afterAll(() => merchant?.close());

let wallet: string;
beforeEach(() => (wallet = `wallet-${uuid()}`));

const as = <I, O>(operation: BusOperation<I, O>, input: I, of = wallet): Promise<O> =>
  merchant.call(operation, input, walletPrincipal(of));
const request = (changes: Partial<CreateKeyRequest> = {}): CreateKeyRequest => ({
  label: 'Shop',
  permissions: ['pay', 'read'],
  monthlyBudget: '100.50',
  maxPerTx: '',
  ...changes,
});
const create = (changes: Partial<CreateKeyRequest> = {}, of = wallet) => as(createKey, request(changes), of);
const list = (of = wallet) => as(listKeys, {}, of);
const spend = (changes: Partial<ReserveRequest>) =>
  merchant.call(budgetsApi.operations.reserve, aReserveRequest(changes));

/** The code, message and details of the error. */
const failure = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    ({ code, message, details }: DomainError) => ({ code, message, details }),
  );
const badFields = async (call: Promise<unknown>) => {
  const { code, details } = (await failure(call)) as { code: string; details: { field: string }[] };
  return [code, details.map(({ field }) => field)];
};

/** Expects that a key of another owner and a deleted key return the same error as an unknown key. */
async function expectUnknown(call: (id: string) => Promise<unknown>): Promise<void> {
  const [foreign, deleted] = [await create({}, `${wallet}-2`), await create()];
  await as(deleteKey, { id: deleted.id });
  const missing = await failure(call(unknownId));
  expect(missing).toMatchObject({ code: 'NOT_FOUND' });
  for (const id of [foreign.id, deleted.id, 'x', foreign.id.toUpperCase()])
    expect(await failure(call(id))).toEqual(missing);
  expect(await merchant.authenticate(foreign.secret)).toMatchObject({ keyId: foreign.id });
}

describe('GET /api/keys', () => {
  it('200: lists the keys of this wallet without any secret, newest first', async () => {
    const first = await create({ label: 'First', permissions: ['write'], monthlyBudget: '', maxPerTx: '7' });
    clock.advance(1_000);
    const second = await create();
    await create({}, `${wallet}-2`);
    await spend({ keyId: second.id, valueUsd: '12.5' });
    const keys = await list();
    expect(keys).toEqual([
      {
        id: second.id,
        key: second.key,
        label: 'Shop',
        permissions: ['pay', 'read'],
        plan: 'free',
        monthlyBudget: '100.50',
        maxPerTx: '',
        enabled: true,
        usedBudget: 12.5,
        previousSecretValidUntil: null,
        createdAt: second.createdAt,
      },
      {
        id: first.id,
        key: first.key,
        label: 'First',
        permissions: ['write'],
        plan: 'free',
        monthlyBudget: '',
        maxPerTx: '7',
        enabled: true,
        usedBudget: 0,
        previousSecretValidUntil: null,
        createdAt: first.createdAt,
      },
    ]);
    for (const key of keys) expect(decode(KeyView, key)).toMatchObject({ ok: true });
    expect(JSON.stringify(keys)).not.toContain('_sk_');
  });

  it('200: counts only the spends of this month', async () => {
    const { id } = await create();
    await spend({ keyId: id, valueUsd: '80' });
    const thisMonth = clock.now();
    clock.set(Date.UTC(new Date(thisMonth).getUTCFullYear(), new Date(thisMonth).getUTCMonth() + 1, 1));
    expect(await list()).toMatchObject([{ usedBudget: 0 }]);
    clock.set(thisMonth);
    expect(await list()).toMatchObject([{ usedBudget: 80 }]);
  });

  it('200: returns an empty list for a wallet without keys', async () => {
    expect(await list()).toEqual([]);
  });

  it('400 VALIDATION_ERROR: rejects unknown fields', async () => {
    expect(await badFields(as(listKeys, { owner: 'x' } as never))).toEqual(['VALIDATION_ERROR', ['owner']]);
  });

  it('rejects every principal except a wallet', async () => {
    await expect(merchant.call(listKeys, {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

const badRequests: [name: string, changes: object, fields: string[]][] = [
  ['every field that is missing', { label: undefined, permissions: undefined }, ['label', 'permissions']],
  [
    'several invalid fields',
    { label: '', permissions: [], monthlyBudget: '-1' },
    ['label', 'monthlyBudget', 'permissions'],
  ],
  ['an unknown permission', { permissions: ['read', 'admin'] }, ['permissions']],
  ['a permission twice', { permissions: ['read', 'read'] }, ['permissions']],
  ['permissions that are not a list', { permissions: 'read' }, ['permissions']],
  ...['1e3', '01', '.5', '1.', '1.0000001', ' 1', '1,5', '١', '1000000000000', 5, {}].map(
    (bound): [string, object, string[]] => [
      `bounds of ${JSON.stringify(bound)}`,
      { monthlyBudget: bound, maxPerTx: bound },
      ['maxPerTx', 'monthlyBudget'],
    ],
  ),
  ...['usedBudget', 'owner', 'plan', 'secret', 'key', 'id', 'enabled', 'environment'].map(
    (field): [string, object, string[]] => [`${field}, which is not the caller's`, { [field]: 'x' }, [field]],
  ),
];

describe('POST /api/keys', () => {
  it('200: creates a key that authenticates, and returns its secret', async () => {
    const made = await create();
    expect(decode(CreateKeyReply, made)).toMatchObject({ ok: true });
    expect(Object.keys(made).sort()).toEqual(['createdAt', 'id', 'key', 'secret']);
    expect(readKeyText(made.key)).toEqual({ mode: 'test', kind: 'publishable' });
    expect(readKeyText(made.secret)).toEqual({ mode: 'test', kind: 'secret' });
    const known = {
      keyId: made.id,
      owner: wallet,
      permissions: ['pay', 'read'],
      plan: 'free',
      rate: { perMinute: 100, burst: 200 },
    };
    expect(await merchant.authenticate(made.key)).toEqual(known);
    expect(await merchant.authenticate(made.secret)).toEqual(known);
  });

  it('200: interprets an empty string as no limit, and accepts every decimal limit', async () => {
    const { label, permissions } = request();
    await as(createKey, { label, permissions });
    for (const monthlyBudget of ['0', '0.000001', '999999999999.999999'])
      await create({ monthlyBudget, maxPerTx: monthlyBudget });
    const bounds = (await list()).map(({ monthlyBudget, maxPerTx }) => [monthlyBudget, maxPerTx]);
    expect(bounds.sort()).toEqual([
      ['', ''],
      ['0', '0'],
      ['0.000001', '0.000001'],
      ['999999999999.999999', '999999999999.999999'],
    ]);
  });

  it.each(badRequests)('400 VALIDATION_ERROR: rejects %s', async (_name, changes, fields) => {
    const [code, named] = await badFields(create(changes as never));
    expect([code, [...named!].sort()]).toEqual(['VALIDATION_ERROR', fields]);
    expect(await list()).toEqual([]);
  });

  it('409 CONFLICT: rejects key number 101 of a wallet, also when keys are created concurrently', async () => {
    for (let made = 0; made < 95; made++) await merchant.makeKey({ owner: wallet });
    const attempts = Array.from({ length: 20 }, () =>
      create().then(
        () => 'made',
        ({ code }: DomainError) => code,
      ),
    );
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((it) => it === 'made')).toHaveLength(5);
    expect(outcomes.filter((it) => it === 'CONFLICT')).toHaveLength(15);
    const keys = await list();
    expect(keys).toHaveLength(100);
    expect(await failure(create())).toMatchObject({ code: 'CONFLICT', details: { limit: 100 } });
    await as(deleteKey, { id: keys[0]!.id });
    await create();
  });
});

describe('the limits of a new key', () => {
  it.each([
    ['100', '100.000001'],
    ['0', '0.01'],
    ['9.999999', '10'],
    ['99', '100'],
  ])(
    '400 VALIDATION_ERROR: rejects a budget of %s with a maximum per transaction of %s',
    async (monthlyBudget, maxPerTx) => {
      expect(await failure(create({ monthlyBudget, maxPerTx }))).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: 'maxPerTx', message: `must not be above monthlyBudget (${monthlyBudget})` }],
      });
      expect(await list()).toEqual([]);
    },
  );

  it.each([
    ['100', '100.00'],
    ['', '100'],
    ['100', ''],
    ['0', '0'],
    ['999999999999', '999999999999'],
  ])('200: accepts a budget of %j with a maximum per transaction of %j', async (monthlyBudget, maxPerTx) => {
    await create({ monthlyBudget, maxPerTx });
    expect(await list()).toHaveLength(1);
  });
});

describe('PUT /api/keys/{id}/toggle', () => {
  it('200: disables and enables a key, returns it, and publishes each change', async () => {
    const events = await merchant.recordEvents();
    try {
      const { id, secret } = await create();
      expect(await as(toggleKey, { id, enabled: false })).toMatchObject({
        id,
        enabled: false,
        usedBudget: 0,
      });
      expect(await merchant.authenticate(secret)).toBe('disabled');
      expect(await as(toggleKey, { id, enabled: true })).toEqual((await list())[0]);
      expect(await merchant.authenticate(secret)).toMatchObject({ keyId: id });
      await eventually(() => expect(events.typesOf(id)).toEqual(['api-key-changed', 'api-key-changed']));
    } finally {
      await events.stop();
    }
  });

  it('400 VALIDATION_ERROR: rejects values other than true and false', async () => {
    const { id } = await create();
    for (const enabled of ['false', 0, undefined])
      expect(await badFields(as(toggleKey, { id, enabled } as never))).toEqual([
        'VALIDATION_ERROR',
        ['enabled'],
      ]);
  });

  it('404 NOT_FOUND: returns the same error for a key of another owner and an unknown key', async () => {
    await expectUnknown((id) => as(toggleKey, { id, enabled: false }));
  });
});

describe('POST /api/keys/{id}/regenerate', () => {
  it('200: invalidates the former secret immediately, and publishes the change', async () => {
    const events = await merchant.recordEvents();
    try {
      const { id, key, secret } = await create();
      const made = await as(regenerateKey, { id });
      expect(made).toEqual({ secret: expect.stringMatching(/^tb_test_sk_/), previousSecretValidUntil: null });
      expect(made.secret).not.toBe(secret);
      expect(await merchant.authenticate(secret)).toBe('unknown');
      expect(await merchant.authenticate(made.secret)).toMatchObject({ keyId: id });
      expect(await merchant.authenticate(key)).toMatchObject({ keyId: id });
      await eventually(() => expect(events.typesOf(id)).toEqual(['api-key-changed']));
    } finally {
      await events.stop();
    }
  });

  it('200: accepts the former secret during the grace period, but no earlier secret', async () => {
    const { id, secret: first } = await create();
    const { secret: second } = await as(regenerateKey, { id, gracePeriodSeconds: 3_600 });
    const { secret: third, previousSecretValidUntil } = await as(regenerateKey, {
      id,
      gracePeriodSeconds: 60,
    });
    expect(previousSecretValidUntil).toBe(new Date(clock.now() + 60_000).toISOString());
    expect(await list()).toMatchObject([{ previousSecretValidUntil }]);
    expect(await merchant.authenticate(first)).toBe('unknown');
    expect(await merchant.authenticate(second)).toMatchObject({ keyId: id });
    clock.advance(60_000);
    expect(await merchant.authenticate(second)).toBe('unknown');
    expect(await merchant.authenticate(third)).toMatchObject({ keyId: id });
    expect(await list()).toMatchObject([{ previousSecretValidUntil: null }]);
  });

  it('200: authenticates concurrent requests with the former or the new secret without interruption', async () => {
    const { id, secret } = await create();
    let current = secret;
    for (let round = 0; round < 5; round++) {
      const former = current;
      let isDone = false;
      const used = Array.from({ length: 20 }, async () => {
        const outcomes: unknown[] = [];
        while (!isDone) outcomes.push(await merchant.authenticate(former));
        return outcomes;
      });
      current = (await as(regenerateKey, { id })).secret;
      const afterwards = await merchant.authenticate(former);
      isDone = true;
      const outcomes = (await Promise.all(used)).flat();
      expect(outcomes.every((it) => it === 'unknown' || (it as { keyId: string }).keyId === id)).toBe(true);
      expect(afterwards).toBe('unknown');
      expect(await merchant.authenticate(current)).toMatchObject({ keyId: id });
    }
  });

  it('200: leaves one valid secret after concurrent calls', async () => {
    const { id } = await create();
    const made = await Promise.all(Array.from({ length: 10 }, () => as(regenerateKey, { id })));
    const known = await Promise.all(made.map(({ secret }) => merchant.authenticate(secret)));
    expect(known.filter((it) => it !== 'unknown')).toEqual([expect.objectContaining({ keyId: id })]);
  });

  it.each([-1, 604_801, 1.5, '60'])(
    '400 VALIDATION_ERROR: rejects a grace period of %j',
    async (gracePeriodSeconds) => {
      const { id } = await create();
      const call = as(regenerateKey, { id, gracePeriodSeconds } as never);
      expect(await badFields(call)).toEqual(['VALIDATION_ERROR', ['gracePeriodSeconds']]);
    },
  );

  it('404 NOT_FOUND: returns the same error for a key of another owner and an unknown key', async () => {
    await expectUnknown((id) => as(regenerateKey, { id }));
  });
});

describe('DELETE /api/keys/{id}', () => {
  it('200: deletes a key permanently', async () => {
    const { id, key, secret } = await create();
    expect(await as(deleteKey, { id })).toEqual({ ok: true });
    expect([await merchant.authenticate(key), await merchant.authenticate(secret)]).toEqual([
      'deleted',
      'deleted',
    ]);
    expect(await list()).toEqual([]);
  });

  it('400 VALIDATION_ERROR: rejects unknown fields', async () => {
    expect(await badFields(as(deleteKey, { id: unknownId, owner: 'x' } as never))).toEqual([
      'VALIDATION_ERROR',
      ['owner'],
    ]);
  });

  it('404 NOT_FOUND: returns the same error for a key of another owner and an unknown key', async () => {
    await expectUnknown((id) => as(deleteKey, { id }));
  });
});

describe('GET /api/keys/{id}/spends', () => {
  it('200: pages through the spends of a key, newest first', async () => {
    const { id } = await create();
    const references = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}-${uuid()}`);
    for (const reference of references) {
      await spend({ keyId: id, valueUsd: '1.25', reference });
      clock.advance(1);
    }
    await merchant.capture({ reference: references[1]! });
    await merchant.call(budgetsApi.operations.release, { reference: references[3]! });
    const all: SpendsReply['spends'] = [];
    let cursor: string | null | undefined;
    do {
      const page = await as(listSpends, { id, limit: 2, ...(cursor && { cursor }) });
      expect(decode(SpendsReply, page)).toMatchObject({ ok: true });
      expect([page.limit, page.count]).toEqual([2, page.spends.length]);
      all.push(...page.spends);
      cursor = page.next_cursor;
    } while (cursor);
    expect(all.map(({ reference, status }) => [reference[0], status])).toEqual([
      ['e', 'reserved'],
      ['d', 'released'],
      ['c', 'reserved'],
      ['b', 'captured'],
      ['a', 'reserved'],
    ]);
    const counted = all.filter(({ status }) => status !== 'released').map(({ valueUsd }) => Number(valueUsd));
    expect(counted.reduce((sum, usd) => sum + usd, 0)).toBe((await list())[0]!.usedBudget);
    expect(all[3]).toMatchObject({ kind: 'order', description: 'An order', valueUsd: '1.25', late: false });
    const month = new Date(clock.now()).toISOString().slice(0, 7);
    expect(await as(listSpends, { id, month })).toMatchObject({
      count: 5,
      limit: 20,
      next_cursor: null,
      nextCursor: null,
    });
    expect(await as(listSpends, { id, month: '2020-01' })).toMatchObject({ spends: [], count: 0 });
    expect(await as(listSpends, { id, limit: 1_000 })).toMatchObject({ limit: 100 });
  });

  it('400 VALIDATION_ERROR: rejects an invalid month, limit and cursor', async () => {
    const { id } = await create();
    const call = as(listSpends, { id, month: '2026-13', limit: 0 });
    expect(await badFields(call)).toEqual(['VALIDATION_ERROR', ['month', 'limit']]);
    expect(await badFields(as(listSpends, { id, cursor: 'x' }))).toEqual(['VALIDATION_ERROR', ['cursor']]);
  });

  it('404 NOT_FOUND: returns the same error for a key of another owner and an unknown key', async () => {
    await expectUnknown((id) => as(listSpends, { id }));
  });
});

it('covers each route and declared error', () => {
  expect(missingCases(Object.values(apiKeysApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});

it('stores no secret in any table or event, nor in the stored reply of an idempotency key', async () => {
  const events = await merchant.recordEvents();
  const bus = await BusConnection.open({ app: 'test-caller', url: merchant.nats.url });
  const client = new BusClient(bus, new AnyCaller());
  try {
    const keyed = <I, O>(operation: BusOperation<I, O>, input: I, key: string): Promise<O> =>
      client.call(operation, input, {
        ...callContext({ principal: walletPrincipal(wallet) }),
        idempotencyKey: idempotencyKeyOf(wallet, key),
      });
    const made = await keyed(createKey, request({ monthlyBudget: '1' }), 'one');
    expect(await keyed(createKey, request({ monthlyBudget: '1' }), 'one')).toEqual(made);
    const grace = { id: made.id, gracePeriodSeconds: 60 };
    const renewed = await keyed(regenerateKey, grace, 'two');
    expect(await keyed(regenerateKey, grace, 'two')).toEqual(renewed);
    await spend({ keyId: made.id });
    await eventually(() => expect(events.events.length).toBeGreaterThanOrEqual(3));
    const tables = await merchant.database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'merchant'`,
    );
    expect(tables.length).toBeGreaterThan(8);
    const dump: string[] = [];
    for (const { name } of tables)
      dump.push(
        ...(await merchant.database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)).map(
          ({ row }) => row,
        ),
      );
    const texts = [dump.join('\n'), JSON.stringify(events.events)];
    expect(texts[0]).toContain(made.key);
    for (const { secret } of [made, renewed])
      for (const form of [secret, secret.slice(11), digestOfKey(secret), Buffer.from(secret).toString('hex')])
        for (const text of texts) expect(text).not.toContain(form);
  } finally {
    client.close();
    await bus.close();
    await events.stop();
  }
});
