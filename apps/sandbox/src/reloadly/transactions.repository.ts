import type { Database } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { Money } from './money';
import { fraction } from './money';
import type { Api } from './tokens';

export type Status = 'SUCCESSFUL' | 'PENDING' | 'PROCESSING' | 'REFUNDED' | 'FAILED';

export interface NewTransaction {
  api: Api;
  identifier: string | null;
  /** All fields except id and status. */
  body: Record<string, unknown>;
  cost: Money;
  /** Status before `settlesAtMs`, and after it. */
  opens: Status;
  ends: Status;
  settlesAtMs: number;
  codesAtMs: number;
  createdAtMs: number;
}

export interface Transaction extends NewTransaction {
  id: number;
}

interface Row {
  id: string;
  api: Api;
  identifier: string | null;
  body: Record<string, unknown>;
  cost: string;
  opens: Status;
  ends: Status;
  settles_at: Date;
  codes_at: Date;
  created_at: Date;
}

export const statusAt = ({ opens, ends, settlesAtMs }: Transaction, nowMs: number): Status =>
  nowMs >= settlesAtMs ? ends : opens;

/** Initial balance of the account. */
const openingBalance = fraction('100000');

/** Purchases from the simulated provider. */
export class TransactionsRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  private readonly pool: Pool;

  constructor({ pool }: Pick<Database, 'pool'>) {
    this.pool = pool;
  }

  async add(made: NewTransaction): Promise<Transaction> {
    const { rows } = await this.pool.query<Row>(
      `INSERT INTO reloadly_transactions (api, identifier, body, cost, opens, ends, settles_at, codes_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING *`,
      [
        made.api,
        made.identifier,
        JSON.stringify(made.body),
        String(made.cost),
        made.opens,
        made.ends,
        ...[made.settlesAtMs, made.codesAtMs, made.createdAtMs].map((ms) => new Date(ms)),
      ],
    );
    return fromRow(rows[0]!);
  }

  async find(api: Api, id: number): Promise<Transaction | undefined> {
    const { rows } = await this.pool.query<Row>(
      'SELECT * FROM reloadly_transactions WHERE api = $1 AND id = $2',
      [api, id],
    );
    return rows.map(fromRow)[0];
  }

  /** Returns transactions, newest first. */
  async list(
    api: Api,
    { identifier, limit, offset }: { identifier?: string | undefined; limit: number; offset: number },
  ): Promise<Transaction[]> {
    const { rows } = await this.pool.query<Row>(
      `SELECT * FROM reloadly_transactions WHERE api = $1 AND ($2::text IS NULL OR identifier = $2)
       ORDER BY id DESC LIMIT $3 OFFSET $4`,
      [api, identifier ?? null, limit, offset],
    );
    return rows.map(fromRow);
  }

  /** Returns the balance of the wallet that all products share. */
  async balance(nowMs: number): Promise<{ balance: Money; updatedAtMs: number }> {
    const { rows } = await this.pool.query<{ spent: string; updated_at: Date | null }>(
      `SELECT coalesce(sum(cost) FILTER (WHERE NOT (ends IN ('REFUNDED', 'FAILED') AND settles_at <= $1)), 0) AS spent,
         max(created_at) AS updated_at
       FROM reloadly_transactions`,
      [new Date(nowMs)],
    );
    const { spent, updated_at } = rows[0]!;
    return { balance: openingBalance - BigInt(spent), updatedAtMs: updated_at?.getTime() ?? nowMs };
  }
}

function fromRow(row: Row): Transaction {
  return {
    id: Number(row.id),
    api: row.api,
    identifier: row.identifier,
    body: row.body,
    cost: BigInt(row.cost),
    opens: row.opens,
    ends: row.ends,
    settlesAtMs: row.settles_at.getTime(),
    codesAtMs: row.codes_at.getTime(),
    createdAtMs: row.created_at.getTime(),
  };
}
