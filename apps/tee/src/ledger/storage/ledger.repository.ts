import { Injectable } from '@nestjs/common';
import { Database, transaction } from '@tollbridge/database';
import type { Pool } from 'pg';
import { LedgerScopeRepository, type LedgerScope } from '../../lease/ledger-scope.repository';
import { bytesOfKey, type Account, type AccountKey } from '../rules/account';
import { ApprovalRow } from './approval.entity';
import type { Channel } from '../rules/channel';
import { ChannelRow } from './channel.entity';
import { channelsUpsert } from './channel-commit';
import type { ApprovalStatus, ApprovalTerms } from '../rules/approvals';
import type { LedgerBatch } from './ledger-batch';
import { approvalUpsert, commitStatement, paymentUpdate, refundInsert } from './ledger-commit.repository';
import { recordStatements } from './ledger-records.repository';
import {
  accountFromRow,
  approvalFromRow,
  channelFromRow,
  paymentFromRow,
  sessionFromRow,
  type LoadedAccountRow,
} from './ledger-rows';
import { rememberedS } from '../rules/live-nonces';
import type { Payment, Refund } from '../rules/payment';
import { PaymentRow, RefundRow } from './payment.entity';
import { UsedNonceRow, type SessionRow } from './session.entity';
import { digestOfSession, type Session, type SessionKey } from '../rules/sessions';

/** Thrown when another process has taken over the ledger. This process must end. */
export class Superseded extends Error {
  constructor() {
    super('another process has taken over the ledger');
  }
}

const daySeconds = 86_400;
const daysAhead = 3;

/**
 * Reads and writes the ledger tables. SQL: set-based reads at start, prepared statements on the payment path
 * (`bench:nanopay`, rows `tollbridge: paid`), and one fenced commit.
 */
@Injectable()
export class LedgerRepository {
  private readonly pool: Pool;

  constructor(
    private readonly database: Database,
    private readonly scopes: LedgerScopeRepository,
  ) {
    this.pool = database.pool;
  }

  /**
   * Increments the epoch, which fences off commits in progress, and returns the end of the receipt chain.
   * @param before the epoch of this process as the writer
   * @throws Superseded if another process has taken over
   */
  async takeOver(
    scope: LedgerScope,
    nowMs: number,
    before: bigint,
  ): Promise<{ epoch: bigint; seq: bigint; head: Buffer }> {
    const today = Math.floor(nowMs / 1000 / daySeconds);
    await this.pool.query('SELECT ensure_payment_days($1, $2)', [today - 1, daysAhead + 2]);
    const { rows } = await this.pool.query<{ epoch: string; seq: string; head: Buffer }>(
      `UPDATE ledger SET epoch = epoch + 1, network_id = $1, verifying_contract = $2, asset = $3
       WHERE (network_id IS NULL OR (network_id, verifying_contract, asset) = ($1, $2, $3)) AND epoch = $4
       RETURNING epoch, seq, head`,
      [scope.networkId, scope.verifyingContract, scope.asset, before],
    );
    const row = rows[0];
    if (!row) {
      await this.scopes.check(scope);
      throw new Superseded();
    }
    return { epoch: BigInt(row.epoch), seq: BigInt(row.seq), head: row.head };
  }

  async isWriter(epoch: bigint): Promise<boolean> {
    const { rows } = await this.pool.query<{ is_writer: boolean }>({
      name: 'ledger-writer',
      text: 'SELECT epoch = $1 AS is_writer FROM ledger',
      values: [epoch],
    });
    return rows[0]?.is_writer === true;
  }

  /** Creates the partitions of the next days. */
  async ensureDays(nowMs: number): Promise<void> {
    const today = Math.floor(nowMs / 1000 / daySeconds);
    await this.pool.query('SELECT ensure_payment_days($1, $2)', [today, daysAhead + 1]);
  }

  /** Yields payments that are still valid or have open holds, in pages, because there may be millions. */
  async *livePayments(nowMs: number): AsyncGenerator<Payment[]> {
    // The same limit as in memory: an older payment may share its nonce with a later payment.
    const since = Math.floor(nowMs / 1000) - Number(rememberedS);
    let [payer, nonce]: Buffer[] = [Buffer.alloc(0), Buffer.alloc(0)];
    for (;;) {
      const { rows } = await this.pool.query<PaymentRow>({
        name: 'payments-live',
        text: `SELECT * FROM payments WHERE valid_before >= $1 AND (payer, nonce) > ($2, $3)
               ORDER BY payer, nonce LIMIT 5000`,
        values: [since, payer, nonce],
      });
      if (rows.length === 0) break;
      yield rows.map(paymentFromRow);
      ({ payer, nonce } = rows.at(-1)!);
    }
    const { rows } = await this.pool.query<PaymentRow>(
      `SELECT * FROM payments WHERE state = 'held' AND valid_before < $1`,
      [since],
    );
    yield rows.map(paymentFromRow);
  }

