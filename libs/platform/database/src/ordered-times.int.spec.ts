import { dropOrderedTimes, orderTimes } from './ordered-times';
import { freshDatabase, type FreshDatabase } from './testing/servers';

const created = '2026-11-28T12:46:53.449Z';
const earlier = '2026-11-28T12:46:53.142Z';
const later = '2026-11-28T12:46:54.000Z';
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase('timed');
  await fresh.query(
    'CREATE TABLE sold (id int PRIMARY KEY, created_at timestamptz NOT NULL, updated_at timestamptz)',
  );
  // Stored before the constraint.
  await fresh.query('INSERT INTO sold VALUES (0, $1, $2)', [created, earlier]);
  await fresh.query(orderTimes(['sold']));
});
afterAll(() => fresh.drop());

const updatedAt = async (id: number): Promise<string | undefined> =>
  (
    await fresh.query<{ updated_at: Date | null }>('SELECT updated_at FROM sold WHERE id = $1', [id])
  )[0]!.updated_at?.toISOString();

describe('orderTimes', () => {
  it('stores the time of creation where a new row was updated by an earlier clock', async () => {
    await fresh.query('INSERT INTO sold VALUES (1, $1, $2)', [created, earlier]);
    expect(await updatedAt(1)).toBe(created);
  });

  it('stores the time of creation where an update has an earlier clock, and later times as they are', async () => {
    await fresh.query('INSERT INTO sold VALUES (2, $1, $1)', [created]);
    await fresh.query('UPDATE sold SET updated_at = $1 WHERE id = 2', [earlier]);
    expect(await updatedAt(2)).toBe(created);
    await fresh.query('UPDATE sold SET updated_at = $1 WHERE id = 2', [later]);
    expect(await updatedAt(2)).toBe(later);
  });

  it('admits a row without a time of its update', async () => {
    await fresh.query('INSERT INTO sold VALUES (3, $1, NULL)', [created]);
    expect(await updatedAt(3)).toBeUndefined();
  });

  it('keeps rows of before, and corrects them when they change', async () => {
    expect(await updatedAt(0)).toBe(earlier);
    await fresh.query('UPDATE sold SET id = 10 WHERE id = 0');
    expect(await updatedAt(10)).toBe(created);
  });

  it('rejects the wrong order by a constraint, also without the trigger', async () => {
    await fresh.query('ALTER TABLE sold DISABLE TRIGGER sold_times');
    const wrong = fresh.query('INSERT INTO sold VALUES (4, $1, $2)', [created, earlier]);
    await expect(wrong).rejects.toThrow('sold_times');
    await fresh.query(dropOrderedTimes(['sold']));
    await fresh.query('INSERT INTO sold VALUES (4, $1, $2)', [created, earlier]);
  });
});
