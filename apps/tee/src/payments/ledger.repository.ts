import { Injectable } from '@nestjs/common';
import { Database, transaction } from '@tollbridge/database';
import type { Pool } from 'pg';
import { bytesOfKey, type Account, type AccountKey } from './account';
import type { ApprovalStatus, ApprovalTerms } from './approvals';
import type { Batch, DepositRecord, Payment, PaymentState, Refund } from './ledger';
import { BigintArray } from './bigint-array';
import { rememberedS } from './live-nonces';
import { ownBytes } from './own-bytes';
import { recordStatements } from './ledger-records.repository';
import { digestOfSession, type Session, type SessionKey } from './sessions';

/** What one deployment's signatures are for. */
export interface LedgerScope {
  networkId: number;
  verifyingContract: string;
  asset: string;
}

/** Another process has taken the ledger over: this one must end. */
export class Superseded extends Error {
  constructor() {
    super('another process has taken over the ledger');
  }
}

/** The database holds the ledger of another deployment. */
export class ForeignLedger extends Error {}

const foreignLedger = 'this database holds the ledger of another network, contract or asset';
const daySeconds = 86_400;
const daysAhead = 3;

/** The only file that reads and writes the ledger. */
@Injectable()
export class LedgerRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** @throws ForeignLedger if the database holds the ledger of another deployment */
  async checkScope({ networkId, verifyingContract, asset }: LedgerScope): Promise<void> {
    const { rowCount } = await this.pool.query({
      name: 'ledger-scope',
      text: 'SELECT FROM ledger WHERE network_id IS NULL OR (network_id, verifying_contract, asset) = ($1, $2, $3)',
      values: [networkId, verifyingContract, asset],
    });
    if (rowCount === 0) throw new ForeignLedger(foreignLedger);
  }

  /**
   * Raises the epoch, which fences off commits under way, and answers where the ledger stands.
   * @param before the epoch under which this process is the writer
   * @throws Superseded if another has taken over since
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
      await this.checkScope(scope);
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

  /** Days are made before they come. */
  async ensureDays(nowMs: number): Promise<void> {
    const today = Math.floor(nowMs / 1000 / daySeconds);
    await this.pool.query('SELECT ensure_payment_days($1, $2)', [today, daysAhead + 1]);
  }

  /** Payments that could be presented again, and those that hold money; in portions, since they may be millions. */
  async *livePayments(nowMs: number): AsyncGenerator<Payment[]> {
    // The same as in memory: older ones may share their nonce with one that came later.
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

  async openApprovals(nowMs: number): Promise<ApprovalTerms[]> {
    const { rows } = await this.pool.query<ApprovalRow>(
      `SELECT * FROM approvals WHERE expires_at > to_timestamp($1::float8 / 1000) AND status <> 'used'`,
      [nowMs],
    );
    return rows.map(approvalFromRow);
  }

  async accounts(keys: readonly AccountKey[]): Promise<Account[]> {
    const { rows } = await this.pool.query<AccountRow>({
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

  /** The last payment with this nonce. */
  async paymentWith(payer: AccountKey, nonce: Buffer): Promise<Payment | undefined> {
    const { rows } = await this.pool.query<PaymentRow>(
      'SELECT * FROM payments WHERE payer = $1 AND nonce = $2 ORDER BY valid_before DESC LIMIT 1',
      [bytesOfKey(payer), nonce],
    );
    return rows[0] && paymentFromRow(rows[0]);
  }

  /** Whether a nonce of an owner's message was used. */
  async isNonceUsed(account: AccountKey, nonce: Buffer): Promise<boolean> {
    const { rowCount } = await this.pool.query('SELECT FROM used_nonces WHERE account = $1 AND nonce = $2', [
      bytesOfKey(account),
      nonce,
    ]);
    return rowCount === 1;
  }

  async isDeposited({
    chainAccount,
    lt,
    hash,
  }: Pick<DepositRecord, 'chainAccount' | 'lt' | 'hash'>): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'SELECT FROM deposits WHERE chain_account = $1 AND lt = $2 AND hash = $3',
      [chainAccount, lt, hash],
    );
    return rowCount === 1;
  }

  async approvals(
    wanted: { status?: ApprovalStatus | undefined; payer?: AccountKey | undefined },
    limit: number,
    nowMs: number,
  ): Promise<ApprovalTerms[]> {
    const conditions = [
      ...(wanted.status === undefined ? [] : [inState[wanted.status]]),
      ...(wanted.payer === undefined ? [] : ['payer = $3']),
    ];
    const { rows } = await this.pool.query<ApprovalRow>(
      `SELECT id, payer, seller, amount, resource_hash, created_at, expires_at, updated_at,
         CASE WHEN ${inState.expired} THEN 'expired' ELSE status END AS status
       FROM approvals WHERE ${['true', ...conditions].join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT $2`,
      [nowMs, limit, ...(wanted.payer === undefined ? [] : [bytesOfKey(wanted.payer)])],
    );
    return rows.map(approvalFromRow);
  }

  async approval(id: Buffer): Promise<ApprovalTerms | undefined> {
    const { rows } = await this.pool.query<ApprovalRow>('SELECT * FROM approvals WHERE id = $1', [
      id.toString('hex'),
    ]);
    return rows[0] && approvalFromRow(rows[0]);
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
    const { rows } = await this.pool.query<RefundRow>('SELECT * FROM refunds WHERE confirmation_id = $1', [
      payment.confirmationId.toString('hex'),
    ]);
    const row = rows[0];
    return (
      row && {
        payment,
        seq: BigInt(row.seq),
        unixMs: BigInt(row.refunded_ms),
        previousHead: row.previous_head,
      }
    );
  }

  /** What a batch is written with, taken before anything else can change it. */
  commit(batch: Batch, epoch: bigint): Promise<void> {
    const fresh = [...batch.payments].filter(({ isStored }) => !isStored);
    const changed = [...batch.payments].filter(({ isStored }) => isStored);
    const commit = commitOf(batch, fresh, epoch);
    const { refunds, approvals, records } = batch;
    const isPlain = changed.length + refunds.length + approvals.size + records.length === 0;
    if (isPlain) return this.pool.query(commit).then(checkEpoch);
    const rest = [
      ...changed.map(changeOf),
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

// confirmation id, digest, payer, seller, nonce, resource hash, call key, previous head, signature
const widths = [16, 32, 32, 32, 32, 32, 16, 32, 64] as const;
const paymentWidth = widths.reduce<number>((sum, width) => sum + width, 0);
// account, key
const accountWidth = 64;
// digest of the grant, account, nonce, link
const sessionWidth = 128;
const noLink = Buffer.alloc(32);

const states: readonly PaymentState[] = ['held', 'captured', 'voided', 'expired'];

/** What of a payment and of an account are numbers, in the order of the arrays that they travel in. */
const paymentNumbers = 10;
const accountNumbers = 12;

/** The rows of a value that has so many bytes for each, and of an array of so many numbers: where each of them begins. */
const places = (bytes: string, width: number, numbers: string, count: number): string =>
  `ROWS FROM (generate_series(1, octet_length(${bytes}), ${width}),
     generate_series(0, cardinality(${numbers}) - 1, ${count})) AS row (byte, number)`;

/** The nth part of a payment, from 0; and the nth number of a row, from 1. */
const part = (nth: number): string => {
  const before = widths.slice(0, nth).reduce<number>((sum, width) => sum + width, 0);
  return `substring($4::bytea FROM byte + ${before} FOR ${widths[nth]!})`;
};
const ofPayment = (nth: number): string => `($5::bigint[])[number + ${nth}]`;
const ofAccount = (nth: number): string => `($7::bigint[])[number + ${nth}]`;
const ofSession = (place: string, at: number): string =>
  `substring($9::bytea FROM (${place}::integer - 1) * ${sessionWidth} + ${at + 1} FOR 32)`;

const sessionsUsed = `
  used AS (
    INSERT INTO sessions (grant_digest, account, nonce, link, spent, max_total, valid_before)
    SELECT ${ofSession('n', 0)}, ${ofSession('n', 32)}, ${ofSession('n', 64)},
      nullif(${ofSession('n', 96)}, '\\x${noLink.toString('hex')}'), spent, max_total, valid_before
    FROM unnest($10::bigint[], $11::numeric[], $12::bigint[]) WITH ORDINALITY AS s (spent, max_total, valid_before, n)
    WHERE EXISTS (SELECT FROM fence)
    ON CONFLICT (grant_digest) DO UPDATE SET spent = excluded.spent, link = excluded.link),`;

/**
 * One statement for a whole batch, whose cost is shared. Bytes travel as one value and numbers as one array, both as they
 * are in memory, and are taken apart by the database: many arrays of texts would cost each side more than all the rest.
 * Accounts are written as they are: nobody else writes them. What is not needed is left out, since to begin a statement
 * costs as much as to write several payments.
 */
const commitText = (hasSessions: boolean): string => `
  WITH fence AS (UPDATE ledger SET seq = $2, head = $3, charges = charges + $8 WHERE epoch = $1 RETURNING true AS held),
  paid AS (
    INSERT INTO payments (payer, nonce, valid_before, valid_after, confirmation_id, digest, seller, resource_hash, signature,
      call_key, flags, state, amount, charged, hold_until, seq, charged_ms, previous_head, grant_digest)
    SELECT ${part(2)}, ${part(4)}, ${ofPayment(1)}, ${ofPayment(2)}, encode(${part(0)}, 'hex')::uuid, ${part(1)}, ${part(3)},
      ${part(5)}, ${part(8)}, ${part(6)}, ${ofPayment(3)}, (ARRAY['${states.join("', '")}'])[${ofPayment(4)}],
      ${ofPayment(5)}, ${ofPayment(6)}, ${ofPayment(7)}, ${ofPayment(8)}, ${ofPayment(9)}, ${part(7)},
      ${hasSessions ? `CASE WHEN ${ofPayment(10)} > 0 THEN ${ofSession(ofPayment(10), 0)} END` : 'NULL'}
    FROM ${places('$4::bytea', paymentWidth, '$5::bigint[]', paymentNumbers)}
    WHERE EXISTS (SELECT FROM fence)),${hasSessions ? sessionsUsed : ''}
  moved AS (
    INSERT INTO accounts (account, public_key, deposited, available, reserved, spent, earned, settled, settling,
      withdrawn, max_amount, rate_limit, updated_at)
    SELECT substring($6::bytea FROM byte FOR 32),
      CASE WHEN ${ofAccount(1)} > 0 THEN substring($6::bytea FROM byte + 32 FOR 32) END,
      ${ofAccount(2)}, ${ofAccount(3)}, ${ofAccount(4)}, ${ofAccount(5)}, ${ofAccount(6)}, ${ofAccount(7)}, ${ofAccount(8)},
      ${ofAccount(9)}, nullif(${ofAccount(10)}, -1), nullif(${ofAccount(11)}, -1),
      to_timestamp(${ofAccount(12)}::float8 / 1000)
    FROM ${places('$6::bytea', accountWidth, '$7::bigint[]', accountNumbers)}
    WHERE EXISTS (SELECT FROM fence)
    ON CONFLICT (account) DO UPDATE SET public_key = excluded.public_key, deposited = excluded.deposited,
      available = excluded.available, reserved = excluded.reserved, spent = excluded.spent, earned = excluded.earned,
      settled = excluded.settled, settling = excluded.settling, withdrawn = excluded.withdrawn,
      max_amount = excluded.max_amount, rate_limit = excluded.rate_limit, updated_at = excluded.updated_at)
  SELECT held AS fenced FROM fence`;

const commits = {
  plain: { name: 'ledger-commit', text: commitText(false) },
  withSessions: { name: 'ledger-commit-sessions', text: commitText(true) },
};

const commitOf = (batch: Batch, payments: readonly Payment[], epoch: bigint) => {
  const values = valuesOf(batch, payments, epoch);
  return batch.sessions.size === 0
    ? { ...commits.plain, values }
    : { ...commits.withSessions, values: [...values, ...valuesOfSessions([...batch.sessions])] };
};

function valuesOf(batch: Batch, payments: readonly Payment[], epoch: bigint): unknown[] {
  const accounts = [...batch.accounts];
  let charges = 0;
  for (const { state } of batch.payments) if (state === 'captured') charges++;
  return [
    epoch,
    batch.seq,
    batch.head,
    bytesOfPayments(payments),
    numbersOfPayments(payments, [...batch.sessions]),
    bytesOfAccounts(accounts),
    numbersOfAccounts(accounts),
    charges,
  ];
}

function valuesOfSessions(sessions: readonly Session[]): unknown[] {
  const list = (read: (session: Session) => bigint): string => `{${sessions.map(read).join(',')}}`;
  return [
    Buffer.concat(sessions.map(bytesOfSession)),
    list(({ spentAtomic }) => spentAtomic),
    list(({ maxTotalAtomic }) => maxTotalAtomic),
    list(({ validBeforeS }) => validBeforeS),
  ];
}

function numbersOfPayments(payments: readonly Payment[], sessions: readonly Session[]): Buffer {
  const numbers = new BigintArray(payments.length * paymentNumbers);
  const placeOf = new Map(sessions.map(({ key }, index) => [key, index + 1]));
  for (const payment of payments) {
    numbers.add(payment.validBeforeS);
    numbers.add(payment.validAfterS);
    numbers.addNumber(payment.flags);
    numbers.addNumber(states.indexOf(payment.state) + 1);
    numbers.add(payment.amountAtomic);
    numbers.add(payment.chargedAtomic);
    numbers.addNumber(payment.holdUntilMs);
    numbers.add(payment.seq);
    numbers.add(payment.unixMs);
    numbers.addNumber(payment.session === undefined ? 0 : placeOf.get(payment.session)!);
  }
  return numbers.bytes;
}

function numbersOfAccounts(accounts: readonly Account[]): Buffer {
  const numbers = new BigintArray(accounts.length * accountNumbers);
  for (const account of accounts) {
    const { policy } = account;
    numbers.addNumber(account.publicKey ? 1 : 0);
    numbers.add(account.deposited);
    numbers.add(account.available);
    numbers.add(account.reserved);
    numbers.add(account.spent);
    numbers.add(account.earned);
    numbers.add(account.settled);
    numbers.add(account.settling);
    numbers.add(account.withdrawn);
    numbers.add(policy?.maxAmountAtomic ?? -1n);
    numbers.addNumber(policy?.rateLimit ?? -1);
    numbers.addNumber(account.updatedMs);
  }
  return numbers.bytes;
}

function bytesOfPayments(payments: readonly Payment[]): Buffer {
  const bytes = Buffer.allocUnsafe(payments.length * paymentWidth);
  let at = 0;
  for (const payment of payments) {
    at += payment.confirmationId.copy(bytes, at);
    at += payment.digest.copy(bytes, at);
    at += bytes.write(payment.payer, at, 'latin1');
    at += bytes.write(payment.seller, at, 'latin1');
    at += payment.nonce.copy(bytes, at);
    at += payment.resourceHash.copy(bytes, at);
    at += payment.callKey.copy(bytes, at);
    at += payment.previousHead.copy(bytes, at);
    at += payment.signature.copy(bytes, at);
  }
  return bytes;
}

function bytesOfAccounts(accounts: readonly Account[]): Buffer {
  const bytes = Buffer.alloc(accounts.length * accountWidth);
  accounts.forEach(({ key, publicKey }, index) => {
    bytes.write(key, index * accountWidth, 'latin1');
    publicKey?.copy(bytes, index * accountWidth + 32);
  });
  return bytes;
}

const bytesOfSession = ({ key, account, nonce, link = noLink }: Session): Buffer =>
  Buffer.concat([digestOfSession(key), bytesOfKey(account), nonce, link]);

const changeOf = (payment: Payment) => ({
  name: 'payment-change',
  text: `UPDATE payments SET state = $3, charged = $4, seq = $5, charged_ms = $6, previous_head = $7, call_key = $8
         WHERE confirmation_id = $1 AND valid_before = $2`,
  values: [
    payment.confirmationId.toString('hex'),
    payment.validBeforeS,
    payment.state,
    payment.chargedAtomic,
    payment.seq,
    payment.unixMs,
    payment.previousHead,
    payment.callKey,
  ],
});

const refundInsert = ({ payment, seq, unixMs, previousHead }: Refund) => ({
  name: 'refund-insert',
  text: 'INSERT INTO refunds (confirmation_id, seq, refunded_ms, previous_head, amount) VALUES ($1, $2, $3, $4, $5)',
  values: [payment.confirmationId.toString('hex'), seq, unixMs, previousHead, payment.chargedAtomic],
});

// What has run out says so nowhere: it is seen by the time, which is the first parameter.
const isOpen = 'expires_at > to_timestamp($1::float8 / 1000)';
const inState: Record<ApprovalStatus, string> = {
  pending: `status = 'pending' AND ${isOpen}`,
  approved: `status = 'approved' AND ${isOpen}`,
  rejected: `status = 'rejected'`,
  used: `status = 'used'`,
  expired: `(status = 'expired' OR (status IN ('pending', 'approved') AND NOT ${isOpen}))`,
};

const approvalUpsert = (approval: ApprovalTerms) => ({
  name: 'approval-upsert',
  text: `INSERT INTO approvals (id, payer, seller, amount, resource_hash, status, created_at, expires_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (id) DO UPDATE SET status = $6, expires_at = $8, updated_at = $9`,
  values: [
    approval.id.toString('hex'),
    bytesOfKey(approval.payer),
    bytesOfKey(approval.seller),
    approval.amountAtomic,
    approval.resourceHash,
    approval.status,
    new Date(approval.createdMs),
    new Date(approval.expiresMs),
    new Date(approval.updatedMs),
  ],
});

interface PaymentRow {
  payer: Buffer;
  nonce: Buffer;
  valid_before: string;
  valid_after: string;
  confirmation_id: string;
  digest: Buffer;
  seller: Buffer;
  resource_hash: Buffer;
  signature: Buffer;
  call_key: Buffer;
  flags: number;
  state: PaymentState;
  amount: string;
  charged: string;
  hold_until: string;
  seq: string;
  charged_ms: string;
  previous_head: Buffer;
  grant_digest: Buffer | null;
}

interface SessionRow {
  grant_digest: Buffer;
  account: Buffer;
  nonce: Buffer;
  spent: string;
  max_total: string;
  valid_before: string;
  link: Buffer | null;
}

const sessionFromRow = (row: SessionRow, nowMs: number): Session => ({
  key: row.grant_digest.toString('latin1'),
  account: row.account.toString('latin1'),
  nonce: row.nonce,
  spentAtomic: BigInt(row.spent),
  maxTotalAtomic: BigInt(row.max_total),
  validBeforeS: BigInt(row.valid_before),
  link: row.link ?? undefined,
  usedMs: nowMs,
});

interface RefundRow {
  seq: string;
  refunded_ms: string;
  previous_head: Buffer;
}

const paymentFromRow = (row: PaymentRow): Payment => ({
  confirmationId: Buffer.from(row.confirmation_id.replaceAll('-', ''), 'hex'),
  digest: row.digest,
  payer: row.payer.toString('latin1'),
  seller: row.seller.toString('latin1'),
  nonce: row.nonce,
  resourceHash: row.resource_hash,
  flags: row.flags,
  session: row.grant_digest?.toString('latin1'),
  link: undefined,
  validAfterS: BigInt(row.valid_after),
  validBeforeS: BigInt(row.valid_before),
  signature: row.signature,
  callKey: row.call_key,
  state: row.state,
  amountAtomic: BigInt(row.amount),
  chargedAtomic: BigInt(row.charged),
  holdUntilMs: Number(row.hold_until),
  seq: BigInt(row.seq),
  unixMs: BigInt(row.charged_ms),
  previousHead: row.previous_head,
  receipt: undefined,
  isStored: true,
});

interface AccountRow extends Record<
  'deposited' | 'available' | 'reserved' | 'spent' | 'earned' | 'settled' | 'settling' | 'withdrawn',
  string
> {
  account: Buffer;
  public_key: Buffer | null;
  max_amount: string | null;
  rate_limit: number | null;
  cancelled: Buffer[] | null;
  updated_at: Date;
}

const accountFromRow = (row: AccountRow): Account => ({
  key: row.account.toString('latin1'),
  publicKey: row.public_key ? ownBytes(row.public_key) : undefined,
  deposited: BigInt(row.deposited),
  available: BigInt(row.available),
  reserved: BigInt(row.reserved),
  spent: BigInt(row.spent),
  earned: BigInt(row.earned),
  settled: BigInt(row.settled),
  settling: BigInt(row.settling),
  withdrawn: BigInt(row.withdrawn),
  policy:
    row.max_amount === null
      ? undefined
      : { maxAmountAtomic: BigInt(row.max_amount), rateLimit: row.rate_limit! },
  cancelled: row.cancelled ? new Set(row.cancelled.map((nonce) => nonce.toString('latin1'))) : undefined,
  updatedMs: row.updated_at.getTime(),
  usedMs: row.updated_at.getTime(),
});

interface ApprovalRow {
  id: string;
  payer: Buffer;
  seller: Buffer;
  amount: string;
  resource_hash: Buffer;
  status: ApprovalStatus;
  created_at: Date;
  expires_at: Date;
  updated_at: Date;
}

export const approvalFromRow = (row: ApprovalRow): ApprovalTerms => ({
  id: Buffer.from(row.id.replaceAll('-', ''), 'hex'),
  payer: row.payer.toString('latin1'),
  seller: row.seller.toString('latin1'),
  amountAtomic: BigInt(row.amount),
  resourceHash: row.resource_hash,
  status: row.status,
  createdMs: row.created_at.getTime(),
  expiresMs: row.expires_at.getTime(),
  updatedMs: row.updated_at.getTime(),
});
