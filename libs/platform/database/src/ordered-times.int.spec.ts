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
  // This row is stored before the constraint exists.
  await fresh.query('INSERT INTO sold VALUES (0, $1, $2)', [created, earlier]);
  await fresh.query(orderTimes(['sold']));
});
afterAll(() => fresh.drop());

const updatedAt = async (id: number): Promise<string | undefined> =>
  (
    await fresh.query<{ updated_at: Date | null }>('SELECT updated_at FROM sold WHERE id = $1', [id])
  )[0]!.updated_at?.toISOString();

describe('orderTimes', () => {
  it('stores created_at when a new row has an earlier updated_at', async () => {
    await fresh.query('INSERT INTO sold VALUES (1, $1, $2)', [created, earlier]);
    expect(await updatedAt(1)).toBe(created);
  });

  it('stores created_at when an update has an earlier time, and leaves later times unchanged', async () => {
    await fresh.query('INSERT INTO sold VALUES (2, $1, $1)', [created]);
    await fresh.query('UPDATE sold SET updated_at = $1 WHERE id = 2', [earlier]);
    expect(await updatedAt(2)).toBe(created);
    await fresh.query('UPDATE sold SET updated_at = $1 WHERE id = 2', [later]);
    expect(await updatedAt(2)).toBe(later);
  });

  it('accepts a row without updated_at', async () => {
    await fresh.query('INSERT INTO sold VALUES (3, $1, NULL)', [created]);
    expect(await updatedAt(3)).toBeUndefined();
  });

  it('keeps rows from before the constraint, and corrects them at their next update', async () => {
    expect(await updatedAt(0)).toBe(earlier);
    await fresh.query('UPDATE sold SET id = 10 WHERE id = 0');
    expect(await updatedAt(10)).toBe(created);
  });

  it('rejects an earlier updated_at by a constraint, also without the trigger', async () => {
    await fresh.query('ALTER TABLE sold DISABLE TRIGGER sold_times');
    const wrong = fresh.query('INSERT INTO sold VALUES (4, $1, $2)', [created, earlier]);
    await expect(wrong).rejects.toThrow('sold_times');
    await fresh.query(dropOrderedTimes(['sold']));
    await fresh.query('INSERT INTO sold VALUES (4, $1, $2)', [created, earlier]);
  });
});