  /** Yields open channels with the confirmation ids of their payments, in pages. */
  async *openChannels(): AsyncGenerator<{ confirmationId: Buffer; channel: Channel }[]> {
    let last = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const { rows } = await this.pool.query<ChannelRow>({
        name: 'channels-open',
        text: `SELECT * FROM channels WHERE is_open AND confirmation_id > $1
               ORDER BY confirmation_id LIMIT 5000`,
        values: [last],
      });
      if (rows.length === 0) return;
      yield rows.map(channelFromRow);
      last = rows.at(-1)!.confirmation_id;
    }
  }

  /** Returns a channel, open or closed. */
  async channel(confirmationId: Buffer): Promise<Channel | undefined> {
    const channels = this.database.dataSource.getRepository(ChannelRow);
    const row = await channels.findOneBy({ confirmation_id: confirmationId.toString('hex') });
    return row ? channelFromRow(row).channel : undefined;
  }

  async openApprovals(nowMs: number): Promise<ApprovalTerms[]> {
    const { rows } = await this.pool.query<ApprovalRow>(
      `SELECT * FROM approvals WHERE expires_at > to_timestamp($1::float8 / 1000) AND status <> 'used'`,
      [nowMs],
    );
    return rows.map(approvalFromRow);
  }

  async accounts(keys: readonly AccountKey[]): Promise<Account[]> {
    const { rows } = await this.pool.query<LoadedAccountRow>({
      name: 'accounts-read',
      text: `SELECT a.*, (SELECT array_agg(nonce) FROM cancellations c WHERE c.account = a.account) AS cancelled
             FROM accounts a WHERE account = ANY($1)`,
      values: [keys.map(bytesOfKey)],
    });
    return rows.map(accountFromRow);
  }

  async sessions(keys: readonly SessionKey[], nowMs: number): Promise<Session[]> {
    const { rows } = await this.pool.query<SessionRow>({
      name: 'sessions-read',
      text: 'SELECT * FROM sessions WHERE grant_digest = ANY($1)',
      values: [keys.map(digestOfSession)],
    });
    return rows.map((row) => sessionFromRow(row, nowMs));
  }

  /** Returns the newest payment with this nonce. */
  async paymentWith(payer: AccountKey, nonce: Buffer): Promise<Payment | undefined> {
    const row = await this.database.dataSource.getRepository(PaymentRow).findOne({
      where: { payer: bytesOfKey(payer), nonce },
      order: { valid_before: 'DESC' },
    });
    return row ? paymentFromRow(row) : undefined;
  }

  /** Whether the nonce of an owner's order was used. */
  isNonceUsed(account: AccountKey, nonce: Buffer): Promise<boolean> {
    const nonces = this.database.dataSource.getRepository(UsedNonceRow);
    return nonces.existsBy({ account: bytesOfKey(account), nonce });
  }

  async approvals(
    wanted: { status?: ApprovalStatus | undefined; payer?: AccountKey | undefined },
    limit: number,
    nowMs: number,
  ): Promise<ApprovalTerms[]> {
    const conditions = [
      ...(wanted.status === undefined ? [] : [inStatus[wanted.status]]),
      ...(wanted.payer === undefined ? [] : ['payer = $3']),
    ];
    const { rows } = await this.pool.query<ApprovalRow>(
      `SELECT id, payer, seller, amount, resource_hash, created_at, expires_at, updated_at,
         CASE WHEN ${inStatus.expired} THEN 'expired' ELSE status END AS status
       FROM approvals WHERE ${['true', ...conditions].join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT $2`,
      [nowMs, limit, ...(wanted.payer === undefined ? [] : [bytesOfKey(wanted.payer)])],
    );
    return rows.map(approvalFromRow);
  }

  async approval(id: Buffer): Promise<ApprovalTerms | undefined> {
    const approvals = this.database.dataSource.getRepository(ApprovalRow);
    const row = await approvals.findOneBy({ id: id.toString('hex') });
    return row ? approvalFromRow(row) : undefined;
  }

  async payment(confirmationId: Buffer): Promise<Payment | undefined> {
    const { rows } = await this.pool.query<PaymentRow>({
      name: 'payment-read',
      text: 'SELECT * FROM payments WHERE confirmation_id = $1',
      values: [confirmationId.toString('hex')],
    });
    return rows[0] && paymentFromRow(rows[0]);
  }

  async refund(payment: Payment): Promise<Omit<Refund, 'receipt'> | undefined> {
    const refunds = this.database.dataSource.getRepository(RefundRow);
    const row = await refunds.findOneBy({ confirmation_id: payment.confirmationId.toString('hex') });
    if (!row) return undefined;
    const { seq, refunded_ms: unixMs, previous_head: previousHead } = row;
    return { payment, seq: BigInt(seq), unixMs: BigInt(unixMs), previousHead };
  }

  /** Reads all values of the batch before it returns, so that later changes do not reach this commit. */
  commit(batch: LedgerBatch, epoch: bigint): Promise<void> {
    const fresh = [...batch.payments].filter(({ isStored }) => !isStored);
    const changed = [...batch.payments].filter(({ isStored }) => isStored);
    const commit = commitStatement(batch, fresh, epoch);
    const { refunds, approvals, channels, records } = batch;
    const isPlain = changed.length + refunds.length + approvals.size + channels.size + records.length === 0;
    if (isPlain) return this.pool.query(commit).then(checkEpoch);
    const rest = [
      ...changed.map(paymentUpdate),
      ...(channels.size > 0 ? [channelsUpsert([...channels])] : []),
      ...refunds.map(refundInsert),
      ...[...approvals].map(approvalUpsert),
      ...records.flatMap(recordStatements),
    ];
    return transaction(this.pool, async (client) => {
      checkEpoch(await client.query(commit));
      for (const query of rest) await client.query(query);
    });
  }
}

const checkEpoch = ({ rows }: { rows: { fenced: boolean }[] }): void => {
  if (rows[0]?.fenced !== true) throw new Superseded();
};

// Expiry is derived from the time in parameter $1, and is not a stored status.
const isOpen = 'expires_at > to_timestamp($1::float8 / 1000)';
const inStatus: Record<ApprovalStatus, string> = {
  pending: `status = 'pending' AND ${isOpen}`,
  approved: `status = 'approved' AND ${isOpen}`,
  rejected: `status = 'rejected'`,
  used: `status = 'used'`,
  expired: `(status = 'expired' OR (status IN ('pending', 'approved') AND NOT ${isOpen}))`,
};
