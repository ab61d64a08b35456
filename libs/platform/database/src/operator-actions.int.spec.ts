import { audited, listOperatorActions, type OperatorAction } from './operator-actions';
import type { OutboxDatabase } from './testing/outbox-schema';
import { openRetentionDatabase } from './testing/retention-schema';

let shop: OutboxDatabase;
beforeAll(async () => {
  shop = await openRetentionDatabase();
});
afterAll(() => shop?.close());

const action = (change: Partial<OperatorAction> = {}): OperatorAction => ({
  operator: 'alice',
  caller: 'command:goods',
  action: 'goods-close',
  target: 'tea',
  reason: 'Ticket 4711',
  requestId: 'r1',
  ...change,
});
const list = (change: object = {}) => listOperatorActions(shop.database.pool, { limit: 100, ...change });
const close = (id: string, change: Partial<OperatorAction> = {}) =>
  audited(shop.database.pool, action({ target: id, ...change }), async (client) => {
    await client.query('INSERT INTO goods (id) VALUES ($1)', [id]);
    return { result: 7, before: { state: 'open' }, after: { state: 'closed' } };
  });

describe('audited', () => {
  it('records the operator and the action, in the transaction of the action', async () => {
    expect(await close('one')).toBe(7);
    expect(await list({ target: 'one' })).toMatchObject([
      {
        ...action({ target: 'one' }),
        outcome: 'done',
        before: { state: 'open' },
        after: { state: 'closed' },
        error: null,
        at: expect.any(Date),
      },
    ]);
  });

  it('records a failed action once, and rolls back its changes', async () => {
    await close('two');
    await expect(close('two', { operator: 'bob' })).rejects.toThrow('duplicate key');
    const recorded = await list({ target: 'two' });
    expect(recorded.map(({ operator, outcome }) => [operator, outcome])).toEqual([
      ['bob', 'failed'],
      ['alice', 'done'],
    ]);
    expect(recorded[0]).toMatchObject({ before: null, after: null, error: expect.stringContaining('23505') });
  });

  it('rolls back the action when its record cannot be written', async () => {
    await expect(close('three', { operator: '' })).rejects.toThrow('operator_actions_operator_check');
    expect(await shop.fresh.query(`SELECT FROM goods WHERE id = 'three'`)).toEqual([]);
  });

  it('filters by operator, action and time, and returns the newest first', async () => {
    await close('four', { operator: 'carol', action: 'goods-open' });
    expect(await list({ operator: 'carol' })).toHaveLength(1);
    expect(await list({ action: 'goods-open' })).toHaveLength(1);
    expect(await list({ since: new Date(Date.now() + 60_000) })).toEqual([]);
    expect((await list({ limit: 1 }))[0]).toMatchObject({ target: 'four' });
  });
});

describe('operator_actions', () => {
  const changes = [
    "UPDATE operator_actions SET operator = 'mallory'",
    'DELETE FROM operator_actions',
    'TRUNCATE operator_actions',
  ];

  it.each(changes)('rejects %s by the role of the app, which lacks the privilege', async (statement) => {
    await close(`app ${statement}`);
    await expect(shop.database.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it.each(changes)('rejects %s by the owner', async (statement) => {
    await close(`owner ${statement}`);
    await expect(shop.fresh.query(statement)).rejects.toThrow('operator_actions is append-only');
  });
});
