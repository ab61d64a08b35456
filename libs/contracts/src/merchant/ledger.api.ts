import { feature, merchantAuth, operation } from '@tollbridge/rpc';
import { Flag, Integer, ListOf, OneOf, Text, Timestamp, Unsigned } from '../decorators';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { ChainName, orderIdExample, TokenSymbol } from '../pay-orders/fields';
import { PaymentReference, RequestDescription } from './payment-references';
import { Id } from '../shared-fields';

/** Ledger accounts. A negative amount left the payer, a positive amount arrived. */
export const ledgerAccounts = ['payer', 'merchant:received', 'fees', 'refunds'] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

export const ledgerKinds = ['payment', 'refund', 'reversal', 'correction'] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** Faults that a ledger check can find. */
export const ledgerProblems = ['unbalanced', 'hash', 'missing', 'sums', 'implausible'] as const;
export type LedgerProblemCode = (typeof ledgerProblems)[number];

const Hash = (description: string) =>
  Text(description, { pattern: /^[0-9a-f]{64}$/, example: 'a1'.repeat(32) });

/** A sum, which may have more digits than a single amount. */
const Sum = (description: string, example: string) =>
  Text(description, { maxLength: 128, pattern: /^-?(0|[1-9][0-9]*)$/, example });

export class LedgerProofQuery {
  @Unsigned('Also check this segment of the ledger: 0 to `segments` - 1', { optional: true, example: 0 })
  segment?: number;
}

export class LedgerAssetProof {
  @ChainName('Chain of the asset') chain: string;
  @TokenSymbol('Token of the asset') token: string;
  @Sum('Sum of all debits of payers, smallest unit', '1005000') debits: string;
  @Sum('Sum of all credits, smallest unit', '1005000') credits: string;
  @Sum('Credits minus debits; any value but 0 is a fault', '0') sum: string;
  @Sum('Balance of `merchant:received`', '1000000') received: string;
  @Sum('Balance of `fees`', '5000') fees: string;
  @Sum('Balance of `refunds`', '0') refunds: string;
  @Unsigned('Entries in this asset', { example: 3 }) entries: number;
  @Unsigned('Transactions in this asset', { example: 1 }) transactions: number;
}

export class LedgerProblem {
  @OneOf(
    ledgerProblems,
    '`unbalanced`: the entries of a transaction do not sum to zero. `hash`: a transaction does not match its hash, or does not follow the previous one. `missing`: a transaction is missing. `sums`: the stored sums differ from the entries. `implausible`: an entry has an unsupported chain, an amount above any possible payment, or the wrong sign',
  )
  code: LedgerProblemCode;
  @Unsigned('Segment of the ledger with the fault', { example: 0 }) segment: number;
  @Integer('First faulty transaction; null when the fault concerns no single transaction', {
    nullable: true,
    min: 1,
    example: 17,
  })
  seq: number | null;
}

export class CheckedSegment {
  @Unsigned('Segment', { example: 0 }) segment: number;
  @Integer('First transaction of the segment', { min: 1, example: 1 }) from_seq: number;
  @Integer('Last transaction of the segment', { min: 1, example: 17 }) to_seq: number;
}

export class LedgerProofReply {
  @Flag('True when this check found no fault and the ledger is not halted') ok: boolean;
  @Timestamp('Time since when posting is halted after a failed check; null while posting', { nullable: true })
  halted_at: string | null;
  @ListOf(() => LedgerProblem, 'Faults found by this check', { maxItems: 20 }) problems: LedgerProblem[];
  @ListOf(() => LedgerAssetProof, 'Sums of each asset', { maxItems: 1_000 }) assets: LedgerAssetProof[];
  @Unsigned('Transactions in the ledger', { example: 1 }) transactions: number;
  @Unsigned('Changes that wait until posting resumes', { example: 0 }) waiting: number;
  @Hash('Hash of the last transaction, chained over the previous one; zeros before the first')
  last_hash: string;
  @Unsigned('Segments of the ledger, 5,000 transactions each', { example: 1 }) segments: number;
  @ListOf(() => CheckedSegment, 'Segments that this call checked entry by entry', { maxItems: 4 })
  checked: CheckedSegment[];
  @Timestamp('Every segment was checked since this time; null while a segment was never checked', {
    nullable: true,
    example: '2026-11-20T12:00:00.000Z',
  })
  all_checked_since: string | null;
}

export class LedgerEntriesQuery {
  @Limit(50) limit?: number;
  @Cursor({ pattern: /^[1-9][0-9]{0,15}\.[0-9]{1,4}$/, example: '17.2' })
  cursor?: string;
}

export class LedgerEntry extends PaymentReference {
  @Integer("Transaction number within the wallet's ledger", { min: 1, example: 17 }) seq: number;
  @Integer('Position of the entry in the transaction', { min: 1, example: 2 }) position: number;
  @Id('Transaction number') transaction_id: string;
  @OneOf(ledgerKinds, 'Type of the transaction') kind: LedgerKind;
  @Text('What the transaction concerns: `order:<id>` or `paylink:<id of the payment>`', {
    example: `order:${orderIdExample}`,
  })
  reference: string;
  @Unsigned('Version of that order or payment', { example: 3 }) version: number;
  @OneOf(ledgerAccounts, 'Account', { example: 'merchant:received' }) account: LedgerAccount;
  @ChainName('Chain of the asset') chain: string;
  @TokenSymbol('Token of the asset') token: string;
  @Sum('Amount, smallest unit; negative for a debit', '1000000') amount: string;
  @Timestamp('Time of the transaction', { example: '2026-11-20T12:00:07.000Z' }) occurred_at: string;
  @Hash('Hash of the transaction, chained over the previous one') hash: string;
  @RequestDescription() description: string;
}

export class LedgerEntriesReply {
  @ListOf(() => LedgerEntry, 'Newest first', { maxItems: 100 }) entries: LedgerEntry[];
  @UsedLimit(50) limit: number;
  @NextCursor() next_cursor: string | null;
}

export const ledgerApi = feature('merchant', 'ledger', 'Ledger', {
  proveLedger: operation('GET /api/ledger/proof', {
    summary: "Prove a merchant's ledger",
    description:
      'Returns the sums of every asset, and checks the newest segment of the ledger and the one with the oldest check: each transaction sums to zero, no transaction was changed or removed, and the stored sums match the entries. A fault halts the ledger until the check passes again. Changes made meanwhile wait, and are posted afterwards.',
    input: LedgerProofQuery,
    output: LedgerProofReply,
    auth: merchantAuth('read'),
  }),
  listLedgerEntries: operation('GET /api/ledger/entries', {
    summary: "List the entries of a merchant's ledger",
    input: LedgerEntriesQuery,
    output: LedgerEntriesReply,
    auth: merchantAuth('read'),
  }),
});
