import { Inject, Injectable } from '@nestjs/common';
import type { SignedCall } from '@tollbridge/evm';
import { Clock, Database, lockRows, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { transitionRefund } from './refund-transitions.repository';
import type { DueRefund } from './refunds.repository';

/** A stored transaction of a refund. */
export interface RefundTransaction extends SignedCall {
  sender: string;
  amountAtomic: bigint;
  /** The coins that it leaves at its address for its own gas. */
  reserveAtomic: bigint;
  createdAtMs: number;
}

/** The amount of a transaction and its sender. */
export interface RefundTransfer {
  chain: string;
  sender: string;
  amountAtomic: bigint;
  reserveAtomic: bigint;
}

/** A transaction to sign and store. */
export interface NewTransaction extends RefundTransfer {
  /** The sender's transaction count on the chain. Lower nonces are used. */
  minedCount: number;
  /** Signs locally, because it runs inside a database transaction. */
  sign(nonce: number): Promise<SignedCall>;
}

interface TransactionRow {
  hash: string;
  sender: string;
  nonce: string;
  raw: string;
  amount: string;
  reserve: string;
  gas_limit: string;
  max_fee: string;
  tip: string;
  created_at: Date;
}

/** Stores the signed transactions of refunds. Uses SQL because nonces are assigned under a lock. */
@Injectable()
export class RefundTransactionsRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  /** Transactions with the refund's current nonce, oldest first. */
  async transactionsOf({ id, sender, nonce }: DueRefund): Promise<RefundTransaction[]> {
    const { rows } = await this.pool.query<TransactionRow>({
      name: 'refund-transactions',
      text: `SELECT * FROM refund_transactions WHERE refund_id = $1 AND sender = $2 AND nonce = $3
             ORDER BY created_at, max_fee`,
      values: [id, sender, nonce],
    });
    return rows.map(fromTransactionRow);
  }

  /** The number of nonces, of any account, that a refund has used since the last decision of an operator. */
  async noncesOf(id: string): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>({
      name: 'refund-nonces-count',
      text: `SELECT count(DISTINCT (t.sender, t.nonce))::int AS count
             FROM refund_transactions t JOIN refunds r ON r.id = t.refund_id
             WHERE r.id = $1 AND t.created_at > coalesce(r.resolved_at, '-infinity')`,
      values: [id],
    });
    return rows[0]!.count;
  }

  /**
   * Assigns the next nonce of an account to a refund, and stores the signed transaction before it is sent.
   * @returns undefined when the refund changed meanwhile
   */
  add(
    { id, recipient, amountAtomic }: Pick<DueRefund, 'id' | 'recipient' | 'amountAtomic'>,
    event: 'gasSigned' | 'forwardSigned',
    { minedCount, sign, ...moving }: NewTransaction,
  ): Promise<SignedCall | undefined> {
    const { chain, sender } = moving;
    return transaction(this.pool, async (client) => {
      const { rowCount } = await client.query({
        name: 'refund-lock-ready',
        // An operator may have set another recipient since the refund was read.
        text: `SELECT 1 FROM refunds WHERE id = $1 AND state = 'ready' AND recipient = $2 AND amount = $3 FOR UPDATE`,
        values: [id, recipient, String(amountAtomic)],
      });
      if (rowCount === 0) return undefined;
      // Serialised, because a gap between nonces would block all later transactions.
      await lockRows(client, 'refund nonces', [`${chain} ${sender}`]);
      const { rows } = await client.query<{ nonce: string }>({
        name: 'refund-nonce-take',
        text: `INSERT INTO refund_nonces (chain, sender, nonce, refund_id)
               SELECT $1, $2, greatest($3, coalesce(max(nonce) + 1, 0)), $4 FROM refund_nonces
               WHERE chain = $1 AND sender = $2 RETURNING nonce`,
        values: [chain, sender, minedCount, id],
      });
      const signed = await sign(Number(rows[0]!.nonce));
      await this.insertTransaction(client, id, moving, signed);
      await transitionRefund(
        client,
        { id, event, at: this.now() },
        {
          set: 'sender = $3, nonce = $4, tx_hash = $5, reason = NULL, check_at = $2',
          values: [sender, signed.nonce, signed.hash],
        },
      );
      return signed;
    });
  }

  /**
   * Stores a transaction that replaces another one with the same nonce.
   * @returns false when the refund does not have this nonce any more
   */
  replace(id: string, replacing: RefundTransfer, signed: SignedCall): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      const { rowCount } = await client.query({
        name: 'refund-lock-nonce',
        text: 'SELECT 1 FROM refunds WHERE id = $1 AND sender = $2 AND nonce = $3 FOR UPDATE',
        values: [id, replacing.sender, signed.nonce],
      });
      if (rowCount === 0) return false;
      await this.insertTransaction(client, id, replacing, signed);
      return true;
    });
  }

  private async insertTransaction(
    client: TransactionClient,
    id: string,
    { chain, sender, amountAtomic, reserveAtomic }: RefundTransfer,
    { hash, nonce, raw, gasLimit, fees }: SignedCall,
  ): Promise<void> {
    await client.query({
      name: 'refund-transaction-insert',
      text: `INSERT INTO refund_transactions (hash, chain, sender, nonce, refund_id, raw, amount, reserve, gas_limit,
               max_fee, tip, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      values: [
        hash,
        chain,
        sender,
        nonce,
        id,
        raw,
        String(amountAtomic),
        String(reserveAtomic),
        String(gasLimit),
        String(fees.maxFeePerGas),
        String(fees.maxPriorityFeePerGas),
        this.now(),
      ],
    });
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

function fromTransactionRow(row: TransactionRow): RefundTransaction {
  return {
    hash: row.hash,
    sender: row.sender,
    nonce: Number(row.nonce),
    raw: row.raw,
    amountAtomic: BigInt(row.amount),
    reserveAtomic: BigInt(row.reserve),
    gasLimit: BigInt(row.gas_limit),
    fees: { maxFeePerGas: BigInt(row.max_fee), maxPriorityFeePerGas: BigInt(row.tip) },
    createdAtMs: row.created_at.getTime(),
  };
}
