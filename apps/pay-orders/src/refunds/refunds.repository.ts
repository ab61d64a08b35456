import { Inject, Injectable } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import type { SignedCall } from '@tollbridge/evm';
import { Clock, Database, transaction } from '@tollbridge/database';
import type { RouteState } from '@tollbridge/routing';
import type { ClientBase, Pool } from 'pg';
import { publishRefunded } from '../orders/order-transitions.repository';
import { lockRefundAddress } from './refund-addresses.repository';
import { refundTransitionOf, type ManualReason, type RefundEvent, type RefundState } from './refund';

/** A leased refund, with facts of its order. */
export interface DueRefund {
  id: string;
  orderId: string;
  state: RefundState;
  amountAtomic: bigint;
  recipient: string | null;
  /** Of the current transaction. */
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

/** A stored transaction of a refund. */
export interface RefundTransaction extends SignedCall {
  sender: string;
  amountAtomic: bigint;
  /** Coins that it leaves on its address for its own gas. */
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
  /** The sender's transaction count on the chain: lower nonces are used. */
  minedCount: number;
  /** Signs locally: it runs inside a transaction. */
  sign(nonce: number): Promise<SignedCall>;
}

/** A refund that waits for an operator. */
export interface ManualRefund {
  id: string;
  orderId: string;
  chain: string;
  token: string;
  amount: string;
  address: string;
  isReadable: boolean;
  reason: string;
  createdAt: Date;
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

// A transfer that an operator sent is final by then, so the balance no longer includes it.
const finalAfterMs = 30 * 60_000;
const quoted = (states: readonly string[]): string => states.map((state) => `'${state}'`).join(', ');
const ownContext = () => callContext({ principal: 'refunds' });

/** Reads and writes refunds. Every transition names the states that allow it. SQL: locks, leases and conditional writes. */
@Injectable()
export class RefundsRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  /** Leases due refunds: no other replica takes them before the lease ends. */
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

  async manualCount(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>({
      name: 'refunds-manual-count',
      text: "SELECT count(*)::int AS count FROM refunds WHERE state = 'manual'",
    });
    return rows[0]!.count;
  }

  /** Stores the sender of the deposit as the recipient. */
  async senderFound(seen: DueRefund, recipient: string, amountAtomic: bigint): Promise<boolean> {
    return this.transitionSeen(this.pool, seen, 'senderFound', {
      set: 'recipient = $3, amount = $4, reason = NULL, check_at = $2',
      values: [recipient, String(amountAtomic)],
    });
  }

  /** Leaves `seen.amountAtomic` to an operator. */
  async leaveToOperator(seen: DueRefund, reason: ManualReason, detail = ''): Promise<boolean> {
    return this.transitionSeen(this.pool, seen, 'leaveToOperator', {
      set: 'reason = $3, amount = $4, check_at = NULL, sender = NULL, nonce = NULL',
      values: [detail === '' ? reason : `${reason}: ${detail}`.slice(0, 500), String(seen.amountAtomic)],
    });
  }

  /** The gas payment is final, or its nonce was used by another transaction. */
  async gasSettled(seen: DueRefund): Promise<boolean> {
    return this.transitionSeen(this.pool, seen, 'gasSettled', {
      set: 'sender = NULL, nonce = NULL, tx_hash = NULL, check_at = $2',
      values: [],
    });
  }

  /** The transfer failed on the chain, finally. */
  async reverted(seen: DueRefund): Promise<boolean> {
    return this.transitionSeen(this.pool, seen, 'reverted', {
      set: 'sender = NULL, nonce = NULL, tx_hash = NULL, check_at = $2',
      values: [],
    });
  }

