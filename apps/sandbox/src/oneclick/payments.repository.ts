import { transaction, type Database } from '@tollbridge/database';
import type { PoolClient } from 'pg';
import type { Purpose, RefundReason } from './swap';
import type { SwapStatus } from './wire';

export type PaymentPurpose = Purpose | 'fill' | 'fill-approval' | 'deposit-refund';

/** The swap or bridge deposit that a payment belongs to. */
export type PaymentOwner = { swapId: string } | { depositId: string };

export interface NewPayment {
  purpose: PaymentPurpose;
  chain: string;
  /** Null for the native coin. */
  token: string | null;
  sender: string;
  recipient: string;
  amountAtomic: bigint;
}

export interface Payment extends NewPayment {
  id: string;
  /** Null for a payment of a bridge deposit, which has a `depositId` instead. */
  swapId: string | null;
  depositId: string | null;
  state: 'planned' | 'signed' | 'mined' | 'dropped';
  nonce: number | null;
  raw: string | null;
  txHash: string | null;
  height: number | null;
}

export interface SignedPayment {
  /** Null on networks that are not EVM. */
  nonce: number | null;
  raw: string;
  txHash: string;
  amountAtomic: bigint;
}

interface PaymentRow {
  id: string;
  swap_id: string | null;
  deposit_id: string | null;
  purpose: PaymentPurpose;
  chain: string;
  token: string | null;
  sender: string;
  recipient: string;
  amount: string;
  state: Payment['state'];
  nonce: string | null;
  raw: string | null;
  tx_hash: string | null;
  height: string | null;
}

// Maximum rows of one worker round. The next round reads the rest.
const maxAtOnce = 200;

