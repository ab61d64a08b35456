import {
  ledgerAccounts,
  type LedgerAccount,
  type LedgerKind,
  type OrderChanged,
} from '@tollbridge/contracts';

/** The amount of one asset that an account receives for an order or payment. */
export interface Posting {
  account: LedgerAccount;
  chain: string;
  token: string;
  amount: bigint;
}

/** All postings of one order or payment. They sum to zero per asset, and no posting has an amount of zero. */
export type Position = readonly Posting[];

/** The position that a ledger must reach for a reference. */
export interface Target {
  wallet: string;
  /** `order:<id>` or `paylink:<id of the payment>`. */
  reference: string;
  /** The version of the order or payment. Each version is posted once. */
  version: number;
  occurredAtMs: number;
  position: Position;
}

type Asset = Pick<Posting, 'chain' | 'token'>;

/** Postings that move the given amounts from the payer to other accounts. */
function moved(asset: Asset, parts: readonly [LedgerAccount, bigint][]): Posting[] {
  const total = parts.reduce((sum, [, amount]) => sum + amount, 0n);
  if (total === 0n) return [];
  return [
    { account: 'payer', ...asset, amount: -total },
    ...parts.map(([account, amount]) => ({ account, ...asset, amount })),
  ];
}

/** The position of a received payment. */
export function receivedPosition({ chain, token }: Asset, amount: bigint): Position {
  return moved({ chain, token }, [['merchant:received', amount]]);
}

/**
 * The position of an order. The fee is posted only for a settled order. The merchant retains a delivery that was too
 * small. A refund is posted in the paid asset.
 */
export function positionOf(order: OrderChanged): Position {
  const received = BigInt(order.settled_amount ?? 0);
  const fee = order.status === 'settled' ? BigInt(order.fee_amount) : 0n;
  const refunded = BigInt(order.refunded_amount ?? 0);
  const settle = { chain: order.settle_chain, token: order.settle_token };
  const pay = { chain: order.pay_blockchain, token: order.pay_token };
  return added([
    ...moved(settle, [
      ['merchant:received', received],
      ['fees', fee],
    ]),
    ...moved(pay, [['refunds', refunded]]),
  ]);
}

/** The postings that change the position from `posted` to `wanted`. */
export function differenceOf(posted: Position, wanted: Position): Position {
  const difference = added([
    ...wanted,
    ...posted.map((posting) => ({ ...posting, amount: -posting.amount })),
  ]);
  return difference.sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
}

/** A sort key: the payer first, then the other accounts in a fixed order. */
const rankOf = ({ account, chain, token }: Posting): string =>
  `${ledgerAccounts.indexOf(account)} ${chain} ${token}`;

function added(postings: readonly Posting[]): Posting[] {
  const sums = new Map<string, Posting>();
  for (const posting of postings) {
    const key = `${posting.chain}\n${posting.token}\n${posting.account}`;
    const known = sums.get(key);
    sums.set(key, known ? { ...known, amount: known.amount + posting.amount } : posting);
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

export function kindOf(posted: Position, wanted: Position): LedgerKind {
  if (wanted.length === 0) return 'reversal';
  if (posted.length > 0) return 'correction';
  return wanted.some(({ account }) => account === 'merchant:received') ? 'payment' : 'refund';
}
