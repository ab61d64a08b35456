import { Inject, Injectable } from '@nestjs/common';
import { Clock, Database, lockRows, transaction, type TransactionClient } from '@tollbridge/database';
import { WorkHints } from '@tollbridge/bootstrap';
import { keylessCallPrefix } from '@tollbridge/contracts';
import { x402BatchSettlementAddress } from '@tollbridge/onchain';

import type { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import type { Authorization, FacilitatedScheme } from './authorization';
import {
  settlementTransition,
  type Settlement,
  type SettlementCall,
  type SettlementEvent,
  type SettlementState,
  type SettlementTransaction,
  type SignedTransaction,
} from './settlement';

/** A payment to claim. */
export interface NewSettlement {
  network: string;
  authorization: Authorization;
  call: SettlementCall;
  sender: string;
  /** Signed already on chains without nonces of senders. On other chains, signed with the next nonce. */
  transaction: SignedTransaction | NonceTransaction;
  sinceHeight: number;
  /** The payer's balance of the token; null when the transaction does not move the payer's balance. */
  heldAtomic: bigint | null;
  perMinute: number;
  totalPerMinute: number;
}

/** A transaction that gets the next nonce of its sender. */
export interface NonceTransaction {
  /** The sender's transaction count on the chain. Lower nonces are used. */
  minedCount: number;
  /** Signs locally, because it runs inside a database transaction. */
  sign(nonce: number): Promise<SignedTransaction>;
}

export interface ClaimedNow {
  id: string;
  signed: SignedTransaction;
}

/** `exists`: the authorisation, or another one with its payment id, was claimed before. */
export type Claimed = ({ kind: 'claimed' } & ClaimedNow) | { kind: 'exists' | 'limited' | 'unfunded' };

interface Row {
  id: string;
  network: string;
  scheme: string;
  contract: string;
  payer: string;
  authorization_nonce: string;
  payload_hash: string;
  token: string;
  pay_to: string;
  amount: string;
  valid_before: string;
  call_to: string;
  call_data: string;
  state: SettlementState;
  sender: string;
  sender_nonce: string | null;
  tx_hash: string;
  reason: string | null;
  since_height: string;
  answered_to: string | null;
  created_at: Date;
  updated_at: Date;
}

interface TransactionRow {
  hash: string;
  sender_nonce: string | null;
  kind: 'settle' | 'cancel';
  raw: string;
  gas_limit: string;
  max_fee: string;
  tip: string;
  created_at: Date;
}

// At first only the call that claimed a settlement advances it. After a crash, any replica does.
const followedByCallMs = 2_000;
// Settlements of this contract move money of channels, not of wallets.
const channelContract = x402BatchSettlementAddress.toLowerCase();
// The maximum number of replacements that are read, newest first.
const maxTransactions = 20;

/**
 * Stores settlements. Uses SQL because claims and nonces are serialised under a lock, and transitions are conditional.
 */
@Injectable()
export class SettlementsRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  async find(
    network: string,
    { contract, payer, nonce }: Pick<Authorization, 'contract' | 'payer' | 'nonce'>,
  ): Promise<Settlement | undefined> {
    const { rows } = await this.pool.query<Row>({
      name: 'x402-find',
      text: `SELECT * FROM x402_settlements
             WHERE network = $1 AND contract = $2 AND payer = $3 AND authorization_nonce = $4`,
      values: [network, contract, payer, nonce],
    });
    return rows[0] && fromRow(rows[0]);
  }

  async get(id: string): Promise<Settlement> {
    const text = 'SELECT * FROM x402_settlements WHERE id = $1';
    const { rows } = await this.pool.query<Row>({ name: 'x402-get', text, values: [id] });
    return fromRow(rows[0]!);
  }

  /** Whether another authorisation of this payer has the payment id. */
  async isIdentifierUsed({ payer, paymentId, nonce, contract }: Authorization): Promise<boolean> {
    if (paymentId === null) return false;
    const { rowCount } = await this.pool.query({
      name: 'x402-payment-id',
      text: `SELECT 1 FROM x402_settlements WHERE payer = $1 AND payment_id = $2
             AND (authorization_nonce, contract) IS DISTINCT FROM ($3, $4)`,
      values: [payer, paymentId, nonce, contract],
    });
    return rowCount !== 0;
  }

  /** Claims an authorisation, assigns a nonce and stores the signed transaction before it is sent. */
  async claim(payment: NewSettlement): Promise<Claimed> {
    const claimed = await transaction(this.pool, (client) => this.claimIn(client, payment));
    if (claimed.kind === 'claimed') this.hints.written();
    return claimed;
  }

  private async claimIn(client: TransactionClient, payment: NewSettlement): Promise<Claimed> {
    const { network, sender, transaction: wanted } = payment;
    // Serialised, because limits apply to concurrent calls, and a gap between nonces would block later transactions.
    await lockRows(client, 'x402 nonces', [`${network} ${sender}`]);
    const problem = await this.findProblem(client, payment);
    if (problem) return { kind: problem };
    const signed = 'sign' in wanted ? await this.signNext(client, payment, wanted) : wanted;
    const id = uuid();
    const isNew = await this.insert(client, { id, payment, signed });
    if (!isNew) return { kind: 'exists' };
    await this.insertTransaction(client, id, 'settle', signed);
    return { kind: 'claimed', signed, id };
  }

  private async signNext(
    client: TransactionClient,
    { network, sender }: NewSettlement,
    { minedCount, sign }: NonceTransaction,
  ): Promise<SignedTransaction> {
    const { rows } = await client.query<{ nonce: string }>({
      name: 'x402-next-nonce',
      text: `SELECT greatest($3::bigint, coalesce(max(sender_nonce) + 1, 0)) AS nonce FROM x402_settlements
             WHERE network = $1 AND sender = $2`,
      values: [network, sender, minedCount],
    });
    return sign(Number(rows[0]!.nonce));
  }

  private async findProblem(
    client: TransactionClient,
    { network, authorization, heldAtomic, perMinute, totalPerMinute }: NewSettlement,
  ): Promise<'exists' | 'limited' | 'unfunded' | undefined> {
    const { contract, payer, nonce, token, amountAtomic } = authorization;
    const { rows } = await client.query<{ is_known: boolean; own: number; total: number; pending: string }>({
      name: 'x402-claim-check',
      text: `SELECT
          EXISTS (SELECT FROM x402_settlements WHERE network = $1 AND contract = $2 AND payer = $3
            AND authorization_nonce = $4) AS is_known,
          (SELECT count(*)::int FROM x402_settlements WHERE network = $1 AND created_at > $6 AND payer = $3) AS own,
          (SELECT count(*)::int FROM x402_settlements WHERE network = $1 AND created_at > $6) AS total,
          (SELECT coalesce(sum(amount), 0) FROM x402_settlements
            WHERE check_at IS NOT NULL AND network = $1 AND payer = $3 AND token = $5 AND state = 'sent'
              AND contract <> $7) AS pending`,
      values: [network, contract, payer, nonce, token, new Date(this.clock.now() - 60_000), channelContract],
    });
    const { is_known: isKnown, own, total, pending } = rows[0]!;
    if (isKnown) return 'exists';
    if (own >= perMinute || total >= totalPerMinute) return 'limited';
    // Several authorisations may use the same balance. Only those that can succeed together are sent.
    return heldAtomic !== null && heldAtomic < BigInt(pending) + amountAtomic ? 'unfunded' : undefined;
  }

  private async insert(
    client: TransactionClient,
    { id, payment, signed }: { id: string; payment: NewSettlement; signed: SignedTransaction },
  ): Promise<boolean> {
    const { network, authorization: it, call, sender, sinceHeight } = payment;
    const { rowCount } = await client.query({
      name: 'x402-insert',
      text: `INSERT INTO x402_settlements (id, network, scheme, contract, payer, authorization_nonce, payload_hash,
               payment_id, token, pay_to, amount, valid_before, call_to, call_data, state, sender, sender_nonce, tx_hash,
               since_height, check_at, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'sent', $15, $16, $17, $18, $19, $20,
               $20) ON CONFLICT DO NOTHING`,
      values: [
        id,
        network,
        it.scheme,
        it.contract,
        it.payer,
        it.nonce,
        it.payloadHash,
        it.paymentId,
        it.token,
        it.payTo,
        String(it.amountAtomic),
        it.validBefore,
        call.to,
        call.data,
        sender,
        signed.nonce,
        signed.hash,
        sinceHeight,
        new Date(this.clock.now() + followedByCallMs),
        this.now(),
      ],
    });
    return rowCount === 1;
  }

  /** The transactions of a settlement, oldest first. */
  async transactionsOf({ id }: Pick<Settlement, 'id'>): Promise<SettlementTransaction[]> {
    const { rows } = await this.pool.query<TransactionRow>({
      name: 'x402-transactions',
      text: `SELECT t.*, s.sender_nonce FROM x402_transactions t JOIN x402_settlements s ON s.id = t.settlement_id
             WHERE s.id = $1 ORDER BY t.created_at, t.max_fee LIMIT ${maxTransactions}`,
      values: [id],
    });
    return rows.map((row) => ({
      hash: row.hash,
      kind: row.kind,
      nonce: nonceOf(row),
      raw: row.raw,
      gasLimit: BigInt(row.gas_limit),
      fees: { maxFeePerGas: BigInt(row.max_fee), maxPriorityFeePerGas: BigInt(row.tip) },
      createdAtMs: row.created_at.getTime(),
    }));
  }

  /**
   * Stores a transaction that replaces those of the settlement. @returns false when the state of the settlement changed
   * meanwhile
   */
  replace({ id }: Settlement, kind: 'settle' | 'cancel', signed: SignedTransaction): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      const { rowCount } = await client.query({
        name: 'x402-replace',
        text: `UPDATE x402_settlements SET tx_hash = CASE WHEN $3 = 'settle' THEN $2 ELSE tx_hash END
               WHERE id = $1 AND state = 'sent'
                 AND (SELECT count(*) FROM x402_transactions WHERE settlement_id = $1) < ${maxTransactions}`,
        values: [id, signed.hash, kind],
      });
      if (rowCount === 0) return false;
      await this.insertTransaction(client, id, kind, signed);
      return true;
    });
  }

  /** @returns false when the settlement is in another state, or the transaction pays another settlement */
  async transition(
    { id, network }: Settlement,
    event: SettlementEvent,
    { txHash = null, reason = null }: { txHash?: string | null; reason?: string | null } = {},
  ): Promise<boolean> {
    const { from, to } = settlementTransition(event);
    const isOpen = to === 'sent' || to === 'settled';
    const { rowCount } = await this.pool.query({
      name: `x402-${event}`,
      text: `UPDATE x402_settlements SET state = '${to}', updated_at = $2, reason = $4,
               tx_hash = coalesce($3, tx_hash), check_at = ${isOpen ? '$2' : 'NULL'}
             WHERE id = $1 AND state IN (${from.map((it) => `'${it}'`).join(', ')})
               AND NOT EXISTS (SELECT FROM x402_settlements o WHERE o.network = $5 AND o.tx_hash = $3 AND o.id <> $1
                 AND o.state IN ('settled', 'final'))`,
      values: [id, this.now(), txHash, reason, network],
    });
    if (rowCount === 1) this.hints.written();
    return rowCount === 1;
  }

  /**
   * Assigns the success to one call, so that repeated calls without its key get none. A call with an Idempotency-Key
   * also gets a success that only a call without a key got. Any client may have made that call, and the seller waits.
   */
  async answer({ id }: Settlement, callKey: string): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'x402-answer',
      text: `UPDATE x402_settlements SET answered_to = $2
             WHERE id = $1 AND state IN ('settled', 'final')
               AND (answered_to IS NULL OR answered_to = $2 OR ($3 AND starts_with(answered_to, $4)))`,
      values: [id, callKey, !callKey.startsWith(keylessCallPrefix), keylessCallPrefix],
    });
    return rowCount === 1;
  }

  /** Releases the identity of a settlement that finally failed, so that it can be retried. */
  async retire({ id }: Settlement): Promise<void> {
    await this.pool.query({
      name: 'x402-retire',
      text: `UPDATE x402_settlements SET authorization_nonce = authorization_nonce || ' ' || id
             WHERE id = $1 AND state = 'failed' AND authorization_nonce NOT LIKE '% %'`,
      values: [id],
    });
  }

  /** The newest settlement of this kind without an answered success. */
  async findUnanswered(
    network: string,
    { contract, payer, token, nonce }: Authorization,
  ): Promise<Settlement | undefined> {
    const { rows } = await this.pool.query<Row>({
      name: 'x402-unanswered',
      text: `SELECT * FROM x402_settlements WHERE network = $1 AND contract = $2 AND payer = $3 AND token = $4
               AND authorization_nonce LIKE $5 || ':%' AND state <> 'failed' AND answered_to IS NULL
             ORDER BY created_at DESC LIMIT 1`,
      values: [network, contract, payer, token, nonce],
    });
    return rows[0] && fromRow(rows[0]);
  }

  /** Final settlements to a receiver, oldest first. */
  async receivedBy(
    network: string,
    payTo: string,
    sinceMs: number,
    limit: number,
  ): Promise<{ settlement: Settlement; finalAtMs: number }[]> {
    const { rows } = await this.pool.query<Row>({
      name: 'x402-received',
      text: `SELECT * FROM x402_settlements
             WHERE network = $1 AND pay_to = $2 AND state = 'final' AND updated_at >= $3 ORDER BY updated_at LIMIT $4`,
      values: [network, payTo, new Date(sinceMs), limit],
    });
    return rows.map((row) => ({ settlement: fromRow(row), finalAtMs: row.updated_at.getTime() }));
  }

  async postpone({ id }: Settlement, forMs: number): Promise<void> {
    await this.pool.query({
      name: 'x402-postpone',
      text: `UPDATE x402_settlements SET check_at = $2 WHERE id = $1 AND check_at IS NOT NULL`,
      values: [id, new Date(this.clock.now() + forMs)],
    });
  }

  /** Leases due settlements, so that no other replica handles them before the lease ends. */
  async takeDue(leaseMs: number, limit: number): Promise<Settlement[]> {
    const { rows } = await this.pool.query<Row>({
      name: 'x402-due',
      text: `WITH due AS (
               SELECT id FROM x402_settlements WHERE check_at <= $1 ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED
             )
             UPDATE x402_settlements s SET check_at = $2 FROM due WHERE s.id = due.id RETURNING s.*`,
      values: [this.now(), new Date(this.clock.now() + leaseMs), limit],
    });
    return rows.map(fromRow);
  }

  async nextDueMs(): Promise<number | null> {
    const text = 'SELECT min(check_at) AS at FROM x402_settlements WHERE check_at IS NOT NULL';
    const { rows } = await this.pool.query<{ at: Date | null }>({ name: 'x402-next-due', text });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** Two processes that replace a transaction concurrently sign the same one. */
  private async insertTransaction(
    client: TransactionClient,
    id: string,
    kind: 'settle' | 'cancel',
    { hash, raw, gasLimit, fees }: SignedTransaction,
  ): Promise<void> {
    const { maxFeePerGas, maxPriorityFeePerGas } = fees;
    await client.query({
      name: 'x402-transaction-insert',
      text: `INSERT INTO x402_transactions (hash, settlement_id, kind, raw, gas_limit, max_fee, tip, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
      values: [
        hash,
        id,
        kind,
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

const nonceOf = ({ sender_nonce: nonce }: Pick<Row, 'sender_nonce'>): number | null =>
  nonce === null ? null : Number(nonce);

function fromRow(row: Row): Settlement {
  return {
    id: row.id,
    network: row.network,
    scheme: row.scheme as FacilitatedScheme,
    contract: row.contract,
    payer: row.payer,
    nonce: row.authorization_nonce,
    payloadHash: row.payload_hash,
    token: row.token,
    payTo: row.pay_to,
    amountAtomic: BigInt(row.amount),
    validBefore: Number(row.valid_before),
    to: row.call_to,
    data: row.call_data,
    state: row.state,
    sender: row.sender,
    senderNonce: nonceOf(row),
    txHash: row.tx_hash,
    reason: row.reason,
    sinceHeight: Number(row.since_height),
    answeredTo: row.answered_to,
    createdAtMs: row.created_at.getTime(),
  };
}
