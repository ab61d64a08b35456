import { Inject, Injectable } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock, Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { RouteState } from '@tollbridge/routing';
import type { Pool } from 'pg';
import { publishRefunded } from '../orders/storage/order-transitions.repository';
import { lockRefundAddress } from './refund-addresses.repository';
import { transitionRefund, type RefundChange } from './refund-transitions.repository';
import type { ManualReason, RefundEvent, RefundState } from './refund';

/** A leased refund, with facts of its order. */
export interface DueRefund {
  id: string;
  orderId: string;
  state: RefundState;
  amountAtomic: bigint;
  recipient: string | null;
  /** The sender of the current transaction. */
  sender: string | null;
  nonce: number | null;
  createdAtMs: number;
  chain: string;
  token: string;
  addressIndex: number;
  address: string;
  leftoverAtomic: bigint;
  settledHeight: number;
  /** The sum of earlier forwarded refunds of this order. */
  forwardedAtomic: bigint;
  /** Whether an operator settled an earlier refund of this order by other means. */
  isAfterClosed: boolean;
  deposit: RefundedDeposit;
}

/** The deposit of a refund. */
export interface RefundedDeposit {
  address: string;
  memo: string | null;
  txHashes: readonly string[];
  state: RouteState;
  depositedAtomic: bigint | null;
  amountInAtomic: bigint | null;
  minAmountAtomic: bigint;
}

interface RefundRow {
  id: string;
  order_id: string;
  state: RefundState;
  amount: string;
  recipient: string | null;
  sender: string | null;
  nonce: string | null;
  created_at: Date;
  pay_chain: string;
  pay_token: string;
  address_index: number;
  address: string;
  leftover: string;
  settled_height: string;
  forwarded: string;
  is_after_closed: boolean;
  deposit_address: string;
  memo: string | null;
  deposit_txs: string[];
  deposit_state: RouteState;
  deposited: string | null;
  amount_in: string | null;
  min_amount: string;
}

const ownContext = () => callContext({ principal: 'refunds' });

