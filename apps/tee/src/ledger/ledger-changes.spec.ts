import { genesisHead, nextHead, receiptDigest } from '@tollbridge/nanopay-protocol';
import { charge, payer, session, startMs } from '../testing/ledger-fixtures';
import { newAccount } from './rules/account';
import { Approvals } from './rules/approvals';
import { heldPayment } from './rules/held-payment';
import type { LedgerBatch } from './storage/ledger-batch';
import { LedgerChanges } from './ledger-changes';
import type { Payment } from './rules/payment';

const head = Buffer.alloc(32, 1);
const payment = (): Payment => heldPayment(charge(), startMs);

/** Adds one change to each part of a batch. */
const additions: Record<
  'payments' | 'refunds' | 'accounts' | 'approvals' | 'sessions' | 'records',
  (batch: LedgerBatch) => void
> = {
  payments: ({ payments }) => payments.add(payment()),
  refunds: ({ refunds }) => {
    const receipt = { digest: Buffer.alloc(32), signature: undefined };
    refunds.push({ payment: payment(), seq: 1n, unixMs: 1n, previousHead: genesisHead, receipt });
  },
  accounts: ({ accounts }) => accounts.add(newAccount(payer, startMs)),
  approvals: ({ approvals }) => approvals.add(new Approvals().useOrRequest(charge(), startMs).approval),
  sessions: ({ sessions }) => sessions.add(session()),
  records: ({ records }) => {
    records.push({ kind: 'payout-end', number: 1n, outcome: 'completed', atMs: startMs });
  },
};
const parts = Object.keys(additions) as (keyof typeof additions)[];
const pairs = parts.flatMap((first) => parts.map((second): [string, string] => [first, second]));

describe('LedgerChanges', () => {
  it('starts at the given position without changes', () => {
    const changes = new LedgerChanges(41n, head);
    expect(changes.position).toEqual({ seq: 41n, head });
    expect(changes.isEmpty).toBe(true);
    expect(changes.pending).toEqual({
      payments: new Set(),
      refunds: [],
      accounts: new Set(),
      approvals: new Set(),
      sessions: new Set(),
      channels: new Set(),
      records: [],
      seq: 41n,
      head,
    });
    expect(changes.take()).toBeUndefined();
  });

  it.each(pairs)('takes a batch with %s and %s', (first, second) => {
    const changes = new LedgerChanges(41n, head);
    for (const part of new Set([first, second])) additions[part as keyof typeof additions](changes.pending);
    const { pending } = changes;
    expect(changes.isEmpty).toBe(false);
    expect(changes.take()).toEqual(pending);
  });

  it('reports no changes after its batch is taken', () => {
    const changes = new LedgerChanges(41n, head);
    for (const add of Object.values(additions)) add(changes.pending);
    const batch = changes.take()!;
    expect(changes.isEmpty).toBe(true);
    expect(changes.take()).toBeUndefined();
    changes.pending.payments.add(payment());
    expect(batch.payments.size).toBe(1);
  });

  it.each(['charge', 'refund'] as const)('appends the receipt of a %s to the chain', (type) => {
    const changes = new LedgerChanges(41n, head);
    const charged = { ...payment(), chargedAtomic: 99n };
    const receipt = changes.receipt(type, charged, startMs);
    const terms = { seq: 42n, unixMs: BigInt(startMs), previousHead: head };
    const digest = receiptDigest({ type, digest: charged.digest, amountAtomic: 99n, ...terms });
    expect(receipt).toStrictEqual({ ...terms, receipt: { digest, signature: undefined } });
    expect(changes.position).toEqual({ seq: 42n, head: nextHead(head, digest) });
  });

  it('links each receipt to the previous receipt', () => {
    const changes = new LedgerChanges(0n, genesisHead);
    const first = changes.receipt('charge', payment(), startMs);
    const second = changes.receipt('refund', payment(), startMs + 1);
    expect(second).toMatchObject({
      seq: 2n,
      unixMs: BigInt(startMs + 1),
      previousHead: nextHead(genesisHead, first.receipt.digest),
    });
    expect(changes.position).toEqual({
      seq: 2n,
      head: nextHead(second.previousHead, second.receipt.digest),
    });
  });

  it('takes the position after all receipts of the batch', () => {
    const changes = new LedgerChanges(41n, head);
    const charged = payment();
    changes.receipt('charge', charged, startMs);
    changes.receipt('refund', charged, startMs);
    changes.pending.payments.add(charged);
    expect(changes.take()).toEqual({
      payments: new Set([charged]),
      refunds: [],
      accounts: new Set(),
      approvals: new Set(),
      sessions: new Set(),
      channels: new Set(),
      records: [],
      ...changes.position,
    });
    expect(changes.position.seq).toBe(43n);
  });
});
