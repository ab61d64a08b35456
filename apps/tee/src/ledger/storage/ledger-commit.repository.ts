import { bytesOfKey, type Account } from '../rules/account';
import type { ApprovalTerms } from '../rules/approvals';
import { BigintArray } from './bigint-array';
import type { LedgerBatch } from './ledger-batch';
import type { Payment, PaymentState, Refund } from '../rules/payment';
import { digestOfSession, type Session } from '../rules/sessions';

// Column widths: confirmation id, digest, payer, seller, nonce, resource hash, call key, previous head, signature.
const widths = [16, 32, 32, 32, 32, 32, 16, 32, 64] as const;
const paymentWidth = widths.reduce<number>((sum, width) => sum + width, 0);
// Columns: account, public key.
const accountWidth = 64;
// Columns: grant digest, account, nonce, link.
const sessionWidth = 128;
const noLink = Buffer.alloc(32);

const states: readonly PaymentState[] = ['held', 'captured', 'voided', 'expired'];

/** Number of numeric columns of a payment and of an account, in the order of the parameter arrays. */
const paymentNumbers = 10;
const accountNumbers = 12;

/** SQL for one row per record, with the offsets of its bytes and of its numbers in the two parameters. */
const places = (bytes: string, width: number, numbers: string, count: number): string =>
  `ROWS FROM (generate_series(1, octet_length(${bytes}), ${width}),
     generate_series(0, cardinality(${numbers}) - 1, ${count})) AS row (byte, number)`;

/** SQL for the nth byte column of a payment, from 0. The functions below return the nth number of a row, from 1. */
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
 * One SQL statement for a whole batch. One bytea contains all byte columns, and one bigint[] all numbers. Arrays of
 * text would cost more than the write itself (`bench:nanopay`, row `tollbridge: paid`). The epoch fences off former
 * writers.
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

/** The statement that writes a whole batch, and its values. */
export const commitStatement = (batch: LedgerBatch, payments: readonly Payment[], epoch: bigint) => {
  const values = batchValues(batch, payments, epoch);
  return batch.sessions.size === 0
    ? { ...commits.plain, values }
    : { ...commits.withSessions, values: [...values, ...sessionValues([...batch.sessions])] };
};

function batchValues(batch: LedgerBatch, payments: readonly Payment[], epoch: bigint): unknown[] {
  const accounts = [...batch.accounts];
  let charges = 0;
  for (const { state } of batch.payments) if (state === 'captured') charges++;
  return [
    epoch,
    batch.seq,
    batch.head,
    paymentBytes(payments),
    paymentNumberValues(payments, [...batch.sessions]),
    accountBytes(accounts),
    accountNumberValues(accounts),
    charges,
  ];
}

function sessionValues(sessions: readonly Session[]): unknown[] {
  const list = (read: (session: Session) => bigint): string => `{${sessions.map(read).join(',')}}`;
  return [
    Buffer.concat(sessions.map(sessionBytes)),
    list(({ spentAtomic }) => spentAtomic),
    list(({ maxTotalAtomic }) => maxTotalAtomic),
    list(({ validBeforeS }) => validBeforeS),
  ];
}

function paymentNumberValues(payments: readonly Payment[], sessions: readonly Session[]): Buffer {
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

function accountNumberValues(accounts: readonly Account[]): Buffer {
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

function paymentBytes(payments: readonly Payment[]): Buffer {
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

function accountBytes(accounts: readonly Account[]): Buffer {
  const bytes = Buffer.alloc(accounts.length * accountWidth);
  accounts.forEach(({ key, publicKey }, index) => {
    bytes.write(key, index * accountWidth, 'latin1');
    publicKey?.copy(bytes, index * accountWidth + 32);
  });
  return bytes;
}

const sessionBytes = ({ key, account, nonce, link = noLink }: Session): Buffer =>
  Buffer.concat([digestOfSession(key), bytesOfKey(account), nonce, link]);

/** Updates a payment that is already in the database. */
export const paymentUpdate = (payment: Payment) => ({
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

export const refundInsert = ({ payment, seq, unixMs, previousHead }: Refund) => ({
  name: 'refund-insert',
  text: 'INSERT INTO refunds (confirmation_id, seq, refunded_ms, previous_head, amount) VALUES ($1, $2, $3, $4, $5)',
  values: [payment.confirmationId.toString('hex'), seq, unixMs, previousHead, payment.chargedAtomic],
});

export const approvalUpsert = (approval: ApprovalTerms) => ({
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
