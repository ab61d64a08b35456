import { transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { columns } from './dashboard.repository';

/** A difference between the generation that is shown and the rebuilt generation. */
export interface Difference {
  wallet: string;
  /** The id of the record that differs; null when a sum differs. */
  recordId: string | null;
}

export interface Comparison {
  records: number;
  differing: number;
  /** At most twenty of the differences. */
  examples: Difference[];
}

/** The position of a deletion in the index. */
interface Unused {
  generation: number;
  key: string;
}

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const maxExamples = 20;
// Limits the duration of each statement.
const comparedAtOnce = 10_000;
const deletedAtOnce = 5_000;

/**
 * Generations of the projection: one is shown, another may be rebuilt, and unused ones are deleted. Uses SQL for
 * set-based comparisons and deletions in pages of limited size.
 */
export class Generations {
  constructor(private readonly pool: Pool) {}

  /** Starts a new generation. After the commit, every event is recorded in both generations. */
  async begin(): Promise<{ active: number; building: number }> {
    // No process writes to the generation of an earlier rebuild after this statement, so it can be deleted.
    await this.pool.query('UPDATE dashboard_state SET building = NULL');
    await this.deleteUnused();
    const { rows } = await this.pool.query<{ active: number; building: number }>(
      `UPDATE dashboard_state SET building = last_generation + 1, last_generation = last_generation + 1
       RETURNING active, building`,
    );
    return rows[0]!;
  }

  /** Replaces the generation that is shown by the rebuilt one. @returns false when another rebuild has replaced it */
  async show(building: number, client: Pick<TransactionClient, 'query'> = this.pool): Promise<boolean> {
    const { rowCount } = await client.query(
      'UPDATE dashboard_state SET active = $1, building = NULL WHERE building = $1',
      [building],
    );
    return rowCount === 1;
  }

  async deleteUnused(): Promise<void> {
    for (const [table, key] of [
      ['dashboard_transactions', 'id'],
      ['dashboard_sums', 'wallet'],
    ] as const)
      for (let after: Unused | undefined; (after = await this.deletePage(table, key, after)););
  }

  /** Continues along the index after the previous page, so that PostgreSQL does not read deleted rows again. */
  private async deletePage(table: string, key: string, after?: Unused): Promise<Unused | undefined> {
    const isUnused = `generation <> (SELECT active FROM dashboard_state)
      AND generation IS DISTINCT FROM (SELECT building FROM dashboard_state)`;
    const from = after ? `AND (generation, ${key}) >= ($1, $2)` : '';
    const { rows } = await this.pool.query<Unused>(
      `WITH page AS (SELECT ctid FROM ${table} WHERE ${isUnused} ${from} ORDER BY generation, ${key} LIMIT ${deletedAtOnce}),
       deleted AS (DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM page)) RETURNING generation, ${key} AS key)
       SELECT generation, key FROM deleted ORDER BY generation DESC, key DESC LIMIT 1`,
      after ? [after.generation, after.key] : [],
    );
    return rows[0];
  }

  /**
   * Compares all records and sums. Each event is written to both generations in one transaction, so concurrent events
   * cause no difference.
   */
  async compare(active: number, building: number): Promise<Comparison> {
    const found: Comparison = { records: 0, differing: 0, examples: [] };
    for await (const page of this.comparePages(active, building)) {
      found.records += page.records;
      found.differing += page.differing;
      found.examples.push(...page.examples.slice(0, maxExamples - found.examples.length));
    }
    return found;
  }

  private async *comparePages(active: number, building: number): AsyncGenerator<Comparison> {
    let after = firstId;
    for (;;) {
      const page = await this.compareRecords(active, building, after);
      yield page;
      if (page.last === null) break;
      after = page.last;
    }
    let wallet = '';
    for (;;) {
      const page = await this.compareSums(active, building, wallet);
      yield page;
      if (page.last === null) break;
      wallet = page.last;
    }
  }

  /**
   * Compares the next range of ids. The index determines the range, because a newly filled table has no statistics yet.
   */
  private async compareRecords(
    active: number,
    building: number,
    after: string,
  ): Promise<Comparison & { last: string | null }> {
    const ends = (generation: string) =>
      `(SELECT id FROM dashboard_transactions WHERE generation = ${generation} AND id > $3::uuid
        ORDER BY id OFFSET ${comparedAtOnce - 1} LIMIT 1)`;
    const { rows } = await this.pool.query<{ last: string | null }>(
      `SELECT least(${ends('$1')}, ${ends('$2')}) AS last`,
      [active, building, after],
    );
    const last = rows[0]!.last;
    const side = (generation: string) =>
      `SELECT ${columns} FROM dashboard_transactions WHERE generation = ${generation} AND id > $3::uuid AND id <= $4::uuid`;
    const page = await this.comparePage(
      `WITH old AS (${side('$1')}), new AS (${side('$2')}),
       both_sides AS (SELECT coalesce(old.wallet, new.wallet) AS wallet, id, old IS DISTINCT FROM new AS differs
         FROM old FULL JOIN new USING (id)),
       differing AS (SELECT wallet, id FROM both_sides WHERE differs)
       SELECT (SELECT count(*) FROM both_sides) AS records, (SELECT count(*) FROM differing) AS differing,
         (SELECT json_agg(e) FROM (SELECT wallet, id AS "recordId" FROM differing ORDER BY id LIMIT ${maxExamples}) e) AS examples`,
      [active, building, after, last ?? lastId],
    );
    return { ...page, last };
  }

  /** Compares the sums of the next wallet. A row of zeros is equal to a missing row. */
  private async compareSums(
    active: number,
    building: number,
    after: string,
  ): Promise<Comparison & { last: string | null }> {
    const nextOf = (generation: string) =>
      `(SELECT wallet FROM dashboard_sums WHERE generation = ${generation} AND wallet > $3 ORDER BY wallet LIMIT 1)`;
    const sides = (generation: string) => `
      SELECT wallet, day, network, token, completed, unsuccessful, expired, unpriced, confirmed, amount, value_usd FROM dashboard_sums
      WHERE generation = ${generation} AND wallet = (SELECT wallet FROM next)
        AND (completed, unsuccessful, expired, unpriced, confirmed, amount, value_usd) IS DISTINCT FROM (0, 0, 0, 0, 0, 0, 0)`;
    return this.comparePage(
      `WITH next AS (SELECT least(${nextOf('$1')}, ${nextOf('$2')}) AS wallet),
       differing AS ((${sides('$1')} EXCEPT ${sides('$2')}) UNION (${sides('$2')} EXCEPT ${sides('$1')}))
       SELECT 0 AS records, (SELECT count(*) FROM differing) AS differing,
         (SELECT json_agg(e) FROM (SELECT wallet, NULL AS "recordId" FROM differing LIMIT 1) e) AS examples,
         (SELECT wallet FROM next) AS last`,
      [active, building, after],
    );
  }

  private async comparePage(text: string, values: unknown[]): Promise<Comparison & { last: string | null }> {
    const { rows } = await this.pool.query<{
      records: string;
      differing: string;
      examples: Difference[] | null;
      last?: string | null;
    }>(text, values);
    const { records, differing, examples, last = null } = rows[0]!;
    return { records: Number(records), differing: Number(differing), examples: examples ?? [], last };
  }

  /** Runs `work` in a transaction of its own. */
  inTransaction = <T>(work: Parameters<typeof transaction<T>>[1]): Promise<T> => transaction(this.pool, work);
}