  /** The transfer is final: stores it with its event in one transaction. The address becomes due for late amounts. */
  async forwarded(
    seen: DueRefund,
    sent: { txHash: string; height: number; amountAtomic: bigint; leftoverAtomic: bigint },
  ): Promise<void> {
    await transaction(this.pool, async (client) => {
      // Lock the order first, as every transaction that changes both does.
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

  /** Stores when a refund is due next, and why it waits. */
  async postpone(id: string, afterMs: number, reason: string | null = null): Promise<void> {
    await this.pool.query({
      name: 'refund-postpone',
      text: `UPDATE refunds SET check_at = $2, reason = $3
             WHERE id = $1 AND state IN ('arrived', 'ready', 'funding', 'sending')`,
      values: [id, new Date(this.clock.now() + afterMs), reason],
    });
  }

  /** Transactions with the refund's current nonce, the oldest first. */
  async transactionsOf({ id, sender, nonce }: DueRefund): Promise<RefundTransaction[]> {
    const { rows } = await this.pool.query<TransactionRow>({
      name: 'refund-transactions',
      text: `SELECT * FROM refund_transactions WHERE refund_id = $1 AND sender = $2 AND nonce = $3
             ORDER BY created_at, max_fee`,
      values: [id, sender, nonce],
    });
    return rows.map(fromTransactionRow);
  }

  /** How many nonces of any account a refund has used since the last decision of an operator. */
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
   * Assigns the next nonce of an account to a refund, and stores the transaction signed with it, before it is sent.
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
      // Serialised: a gap between nonces would block all later transactions.
      await client.query({
        name: 'refund-nonce-lock',
        text: "SELECT pg_advisory_xact_lock(hashtextextended('refund-nonce ' || $1, 0))",
        values: [`${chain} ${sender}`],
      });
      const { rows } = await client.query<{ nonce: string }>({
        name: 'refund-nonce-take',
        text: `INSERT INTO refund_nonces (chain, sender, nonce, refund_id)
               SELECT $1, $2, greatest($3, coalesce(max(nonce) + 1, 0)), $4 FROM refund_nonces
               WHERE chain = $1 AND sender = $2 RETURNING nonce`,
        values: [chain, sender, minedCount, id],
      });
      const signed = await sign(Number(rows[0]!.nonce));
      await this.insertTransaction(client, id, moving, signed);
      await this.transition(client, id, event, {
        set: 'sender = $3, nonce = $4, tx_hash = $5, reason = NULL, check_at = $2',
        values: [sender, signed.nonce, signed.hash],
      });
      return signed;
    });
  }

  /** Stores a transaction that replaces one of the same nonce. @returns false when the refund no longer has this nonce */
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

  /** Refunds that wait for an operator, the oldest first; or the one with this id. */
  async manual(limit: number, id: string | null = null): Promise<ManualRefund[]> {
    const { rows } = await this.pool.query<ManualRefund>({
      name: 'refunds-manual',
      text: `SELECT r.id, r.order_id AS "orderId", o.pay_chain AS chain, o.pay_token AS token, r.amount::text AS amount,
               a.address, a.address_index IS NOT NULL AS "isReadable", coalesce(r.reason, '') AS reason,
               r.created_at AS "createdAt"
             FROM refunds r JOIN orders o ON o.id = r.order_id JOIN refund_addresses a ON a.order_id = r.order_id
             WHERE r.state = 'manual' AND ($2::uuid IS NULL OR r.id = $2) ORDER BY r.created_at LIMIT $1`,
      values: [limit, id],
    });
    return rows;
  }

  /** An operator sets the recipient. @returns false when the refund no longer waits for an operator */
  async resolve(id: string, recipient: string, operator: string): Promise<boolean> {
    return this.transition(this.pool, id, 'resolved', {
      set: 'recipient = $3, resolved_by = $4, resolved_at = $2, reason = NULL, check_at = $2',
      values: [recipient, operator],
    });
  }

