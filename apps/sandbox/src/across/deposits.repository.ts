import { transaction, type Database } from '@tollbridge/database';
import { insertPayments, type NewPayment } from '../oneclick/payments.repository';
import type { Outcome } from './magic-amounts';

/** Relay data of a deposit, in the form of a fill, with 32-byte words and numbers as text. */
export interface RelayData {
  depositor: string;
  recipient: string;
  exclusiveRelayer: string;
  inputToken: string;
  outputToken: string;
  inputAmount: string;
  outputAmount: string;
  originChainId: string;
  depositId: string;
  fillDeadline: number;
  exclusivityDeadline: number;
  message: string;
}

/**
 * - `filling`, `refunding`: a transaction is planned or in progress
 * - `expired`: not filled, and cannot be filled any more
 */
export type DepositStage = 'pending' | 'filling' | 'filled' | 'expired' | 'refunding' | 'refunded';

export interface NewDeposit {
  originChainId: number;
  spokePool: string;
  depositId: string;
  destinationChainId: string;
  txHash: string;
  relay: RelayData;
  outcome: Outcome;
}

export interface Deposit extends NewDeposit {
  id: string;
  stage: DepositStage;
  actionsSucceeded: boolean | null;
  fillTx: string | null;
  refundTx: string | null;
  seenAtMs: number;
  expiredAtMs: number | null;
}

interface DepositRow {
  id: string;
  origin_chain_id: string;
  spoke_pool: string;
  deposit_id: string;
  destination_chain_id: string;
  tx_hash: string;
  relay: RelayData;
  outcome: Outcome;
  status: DepositStage;
  actions_succeeded: boolean | null;
  fill_tx: string | null;
  refund_tx: string | null;
  seen_at: Date;
  expired_at: Date | null;
}

// Maximum rows of one worker round. The next round reads the rest.
const maxAtOnce = 1_000;

/** Deposits of the bridge and their outcomes. */
export class DepositsRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async byTransaction(txHash: string): Promise<Deposit[]> {
    return this.select('tx_hash = $1 ORDER BY id', [txHash.toLowerCase()]);
  }

  async byNumber(originChainId: number, depositId: string): Promise<Deposit[]> {
    // The newest pool's deposit, in case a pool was redeployed.
    const values = [originChainId, depositId];
    return this.select('origin_chain_id = $1 AND deposit_id = $2 ORDER BY id DESC LIMIT 1', values);
  }

  async get(id: string): Promise<Deposit> {
    return (await this.select('id = $1', [id]))[0]!;
  }

  /** Deposits that may need a decision. */
  async open(): Promise<Deposit[]> {
    return this.select(`status IN ('pending', 'expired') ORDER BY id LIMIT ${maxAtOnce}`, []);
  }

  async cursor(chainId: number, spokePool: string): Promise<number> {
    const { rows } = await this.database.pool.query<{ height: string }>(
      'SELECT height FROM bridge_cursors WHERE chain_id = $1 AND spoke_pool = $2',
      [chainId, spokePool],
    );
    return Number(rows[0]?.height ?? -1);
  }

  /** Stores the deposits of blocks up to a height; a known deposit is not changed. */
  async record(
    chainId: number,
    spokePool: string,
    height: number,
    deposits: readonly NewDeposit[],
    nowMs: number,
  ): Promise<void> {
    await transaction(this.database.pool, async (client) => {
      for (const it of deposits)
        await client.query(
          `INSERT INTO bridge_deposits (origin_chain_id, spoke_pool, deposit_id, destination_chain_id, tx_hash, relay,
             outcome, seen_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
          [
            it.originChainId,
            it.spokePool,
            it.depositId,
            it.destinationChainId,
            it.txHash,
            JSON.stringify(it.relay),
            it.outcome,
            new Date(nowMs),
          ],
        );
      await client.query(
        `INSERT INTO bridge_cursors (chain_id, spoke_pool, height) VALUES ($1, $2, $3)
         ON CONFLICT (chain_id, spoke_pool) DO UPDATE SET height = $3`,
        [chainId, spokePool, height],
      );
    });
  }

  /** Plans a transaction, unless the deposit has changed since the decision. */
  async plan(id: string, from: DepositStage, to: DepositStage, payment: NewPayment): Promise<void> {
    await transaction(this.database.pool, async (client) => {
      const { rowCount } = await client.query(
        'UPDATE bridge_deposits SET status = $3 WHERE id = $1 AND status = $2',
        [id, from, to],
      );
      if (rowCount === 1) await insertPayments(client, { depositId: id }, [payment]);
    });
  }

  async setStage(id: string, from: DepositStage, to: DepositStage): Promise<void> {
    const values = [id, from, to];
    await this.database.pool.query(
      'UPDATE bridge_deposits SET status = $3 WHERE id = $1 AND status = $2',
      values,
    );
  }

  async expire(id: string, nowMs: number): Promise<void> {
    await this.database.pool.query(
      `UPDATE bridge_deposits SET status = 'expired', expired_at = $2 WHERE id = $1 AND status = 'pending'`,
      [id, new Date(nowMs)],
    );
  }

  async markFilled(id: string, txHash: string, actionsSucceeded: boolean | null): Promise<void> {
    await this.database.pool.query(
      `UPDATE bridge_deposits SET status = 'filled', fill_tx = $2, actions_succeeded = $3
       WHERE id = $1 AND status IN ('pending', 'filling')`,
      [id, txHash, actionsSucceeded],
    );
  }

  async markRefunded(id: string, txHash: string): Promise<void> {
    await this.database.pool.query(
      `UPDATE bridge_deposits SET status = 'refunded', refund_tx = $2 WHERE id = $1 AND status = 'refunding'`,
      [id, txHash],
    );
  }

  private async select(condition: string, values: unknown[]): Promise<Deposit[]> {
    const { rows } = await this.database.pool.query<DepositRow>(
      `SELECT * FROM bridge_deposits WHERE ${condition}`,
      values,
    );
    return rows.map((row) => ({
      id: row.id,
      originChainId: Number(row.origin_chain_id),
      spokePool: row.spoke_pool,
      depositId: row.deposit_id,
      destinationChainId: row.destination_chain_id,
      txHash: row.tx_hash,
      relay: row.relay,
      outcome: row.outcome,
      stage: row.status,
      actionsSucceeded: row.actions_succeeded,
      fillTx: row.fill_tx,
      refundTx: row.refund_tx,
      seenAtMs: row.seen_at.getTime(),
      expiredAtMs: row.expired_at?.getTime() ?? null,
    }));
  }
}