/** Leases due refunds and stores their steps. Uses SQL for locks, leases and conditional writes. */
@Injectable()
export class RefundsRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  /** Leases due refunds, so that no other replica handles them before the lease ends. */
  async takeDue(leaseMs: number, limit: number): Promise<DueRefund[]> {
    const { rows } = await this.pool.query<RefundRow>({
      name: 'refunds-due',
      text: `WITH due AS (
               SELECT id FROM refunds WHERE check_at <= $1 ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED
             ), taken AS (
               UPDATE refunds r SET check_at = $2 FROM due WHERE r.id = due.id RETURNING r.*
             )
             SELECT t.id, t.order_id, t.state, t.amount, t.recipient, t.sender, t.nonce, t.created_at,
               o.pay_chain, o.pay_token, a.address_index, a.address, a.leftover, a.settled_height,
               (SELECT coalesce(sum(s.amount), 0) FROM refunds s WHERE s.order_id = t.order_id AND s.state = 'sent')
                 AS forwarded,
               EXISTS (SELECT FROM refunds s WHERE s.order_id = t.order_id AND s.state = 'closed') AS is_after_closed,
               d.address AS deposit_address, d.memo, d.deposit_txs, d.state AS deposit_state, d.deposited, d.amount_in,
               d.min_amount
             FROM taken t JOIN orders o ON o.id = t.order_id JOIN refund_addresses a ON a.order_id = t.order_id
               JOIN deposits d ON d.order_id = t.order_id`,
      values: [this.now(), new Date(this.clock.now() + leaseMs), limit],
    });
    return rows.map(fromRow);
  }

  async nextDueMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'refunds-next-due',
      text: 'SELECT min(check_at) AS at FROM refunds',
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** Stores the sender of the deposit as the recipient. */
  async senderFound(seen: DueRefund, recipient: string, amountAtomic: bigint): Promise<boolean> {
    return this.transitionSeen(this.pool, seen, 'senderFound', {
      set: 'recipient = $3, amount = $4, reason = NULL, check_at = $2',
      values: [recipient, String(amountAtomic)],
    });
  }

  /** Leaves the amount `seen.amountAtomic` to an operator. */
  async leaveToOperator(seen: DueRefund, reason: ManualReason, detail = ''): Promise<boolean> {
    return this.transitionSeen(this.pool, seen, 'leaveToOperator', {
      set: 'reason = $3, amount = $4, check_at = NULL, sender = NULL, nonce = NULL',
      values: [detail === '' ? reason : `${reason}: ${detail}`.slice(0, 500), String(seen.amountAtomic)],
    });
  }

  /** Called when the gas payment is final, or another transaction used its nonce. */
  async gasSettled(seen: DueRefund): Promise<boolean> {
    return this.transitionSeen(this.pool, seen, 'gasSettled', {
      set: 'sender = NULL, nonce = NULL, tx_hash = NULL, check_at = $2',
      values: [],
    });
  }

  /** Called when the transfer has finally failed on the chain. */
  async reverted(seen: DueRefund): Promise<boolean> {
    return this.transitionSeen(this.pool, seen, 'reverted', {
      set: 'sender = NULL, nonce = NULL, tx_hash = NULL, check_at = $2',
      values: [],
    });
  }

  /**
   * Called when the transfer is final: stores that with the event in one transaction. The address becomes due for late
   * amounts.
   */
  async forwarded(
    seen: DueRefund,
    sent: { txHash: string; height: number; amountAtomic: bigint; leftoverAtomic: bigint },
  ): Promise<void> {
    await transaction(this.pool, async (client) => {
      // Locks the order first, like every transaction that changes both.
      await client.query({
        name: 'refund-order-lock',
        text: 'SELECT FROM orders WHERE id = $1 FOR UPDATE',
        values: [seen.orderId],
      });
      await lockRefundAddress(client, seen.orderId);
      const isMoved = await this.transitionSeen(client, seen, 'forwarded', {
        set: 'tx_hash = $3, amount = $4, sender = NULL, nonce = NULL, reason = NULL, check_at = NULL',
        values: [sent.txHash, String(sent.amountAtomic)],
      });
      if (!isMoved) return;
      await client.query({
        name: 'refund-address-sent',
        text: `UPDATE refund_addresses SET leftover = $2, since = $3, check_at = $3, settled_height = $4
               WHERE order_id = $1`,
        values: [seen.orderId, String(sent.leftoverAtomic), this.now(), sent.height],
      });
      await publishRefunded(client, seen.orderId, this.clock.now(), ownContext());
    });
  }

  /** Stores when a refund is due next, and the reason that it waits. */
  async postpone(id: string, afterMs: number, reason: string | null = null): Promise<void> {
    await this.pool.query({
      name: 'refund-postpone',
      text: `UPDATE refunds SET check_at = $2, reason = $3
             WHERE id = $1 AND state IN ('arrived', 'ready', 'funding', 'sending')`,
      values: [id, new Date(this.clock.now() + afterMs), reason],
    });
  }

  /** Changes a refund only if no other replica has changed it since it was read. */
  private transitionSeen(
    client: TransactionClient | Pool,
    { id, state, sender, nonce }: DueRefund,
    event: RefundEvent,
    { set, values }: RefundChange,
  ): Promise<boolean> {
    const [first, second, third] = [3, 4, 5].map((place) => `$${place + values.length}`);
    const isAsSeen = `AND state = ${first} AND sender IS NOT DISTINCT FROM ${second} AND nonce IS NOT DISTINCT FROM ${third}`;
    return transitionRefund(
      client,
      { id, event, at: this.now() },
      { set, values: [...values, state, sender, nonce], isAsSeen },
    );
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

const amountOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

function fromRow(row: RefundRow): DueRefund {
  return {
    id: row.id,
    orderId: row.order_id,
    state: row.state,
    amountAtomic: BigInt(row.amount),
    recipient: row.recipient,
    sender: row.sender,
    nonce: row.nonce === null ? null : Number(row.nonce),
    createdAtMs: row.created_at.getTime(),
    chain: row.pay_chain,
    token: row.pay_token,
    addressIndex: row.address_index,
    address: row.address,
    leftoverAtomic: BigInt(row.leftover),
    settledHeight: Number(row.settled_height),
    forwardedAtomic: BigInt(row.forwarded),
    isAfterClosed: row.is_after_closed,
    deposit: {
      address: row.deposit_address,
      memo: row.memo,
      txHashes: row.deposit_txs,
      state: row.deposit_state,
      depositedAtomic: amountOrNull(row.deposited),
      amountInAtomic: amountOrNull(row.amount_in),
      minAmountAtomic: BigInt(row.min_amount),
    },
  };
}
