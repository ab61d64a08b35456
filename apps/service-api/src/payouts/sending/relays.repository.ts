import { Inject, Injectable } from '@nestjs/common';
import type { SignedCall } from '@tollbridge/evm';
import { Clock, Database, lockRows, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { DueBatch } from './due-batches.repository';

/** A signed transaction that relays a batch. */
export interface Relay extends SignedCall {
  /** The account that the nonce belongs to. */
  relayer: string;
  createdAtMs: number;
}

export interface Relayer {
  chain: string;
  address: string;
}

interface RelayRow {
  hash: string;
  relayer: string;
  nonce: string;
  raw: string;
  gas_limit: string;
  max_fee: string;
  tip: string;
  created_at: Date;
}

/** Stores the transactions that relay batches. SQL: nonces are serialized under a lock. */
@Injectable()
export class RelaysRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  /** The transactions of the batch's current nonce, oldest first. */
  async relaysOf({ payoutId, index }: DueBatch): Promise<Relay[]> {
    const { rows } = await this.pool.query<RelayRow>({
      name: 'payout-relays',
      text: `SELECT r.* FROM payout_relays r JOIN payout_batches b USING (payout_id, place)
             WHERE r.payout_id = $1 AND r.place = $2 AND r.nonce = b.relay_nonce ORDER BY r.created_at, r.max_fee`,
      values: [payoutId, index],
    });
    return rows.map(relayFromRow);
  }

  /**
   * Returns the number of nonces that the batch has used. All but the newest were consumed without paying the batch.
   */
  async noncesOf({ payoutId, index }: DueBatch): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>({
      name: 'payout-relay-nonces',
      text: `SELECT count(DISTINCT (relayer, nonce))::int AS count FROM payout_relays
             WHERE payout_id = $1 AND place = $2`,
      values: [payoutId, index],
    });
    return rows[0]!.count;
  }

  /**
   * Assigns the next nonce of a relayer to a batch, and stores the signed transaction before it is broadcast.
   * @param minedCount number of mined transactions of the relayer: the lowest free nonce
   * @param sign signs a transaction with the nonce, without I/O
   * @returns undefined when the batch is no longer ready
   */
  add(
    { payoutId, index }: DueBatch,
    { chain, address }: Relayer,
    minedCount: number,
    sign: (nonce: number) => Promise<SignedCall>,
  ): Promise<SignedCall | undefined> {
    return transaction(this.pool, async (client) => {
      const { rowCount } = await client.query({
        name: 'payout-batch-lock-ready',
        text: `SELECT 1 FROM payout_batches WHERE payout_id = $1 AND place = $2 AND status = 'ready' FOR UPDATE`,
        values: [payoutId, index],
      });
      if (rowCount === 0) return undefined;
      // Assigned one after another, because a gap between nonces would block all later transactions.
      await lockRows(client, 'payout nonces', [`${chain} ${address}`]);
      const { rows } = await client.query<{ nonce: string }>({
        name: 'payout-nonce-take',
        text: `INSERT INTO payout_nonces (chain, relayer, nonce, payout_id, place)
               SELECT $1, $2, greatest($3, coalesce(max(nonce) + 1, 0)), $4, $5 FROM payout_nonces
               WHERE chain = $1 AND relayer = $2 RETURNING nonce`,
        values: [chain, address, minedCount, payoutId, index],
      });
      const relay = await sign(Number(rows[0]!.nonce));
      await this.insertRelay(client, { payoutId, index }, { chain, address }, relay);
      await client.query({
        name: 'payout-batch-send',
        text: `UPDATE payout_batches SET status = 'sending', relay_nonce = $3, tx_hash = $4, reason = NULL
               WHERE payout_id = $1 AND place = $2`,
        values: [payoutId, index, relay.nonce, relay.hash],
      });
      return relay;
    });
  }

  /** Stores a replacement with the same nonce. Returns false when the batch has another nonce now. */
  replace(batch: DueBatch, relayer: Relayer, relay: SignedCall): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      const { rowCount } = await client.query({
        name: 'payout-batch-lock-sending',
        text: `SELECT 1 FROM payout_batches WHERE payout_id = $1 AND place = $2 AND status = 'sending'
               AND relay_nonce = $3 FOR UPDATE`,
        values: [batch.payoutId, batch.index, relay.nonce],
      });
      if (rowCount === 0) return false;
      await this.insertRelay(client, batch, relayer, relay);
      return true;
    });
  }

  private async insertRelay(
    client: TransactionClient,
    { payoutId, index }: DueBatch,
    { chain, address }: Relayer,
    { hash, nonce, raw, gasLimit, fees }: SignedCall,
  ): Promise<void> {
    const { maxFeePerGas, maxPriorityFeePerGas } = fees;
    await client.query({
      name: 'payout-relay-insert',
      text: `INSERT INTO payout_relays (hash, chain, relayer, nonce, payout_id, place, raw, gas_limit, max_fee, tip, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      values: [
        hash,
        chain,
        address,
        nonce,
        payoutId,
        index,
        raw,
        String(gasLimit),
        String(maxFeePerGas),
        String(maxPriorityFeePerGas),
        this.now(),
      ],
    });
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

function relayFromRow(row: RelayRow): Relay {
  return {
    hash: row.hash,
    relayer: row.relayer,
    nonce: Number(row.nonce),
    raw: row.raw,
    gasLimit: BigInt(row.gas_limit),
    fees: { maxFeePerGas: BigInt(row.max_fee), maxPriorityFeePerGas: BigInt(row.tip) },
    createdAtMs: row.created_at.getTime(),
  };
}
