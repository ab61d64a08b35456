import { Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import { Database, Batcher, storeReply, transaction, type TransactionClient } from '@tollbridge/database';
import type { RouteToken } from '@tollbridge/routing';
import type { Pool } from 'pg';
import type { QuoteRow } from './quotes.entity';

/** A quote as stored. Only its owner can build it. */
export interface StoredQuote {
  id: string;
  owner: string;
  provider: string;
  from: RouteToken;
  to: RouteToken;
  amountInAtomic: bigint;
  amountOutAtomic: bigint;
  minAmountOutAtomic: bigint;
  slippageBps: number;
  expiresAtMs: number;
}

const maxGroup = 128;

/** Reads and writes quotes. SQL: set-based statements (bench rows "quote a swap" and "build a swap"). */
@Injectable()
export class QuotesRepository {
  private readonly pool: Pool;
  private readonly inserts: Batcher<StoredQuote, void>;

  constructor({ pool, onGroupFailure: onFailure }: Database) {
    this.pool = pool;
    const options = { maxGroup, maxConcurrent: 2, isIdempotent: true, onFailure };
    this.inserts = new Batcher((quotes) => insertAll(this.pool, quotes), options);
  }

  /**
   * Inserts in a batch (bench row "quote a swap"). With an idempotency key, quote and reply share a transaction
   * instead.
   */
  async insert(quote: StoredQuote, context: CallContext, reply: unknown): Promise<void> {
    if (!context.claim) return this.inserts.add(quote);
    await transaction(this.pool, async (client) => {
      await insertAll(client, [quote]);
      await storeReply(client, context, reply);
    });
  }

  async findAll(ids: readonly string[], owner: string): Promise<StoredQuote[]> {
    const { rows } = await this.pool.query<QuoteRow>({
      name: 'quotes-find',
      text: 'SELECT * FROM quotes WHERE id = ANY($1::uuid[]) AND owner = $2',
      values: [ids, owner],
    });
    return rows.map(fromRow);
  }

  /** Deletes expired quotes. Sets do not need them any more. SQL: a limited delete with SKIP LOCKED. */
  async deleteBefore(timeMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query({
      name: 'quotes-delete',
      text: `DELETE FROM quotes WHERE id = ANY(ARRAY(
               SELECT id FROM quotes WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      values: [new Date(timeMs), limit],
    });
    return rowCount ?? 0;
  }
}

async function insertAll(client: TransactionClient | Pool, quotes: StoredQuote[]): Promise<void[]> {
  await client.query({
    name: 'quotes-insert',
    text: `INSERT INTO quotes (id, owner, provider, from_token, to_token, amount_in, amount_out, min_amount_out,
        slippage_bps, expires_at)
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::json[], $5::json[], $6::numeric[], $7::numeric[],
        $8::numeric[], $9::integer[], $10::timestamptz[])
      -- A batch with an unknown outcome is inserted again. The ids are random, so a conflict is always the same quote.
      ON CONFLICT (id) DO NOTHING`,
    values: [
      quotes.map(({ id }) => id),
      quotes.map(({ owner }) => owner),
      quotes.map(({ provider }) => provider),
      quotes.map(({ from }) => JSON.stringify(from)),
      quotes.map(({ to }) => JSON.stringify(to)),
      quotes.map(({ amountInAtomic }) => String(amountInAtomic)),
      quotes.map(({ amountOutAtomic }) => String(amountOutAtomic)),
      quotes.map(({ minAmountOutAtomic }) => String(minAmountOutAtomic)),
      quotes.map(({ slippageBps }) => slippageBps),
      quotes.map(({ expiresAtMs }) => new Date(expiresAtMs)),
    ],
  });
  return quotes.map(() => undefined);
}

function fromRow(row: QuoteRow): StoredQuote {
  return {
    id: row.id,
    owner: row.owner,
    provider: row.provider,
    from: row.from_token,
    to: row.to_token,
    amountInAtomic: BigInt(row.amount_in),
    amountOutAtomic: BigInt(row.amount_out),
    minAmountOutAtomic: BigInt(row.min_amount_out),
    slippageBps: row.slippage_bps,
    expiresAtMs: row.expires_at.getTime(),
  };
}
