import {
  feature,
  Flag,
  Integer,
  ListOf,
  merchantAuth,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { ChainName, orderIdExample, TokenSymbol } from '../pay-orders/fields';

/** Whose money it is: negative amounts left the payer, positive ones arrived. */
export const ledgerAccounts = ['payer', 'merchant:received', 'fees', 'refunds'] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

export const ledgerKinds = ['payment', 'refund', 'reversal', 'correction'] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** What a check of the ledger can find. */
export const ledgerProblems = ['unbalanced', 'hash', 'missing', 'sums', 'implausible'] as const;
export type LedgerProblemCode = (typeof ledgerProblems)[number];

const Hash = (description: string) =>
  Text({ description, pattern: /^[0-9a-f]{64}$/, example: 'a1'.repeat(32) });

/** A sum: it may have more digits than any one amount. */
const Sum = (description: string, example: string) =>
  Text({ description, maxLength: 128, pattern: /^-?(0|[1-9][0-9]*)$/, example });

export class LedgerProofQuery {
  @Integer({
    description: 'Check this part of the ledger too: from 0 to `segments` - 1',
    min: 0,
    optional: true,
    example: 0,
  })
  segment?: number;
}

export class LedgerAssetProof {
  @ChainName({ description: 'The chain of the asset' })
  chain: string;
  @TokenSymbol({ description: 'Its token' })
  token: string;
  @Sum('All that left payers, smallest unit', '1005000')
  debits: string;
  @Sum('All that arrived', '1005000')
  credits: string;
  @Sum('Credits less debits; anything but 0 is a fault', '0')
  sum: string;
  @Sum('The balance of `merchant:received`', '1000000')
  received: string;
  @Sum('The balance of `fees`', '5000')
  fees: string;
  @Sum('The balance of `refunds`', '0')
  refunds: string;
  @Integer({ description: 'Entries in this asset', min: 0, example: 3 })
  entries: number;
  @Integer({ description: 'Transactions with such entries', min: 0, example: 1 })
  transactions: number;
}

export class LedgerProblem {
  @OneOf(ledgerProblems, {
    description:
      '`unbalanced`: the entries of a transaction do not sum to zero; `hash`: a transaction is not what its hash says, or does not follow the one before it; `missing`: a transaction is not there; `sums`: the sums that are kept are not those of the entries; `implausible`: an entry is of a chain that is not supported, of more than any payment can move, or has the wrong sign',
    example: 'unbalanced',
  })
  code: LedgerProblemCode;
  @Integer({ description: 'The part of the ledger that it is in', min: 0, example: 0 })
  segment: number;
  @Integer({
    description: 'The first transaction with it; null where it is none of one transaction',
    nullable: true,
    min: 1,
    example: 17,
  })
  seq: number | null;
}

export class CheckedSegment {
  @Integer({ description: 'The part', min: 0, example: 0 })
  segment: number;
  @Integer({ description: 'Its first transaction', min: 1, example: 1 })
  from_seq: number;
  @Integer({ description: 'Its last one', min: 1, example: 17 })
  to_seq: number;
}

export class LedgerProofReply {
  @Flag({ description: 'Whether nothing was found and the ledger is not halted', example: true })
  ok: boolean;
  @Timestamp({
    description: 'Since when nothing is posted, because a check had failed; null while it goes on',
    nullable: true,
    example: null,
  })
  halted_at: string | null;
  @ListOf(() => LedgerProblem, { description: 'What was found now', maxItems: 20 })
  problems: LedgerProblem[];
  @ListOf(() => LedgerAssetProof, { description: 'The sums of each asset', maxItems: 1_000 })
  assets: LedgerAssetProof[];
  @Integer({ description: 'Transactions in the ledger', min: 0, example: 1 })
  transactions: number;
  @Integer({ description: 'Changes that wait until the ledger goes on', min: 0, example: 0 })
  waiting: number;
  @Hash('The hash of the last transaction, over that of the one before it; zeros before the first')
  last_hash: string;
  @Integer({ description: 'Parts of the ledger, of 5,000 transactions each', min: 0, example: 1 })
  segments: number;
  @ListOf(() => CheckedSegment, { description: 'What was checked entry by entry now', maxItems: 4 })
  checked: CheckedSegment[];
  @Timestamp({
    description: 'Every part was checked since then; null while one never was',
    nullable: true,
    example: '2026-11-20T12:00:00.000Z',
  })
  all_checked_since: string | null;
}

export class LedgerEntriesQuery {
  @Limit(50)
  limit?: number;
  @Cursor({
    pattern: /^[1-9][0-9]{0,15}\.[0-9]{1,4}$/,
    example: '17.2',
  })
  cursor?: string;
}

export class LedgerEntry {
  @Integer({ description: 'The transaction, counted by wallet', min: 1, example: 17 })
  seq: number;
  @Integer({ description: 'Its place in the transaction', min: 1, example: 2 })
  position: number;
  @Text({ description: 'The transaction', format: 'uuid', example: orderIdExample })
  transaction_id: string;
  @OneOf(ledgerKinds, { description: 'What the transaction is', example: 'payment' })
  kind: LedgerKind;
  @Text({
    description: 'What it is about: `order:<id>` or `paylink:<id of the payment>`',
    example: `order:${orderIdExample}`,
  })
  reference: string;
  @Integer({ description: 'Which change of it', min: 0, example: 3 })
  version: number;
  @OneOf(ledgerAccounts, { description: 'The account', example: 'merchant:received' })
  account: LedgerAccount;
  @ChainName({ description: 'The chain of the asset' })
  chain: string;
  @TokenSymbol({ description: 'Its token' })
  token: string;
  @Sum('The amount, smallest unit; negative where it left', '1000000')
  amount: string;
  @Timestamp({ description: 'When it happened', example: '2026-11-20T12:00:07.000Z' })
  occurred_at: string;
  @Hash('Of the transaction, over the hash of the one before it')
  hash: string;
}

export class LedgerEntriesReply {
  @ListOf(() => LedgerEntry, { description: 'Newest first', maxItems: 100 })
  entries: LedgerEntry[];
  @UsedLimit(50)
  limit: number;
  @NextCursor()
  next_cursor: string | null;
}

export const ledgerApi = feature('merchant', 'ledger', 'Ledger', {
  proveLedger: operation({
    method: 'GET',
    path: '/api/ledger/proof',
    summary: "Prove a merchant's ledger",
    description:
      'The sums of every asset, and a check of the newest part of the ledger and of the one that was not checked for longest: that each transaction sums to zero, that nothing was changed or taken away since, and that the sums are those of the entries. A fault halts the ledger until the check holds again; what happens meanwhile waits, and is posted then.',
    input: LedgerProofQuery,
    output: LedgerProofReply,
    errors: [],
    auth: merchantAuth('read'),
  }),
  listLedgerEntries: operation({
    method: 'GET',
    path: '/api/ledger/entries',
    summary: "List the entries of a merchant's ledger",
    input: LedgerEntriesQuery,
    output: LedgerEntriesReply,
    errors: [],
    auth: merchantAuth('read'),
  }),
});