/** Payments of the solver for swaps and bridge deposits. */
export class PaymentsRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Returns the next payment of each swap and deposit. Payments of one owner are sequential. */
  async next(): Promise<Payment[]> {
    return this.select(
      `id IN (SELECT min(id) FROM swap_payments WHERE state IN ('planned', 'signed') GROUP BY swap_id, deposit_id
         ORDER BY min(id) LIMIT ${maxAtOnce}) ORDER BY id`,
      [],
    );
  }

  /** Whether a payment with this purpose is in progress on a chain, optionally for one token. */
  async hasOpen(chain: string, purpose: PaymentPurpose, token?: string): Promise<boolean> {
    const { rows } = await this.database.pool.query(
      `SELECT 1 FROM swap_payments WHERE state IN ('planned', 'signed') AND chain = $1 AND purpose = $2
         AND ($3::text IS NULL OR token = $3) LIMIT 1`,
      [chain, purpose, token ?? null],
    );
    return rows.length > 0;
  }

  async ofSwap(swapId: string): Promise<Payment[]> {
    return this.select('swap_id = $1 ORDER BY id', [swapId]);
  }

  async sign(id: string, { nonce, raw, txHash, amountAtomic }: SignedPayment): Promise<void> {
    await this.database.pool.query(
      `UPDATE swap_payments SET state = 'signed', nonce = $2, raw = $3, tx_hash = $4, amount = $5 WHERE id = $1`,
      [id, nonce, raw, txHash, String(amountAtomic)],
    );
  }

  async markMined(id: string, txHash: string, height: number): Promise<void> {
    await this.database.pool.query(
      `UPDATE swap_payments SET state = 'mined', tx_hash = $2, height = $3 WHERE id = $1`,
      [id, txHash, height],
    );
  }

  async drop(id: string): Promise<void> {
    await this.database.pool.query(`UPDATE swap_payments SET state = 'dropped' WHERE id = $1`, [id]);
  }

  /**
   * Resets a payment with a nonce that another transaction has used. It can never be mined and must be signed again.
   */
  async replan(id: string): Promise<void> {
    await this.database.pool.query(
      `UPDATE swap_payments SET state = 'planned', nonce = NULL, raw = NULL, tx_hash = NULL WHERE id = $1`,
      [id],
    );
  }

  /** Replaces an impossible delivery by a refund of the deposit. */
  async refundInstead(swapId: string, refunds: readonly NewPayment[], reason: RefundReason): Promise<void> {
    await transaction(this.database.pool, async (client) => {
      await client.query(
        `UPDATE swap_payments SET state = 'dropped'
         WHERE swap_id = $1 AND purpose IN ('delivery', 'surplus') AND state IN ('planned', 'signed')`,
        [swapId],
      );
      await client.query(
        'UPDATE swaps SET amount_in = NULL, amount_out = NULL, refund_reason = $2 WHERE id = $1',
        [swapId, reason],
      );
      await insertPayments(client, { swapId }, refunds);
    });
  }

  async end(swapId: string, status: SwapStatus, nowMs: number): Promise<void> {
    await this.database.pool.query(
      `UPDATE swaps SET status = $2, updated_at = $3
       WHERE id = $1 AND status NOT IN ('SUCCESS', 'REFUNDED', 'FAILED')`,
      [swapId, status, new Date(nowMs)],
    );
  }

  /** Returns the nonce after all signed transactions. */
  async nextNonce(chain: string, sender: string): Promise<number> {
    const { rows } = await this.database.pool.query<{ nonce: string | null }>(
      'SELECT max(nonce) + 1 AS nonce FROM swap_payments WHERE chain = $1 AND sender = $2',
      [chain, sender],
    );
    return Number(rows[0]!.nonce ?? 0);
  }

  /** Returns signed transactions that the chain does not have, in the order of nonces. */
  async missing(chain: string, sender: string, fromNonce: number): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ raw: string }>(
      `SELECT raw FROM swap_payments
       WHERE chain = $1 AND sender = $2 AND nonce >= $3 AND raw IS NOT NULL ORDER BY nonce`,
      [chain, sender, fromNonce],
    );
    return rows.map(({ raw }) => raw);
  }

  /** Returns the swept amounts of each deposit address of a chain up to a height, including transfer costs in coins. */
  async swept(swapIds: readonly string[], height: number): Promise<Map<string, bigint>> {
    const { rows } = await this.database.pool.query<{ swap_id: string; amount: string }>(
      `SELECT swap_id, sum(amount) AS amount FROM swap_payments
       WHERE swap_id = ANY($1::uuid[]) AND purpose = 'sweep' AND state = 'mined' AND height <= $2 GROUP BY swap_id`,
      [swapIds, height],
    );
    return new Map(rows.map(({ swap_id, amount }) => [swap_id, BigInt(amount)]));
  }

  private async select(condition: string, values: unknown[]): Promise<Payment[]> {
    const { rows } = await this.database.pool.query<PaymentRow>(
      `SELECT * FROM swap_payments WHERE ${condition}`,
      values,
    );
    return rows.map((row) => ({
      id: row.id,
      swapId: row.swap_id,
      depositId: row.deposit_id,
      purpose: row.purpose,
      chain: row.chain,
      token: row.token,
      sender: row.sender,
      recipient: row.recipient,
      amountAtomic: BigInt(row.amount),
      state: row.state,
      nonce: row.nonce === null ? null : Number(row.nonce),
      raw: row.raw,
      txHash: row.tx_hash,
      height: row.height === null ? null : Number(row.height),
    }));
  }
}

export async function insertPayments(
  client: PoolClient,
  owner: PaymentOwner,
  payments: readonly NewPayment[],
): Promise<void> {
  const { swapId = null, depositId = null } = owner as { swapId?: string; depositId?: string };
  for (const { purpose, chain, token, sender, recipient, amountAtomic } of payments) {
    await client.query(
      `INSERT INTO swap_payments (swap_id, deposit_id, purpose, chain, token, sender, recipient, amount)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [swapId, depositId, purpose, chain, token, sender, recipient, String(amountAtomic)],
    );
  }
}
