import {
  ledgerAccounts,
  type LedgerAccount,
  type LedgerKind,
  type OrderChanged,
} from '@tollbridge/contracts';

/** What an account holds of an asset because of one order or payment. */
export interface Posting {
  account: LedgerAccount;
  chain: string;
  token: string;
  amount: bigint;
}

/** Everything that one order or payment has moved. Its postings sum to zero per asset; none is zero. */
export type Position = readonly Posting[];

/** A position that a ledger is to hold, and what it follows from. */
export interface Target {
  wallet: string;
  /** `order:<id>` or `paylink:<id of the payment>`. */
  reference: string;
  /** Of the order or payment: each is posted once. */
  version: number;
  occurredAtMs: number;
  position: Position;
}

type Asset = Pick<Posting, 'chain' | 'token'>;

/** Money that left the payer for others. */
function moved(asset: Asset, parts: readonly [LedgerAccount, bigint][]): Posting[] {
  const real = parts.filter(([, amount]) => amount !== 0n);
  const total = real.reduce((sum, [, amount]) => sum + amount, 0n);
  if (total === 0n) return [];
  return [
    { account: 'payer', ...asset, amount: -total },
    ...real.map(([account, amount]) => ({ account, ...asset, amount })),
  ];
}

/** What a merchant received, from whatever it was. */
export function receivedPosition({ chain, token }: Asset, amount: bigint): Position {
  return moved({ chain, token }, [['merchant:received', amount]]);
}

/**
 * What an order has moved as it stands now. Its fee is taken only when it is settled; of a delivery that was too small
 * the merchant keeps what arrived. A refund is a deposit that came and was sent back, in what it was paid with.
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

/** What has to be posted so that a ledger that holds `held` holds `wanted`. */
export function differenceOf(held: Position, wanted: Position): Position {
  const difference = added([...wanted, ...held.map((posting) => ({ ...posting, amount: -posting.amount }))]);
  return difference.sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
}

/** The payer first, whatever was read in which order. */
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

export function kindOf(held: Position, wanted: Position): LedgerKind {
  if (wanted.length === 0) return 'reversal';
  if (held.length > 0) return 'correction';
  return wanted.some(({ account }) => account === 'merchant:received') ? 'payment' : 'refund';
}
