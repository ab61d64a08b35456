import { transaction, type Database } from '@tollbridge/database';
import type { Assets } from './assets';
import type { Outcome } from './magic-amounts';
import { insertPayments, type NewPayment } from './payments.repository';
import type { Transition, RefundReason, Swap } from './swap';
import type { QuoteResponse, SwapStatus } from './wire';

export interface NewSwap {
  depositAddress: string;
  depositMemo: string;
  depositKey: string | null;
  originChain: string;
  originSymbol: string;
  destinationChain: string;
  destinationSymbol: string;
  response: QuoteResponse;
  outcome: Outcome;
  deadlineMs: number;
  watchedUntilMs: number;
  fromHeight: number;
  createdAtMs: number;
}

interface SwapRow {
  id: string;
  deposit_address: string;
  deposit_memo: string;
  deposit_key: string | null;
  origin_chain: string;
  origin_symbol: string;
  destination_chain: string;
  destination_symbol: string;
  response: QuoteResponse;
  outcome: Outcome;
  status: SwapStatus;
  deadline: Date;
  from_height: string;
  submitted_tx: string | null;
  seen_at: Date | null;
  seen_amount: string;
  deposited_amount: string;
  handled_amount: string;
  amount_in: string | null;
  amount_out: string | null;
  refund_reason: RefundReason | null;
  created_at: Date;
  updated_at: Date;
}

// Maximum rows of one worker round. The next round reads the rest.
const maxAtOnce = 5_000;

