import { bytesOfKey } from '../rules/account';
import type { LedgerRecord, PayoutEnd, PayoutRecord } from './ledger-batch';

interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** Returns the statements that write a record. SQL: they run in the transaction of the ledger commit. */
export function recordStatements(record: LedgerRecord): Statement[] {
  switch (record.kind) {
    case 'nonce': {
      const { account, nonce, validBeforeS } = record;
      const text = 'INSERT INTO used_nonces (account, nonce, valid_before) VALUES ($1, $2, $3)';
      return [{ name: 'nonce-use', text, values: [bytesOfKey(account), nonce, validBeforeS] }];
    }
    case 'cancellation': {
      const { account, nonce, atMs } = record;
      const text = `INSERT INTO cancellations (account, nonce, created_at) VALUES ($1, $2, $3)
                    ON CONFLICT DO NOTHING`;
      return [{ name: 'cancellation-insert', text, values: [bytesOfKey(account), nonce, new Date(atMs)] }];
    }
    case 'claim': {
      const { confirmationId, validBeforeS, callKey } = record;
      const text = 'UPDATE payments SET call_key = $3 WHERE confirmation_id = $1 AND valid_before = $2';
      return [
        { name: 'payment-claim', text, values: [confirmationId.toString('hex'), validBeforeS, callKey] },
      ];
    }
    case 'deposit': {
      const { chainAccount, lt, hash, account, amountAtomic, atMs } = record;
      const text = `INSERT INTO deposits (chain_account, lt, hash, account, amount, created_at)
                    VALUES ($1, $2, $3, $4, $5, $6)`;
      const values = [chainAccount, lt, hash, bytesOfKey(account), amountAtomic, new Date(atMs)];
      return [{ name: 'deposit-insert', text, values }];
    }
    case 'withdrawal': {
      const { id, source, account, destination, amountAtomic, atMs } = record;
      const text = `INSERT INTO withdrawals (id, kind, account, destination, amount, status, created_at, updated_at)
                    VALUES ($1, $2, $3, $4, $5, 'pending', $6, $6)`;
      const values = [id, source, bytesOfKey(account), bytesOfKey(destination), amountAtomic, new Date(atMs)];
      return [{ name: 'withdrawal-insert', text, values }];
    }
    case 'withdrawal-return': {
      const text = `UPDATE withdrawals SET status = 'returned', updated_at = $2 WHERE id = $1`;
      return [{ name: 'withdrawal-return', text, values: [record.id, new Date(record.atMs)] }];
    }
    case 'payout':
      return payoutStatements(record);
    case 'payout-end':
      return payoutEndStatements(record);
  }
}

function payoutStatements(record: PayoutRecord): Statement[] {
  const { number, queryId, boc, afterLt, createdAtS, validUntilS, withdrawals, atMs } = record;
  const at = new Date(atMs);
  return [
    {
      name: 'payout-insert',
      text: `INSERT INTO payouts (number, query_id, boc, after_lt, made_at, valid_until, status, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, 'sent', $7, $7)`,
      values: [number, queryId, boc, afterLt, createdAtS, validUntilS, at],
    },
    {
      name: 'payout-take',
      text: `UPDATE withdrawals SET status = 'sent', payout = $1, updated_at = $3 WHERE id = ANY($2::uuid[])`,
      values: [number, withdrawals, at],
    },
  ];
}

function payoutEndStatements({ number, outcome, atMs }: PayoutEnd): Statement[] {
  const at = new Date(atMs);
  const withdrawals =
    outcome === 'completed'
      ? `UPDATE withdrawals SET status = 'completed', updated_at = $2 WHERE payout = $1`
      : `UPDATE withdrawals SET status = 'pending', payout = NULL, updated_at = $2 WHERE payout = $1`;
  return [
    {
      name: 'payout-end',
      text: 'UPDATE payouts SET status = $2, updated_at = $3 WHERE number = $1',
      values: [number, outcome, at],
    },
    { name: `payout-${outcome}`, text: withdrawals, values: [number, at] },
  ];
}