  /** An operator settled it by other means. @returns false when the refund no longer waits for an operator */
  async close(
    { id, orderId }: Pick<ManualRefund, 'id' | 'orderId'>,
    note: string,
    operator: string,
  ): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      await lockRefundAddress(client, orderId);
      const isClosed = await this.transition(client, id, 'settledByHand', {
        set: "reason = coalesce(reason, '') || '; ' || $3, resolved_by = $4, resolved_at = $2",
        values: [note, operator],
      });
      // An amount that remains on the address becomes a refund of its own.
      if (isClosed)
        await client.query({
          name: 'refund-address-closed',
          text: `UPDATE refund_addresses SET since = $2, check_at = $3
                 WHERE order_id = $1 AND address_index IS NOT NULL`,
          values: [orderId, this.now(), new Date(this.clock.now() + finalAfterMs)],
        });
      return isClosed;
    });
  }

  /** Changes a refund only if no other replica changed it since it was read. */
  private transitionSeen(
    client: ClientBase | Pool,
    { id, state, sender, nonce }: DueRefund,
    event: RefundEvent,
    { set, values }: { set: string; values: unknown[] },
  ): Promise<boolean> {
    const [first, second, third] = [3, 4, 5].map((place) => `$${place + values.length}`);
    const isAsSeen = `AND state = ${first} AND sender IS NOT DISTINCT FROM ${second} AND nonce IS NOT DISTINCT FROM ${third}`;
    return this.transition(client, id, event, { set, values: [...values, state, sender, nonce], isAsSeen });
  }

  private async transition(
    client: ClientBase | Pool,
    id: string,
    event: RefundEvent,
    { set, values, isAsSeen = '' }: { set: string; values: unknown[]; isAsSeen?: string },
  ): Promise<boolean> {
    const { from, to } = refundTransitionOf(event);
    const { rowCount } = await client.query({
      name: `refund-${event}`,
      text: `UPDATE refunds SET state = '${to}', updated_at = $2::timestamptz, ${set}
             WHERE id = $1 AND state IN (${quoted(from)}) ${isAsSeen}`,
      values: [id, this.now(), ...values],
    });
    return rowCount === 1;
  }

  private async insertTransaction(
    client: ClientBase,
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
        ...[hash, chain, sender, nonce, id, raw, String(amountAtomic), String(reserveAtomic)],
        ...[String(gasLimit), String(fees.maxFeePerGas), String(fees.maxPriorityFeePerGas), this.now()],
      ],
    });
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

const amountOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

function fromRow(row: RefundRow): DueRefund {
  return {
    ...{ id: row.id, orderId: row.order_id, state: row.state, amountAtomic: BigInt(row.amount) },
    ...{ recipient: row.recipient, sender: row.sender, nonce: row.nonce === null ? null : Number(row.nonce) },
    ...{ createdAtMs: row.created_at.getTime(), chain: row.pay_chain, token: row.pay_token },
    ...{ addressIndex: row.address_index, address: row.address, leftoverAtomic: BigInt(row.leftover) },
    settledHeight: Number(row.settled_height),
    forwardedAtomic: BigInt(row.forwarded),
    isAfterClosed: row.is_after_closed,
    deposit: {
      ...{
        address: row.deposit_address,
        memo: row.memo,
        txHashes: row.deposit_txs,
        state: row.deposit_state,
      },
      depositedAtomic: amountOrNull(row.deposited),
      amountInAtomic: amountOrNull(row.amount_in),
      minAmountAtomic: BigInt(row.min_amount),
    },
  };
}

function fromTransactionRow(row: TransactionRow): RefundTransaction {
  return {
    ...{ hash: row.hash, sender: row.sender, nonce: Number(row.nonce), raw: row.raw },
    amountAtomic: BigInt(row.amount),
    reserveAtomic: BigInt(row.reserve),
    gasLimit: BigInt(row.gas_limit),
    fees: { maxFeePerGas: BigInt(row.max_fee), maxPriorityFeePerGas: BigInt(row.tip) },
    createdAtMs: row.created_at.getTime(),
  };
}