/** Committed quotes and their deposits. */
export class SwapsRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly assets: Assets,
  ) {}

  async insert(swap: NewSwap): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO swaps (id, deposit_address, deposit_memo, deposit_key, origin_chain, origin_symbol,
         destination_chain, destination_symbol, response, outcome, deadline, watched_until, from_height, created_at,
         updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
      [
        swap.response.correlationId,
        swap.depositAddress,
        swap.depositMemo,
        swap.depositKey,
        swap.originChain,
        swap.originSymbol,
        swap.destinationChain,
        swap.destinationSymbol,
        JSON.stringify(swap.response),
        swap.outcome,
        new Date(swap.deadlineMs),
        new Date(swap.watchedUntilMs),
        swap.fromHeight,
        new Date(swap.createdAtMs),
      ],
    );
  }

  async find(depositAddress: string, depositMemo: string): Promise<Swap | undefined> {
    return (
      await this.select('deposit_address = $1 AND deposit_memo = $2', [depositAddress, depositMemo])
    )[0];
  }

  /** Returns swaps on a chain with a node that can still receive deposits, without addresses that are being swept. */
  async watched(chain: string, nowMs: number, createdAfterMs: number): Promise<Swap[]> {
    return this.select(
      `origin_chain = $1 AND watched_until > $2 AND created_at >= $3 AND deposit_key IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM swap_payments p WHERE p.swap_id = swaps.id AND p.purpose = 'sweep'
         AND p.state = 'signed')`,
      [chain, new Date(nowMs), new Date(createdAfterMs)],
    );
  }

  /** Returns the newest swaps that wait for a deposit on a local network without deposit keys. */
  async watchedOnNetwork(chain: string, createdAfterMs: number, most: number): Promise<Swap[]> {
    return this.select(
      `origin_chain = $1 AND created_at >= $2 AND deposit_key IS NULL AND deposit_memo = '' AND handled_amount = 0
       AND status IN ('PENDING_DEPOSIT', 'KNOWN_DEPOSIT_TX', 'INCOMPLETE_DEPOSIT')
       ORDER BY created_at DESC LIMIT ${most}`,
      [chain, new Date(createdAfterMs)],
    );
  }

  /** Swaps that may need a decision. */
  async undecided(): Promise<Swap[]> {
    return this.select(
      `(status IN ('SUCCESS', 'REFUNDED', 'FAILED') AND deposited_amount > handled_amount)
       OR (status IN ('PENDING_DEPOSIT', 'KNOWN_DEPOSIT_TX', 'INCOMPLETE_DEPOSIT') AND handled_amount = 0
         AND (seen_amount > 0 OR submitted_tx IS NOT NULL OR status <> 'PENDING_DEPOSIT'))
       ORDER BY created_at LIMIT ${maxAtOnce}`,
      [],
    );
  }

  async get(id: string): Promise<Swap> {
    return (await this.select('id = $1', [id]))[0]!;
  }

  /** Records the amounts received on a chain, as its node reports them. */
  async recordArrived(
    id: string,
    amounts: { seenAtomic: bigint; depositedAtomic: bigint },
    deposits: { txHashes: readonly string[]; replace: boolean },
    nowMs: number,
  ): Promise<void> {
    const now = new Date(nowMs);
    await transaction(this.database.pool, async (client) => {
      await client.query(
        `UPDATE swaps SET seen_amount = $2::numeric, deposited_amount = $3, updated_at = $4::timestamptz,
           seen_at = CASE WHEN $2::numeric > 0 THEN COALESCE(seen_at, $4::timestamptz) END WHERE id = $1`,
        [id, String(amounts.seenAtomic), String(amounts.depositedAtomic), now],
      );
      if (deposits.replace) await client.query('DELETE FROM swap_deposits WHERE swap_id = $1', [id]);
      for (const txHash of deposits.txHashes) await client.query(insertDeposit, [id, txHash, now]);
    });
  }

  /** Records a transfer on a chain without a node. It counts immediately. */
  async addToLedger(id: string, amountAtomic: bigint, txHash: string, nowMs: number): Promise<void> {
    const now = new Date(nowMs);
    await transaction(this.database.pool, async (client) => {
      await client.query(
        `UPDATE swaps SET seen_amount = seen_amount + $2::numeric, deposited_amount = deposited_amount + $2::numeric,
           updated_at = $3::timestamptz, seen_at = COALESCE(seen_at, $3::timestamptz) WHERE id = $1`,
        [id, String(amountAtomic), now],
      );
      await client.query(insertDeposit, [id, txHash, now]);
    });
  }

  async submit(id: string, txHash: string, nowMs: number): Promise<void> {
    await this.database.pool.query(
      'UPDATE swaps SET submitted_tx = COALESCE(submitted_tx, $2), updated_at = $3 WHERE id = $1',
      [id, txHash, new Date(nowMs)],
    );
  }

  async setDeadline(id: string, deadlineMs: number): Promise<void> {
    await this.database.pool.query('UPDATE swaps SET deadline = $2 WHERE id = $1', [
      id,
      new Date(deadlineMs),
    ]);
  }

  /** Applies a transition, unless the swap has changed since the decision. */
  async applyTransition(
    swap: Swap,
    transition: Transition,
    payments: readonly NewPayment[],
    nowMs: number,
  ): Promise<void> {
    const now = new Date(nowMs);
    const guard = [swap.id, swap.status, String(swap.depositedAtomic), now];
    await transaction(this.database.pool, async (client) => {
      const condition = 'WHERE id = $1 AND status = $2 AND deposited_amount = $3';
      if (transition.kind === 'status') {
        await client.query(`UPDATE swaps SET status = $5, updated_at = $4 ${condition}`, [
          ...guard,
          transition.status,
        ]);
        return;
      }
      const { rowCount } = await client.query(
        `UPDATE swaps SET status = $5, amount_in = $6, amount_out = $7, refund_reason = $8,
           handled_amount = deposited_amount, updated_at = $4 ${condition}`,
        [
          ...guard,
          transition.status,
          transition.amountInAtomic === null ? null : String(transition.amountInAtomic),
          transition.amountOutAtomic === null ? null : String(transition.amountOutAtomic),
          transition.refundReason,
        ],
      );
      if (rowCount === 1) await insertPayments(client, { swapId: swap.id }, payments);
    });
  }

  /** Returns the hashes of deposits, oldest first. */
  async depositsOf(id: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ tx_hash: string }>(
      'SELECT tx_hash FROM swap_deposits WHERE swap_id = $1 ORDER BY seen_at, tx_hash',
      [id],
    );
    return rows.map(({ tx_hash }) => tx_hash);
  }

  private async select(condition: string, values: unknown[]): Promise<Swap[]> {
    const { rows } = await this.database.pool.query<SwapRow>(
      `SELECT * FROM swaps WHERE ${condition}`,
      values,
    );
    return rows.map((row) => this.fromRow(row));
  }

  private fromRow(row: SwapRow): Swap {
    return {
      id: row.id,
      depositAddress: row.deposit_address,
      depositMemo: row.deposit_memo,
      depositKey: row.deposit_key,
      origin: this.assets.on(row.origin_chain, row.origin_symbol),
      destination: this.assets.on(row.destination_chain, row.destination_symbol),
      response: row.response,
      outcome: row.outcome,
      status: row.status,
      createdAtMs: row.created_at.getTime(),
      updatedAtMs: row.updated_at.getTime(),
      deadlineMs: row.deadline.getTime(),
      fromHeight: Number(row.from_height),
      submittedTx: row.submitted_tx,
      seenAtMs: row.seen_at?.getTime() ?? null,
      seenAtomic: BigInt(row.seen_amount),
      depositedAtomic: BigInt(row.deposited_amount),
      handledAtomic: BigInt(row.handled_amount),
      amountInAtomic: row.amount_in === null ? null : BigInt(row.amount_in),
      amountOutAtomic: row.amount_out === null ? null : BigInt(row.amount_out),
      refundReason: row.refund_reason,
    };
  }
}

const insertDeposit =
  'INSERT INTO swap_deposits (swap_id, tx_hash, seen_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
