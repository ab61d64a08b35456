import type { EvmLog, EvmReceipt } from '@tollbridge/evm';
import { orderIdToUuid, tollbridgePayAbi } from '@tollbridge/onchain';
import { AbiCoder, dataSlice, getAddress, Interface, toUtf8String } from 'ethers';
import { amountIn, deadlineOf, type Order, type OrderTerms } from '../orders/order';

const orderPaid = new Interface(tollbridgePayAbi).getEvent('OrderPaid')!;

/** The topic of the contract's `OrderPaid` event. */
export const orderPaidTopic = orderPaid.topicHash;

const topicCount = 1 + orderPaid.inputs.filter(({ indexed }) => indexed).length;
const unindexed = orderPaid.inputs.filter(({ indexed }) => !indexed);
// Texts are read as bytes, which are encoded alike: the contract takes any bytes from anyone, and a decoder that
// throws at what is no text would hold up the chain at that block for ever.
const dataTypes = unindexed.map(({ type }) => (type === 'string' ? 'bytes' : type));

/** What one `OrderPaid` event says. */
export interface Payment {
  orderId: string;
  orderHash: string;
  payer: string;
  fields: PaymentFields;
  height: number;
  blockHash: string;
  txHash: string;
  logIndex: number;
}

/** The fields that a payment and its order must share; all of them, to the unit. */
export interface PaymentFields {
  token_in: string;
  token_out: string;
  amount_in: string;
  token_in_address: string;
  merchant: string;
  merchant_amount: string;
  fee_receiver: string;
  fee_amount: string;
  deadline: string;
}

export function expectedFields(order: OrderTerms): PaymentFields {
  return {
    token_in: order.payToken,
    token_out: order.settleToken,
    amount_in: String(amountIn(order)),
    token_in_address: order.direct!.tokenInAddress,
    merchant: order.merchantAddress,
    merchant_amount: String(order.merchantAmount),
    fee_receiver: order.feeReceiver,
    fee_amount: String(order.feeAmount),
    deadline: String(deadlineOf(order)),
  };
}

/** Reads an event of one of these payment contracts; undefined for a log that is none. */
export function readPayment(log: EvmLog, contracts: readonly string[]): Payment | undefined {
  if (!contracts.includes(getAddress(log.address)) || log.topics[0] !== orderPaidTopic) return undefined;
  const [, orderHash, orderId, payer] = log.topics;
  const fields = readFields(log.data);
  if (log.topics.length !== topicCount || !fields) return undefined;
  return {
    orderId: orderIdToUuid(dataSlice(orderId!, 0, 16)),
    orderHash: orderHash!,
    payer: getAddress(dataSlice(payer!, 12)),
    fields,
    height: log.height,
    blockHash: log.blockHash,
    txHash: log.txHash,
    logIndex: log.logIndex,
  };
}

/** undefined for data that the contract cannot have written. */
function readFields(data: string): PaymentFields | undefined {
  try {
    const values = AbiCoder.defaultAbiCoder().decode(dataTypes, data);
    const entries = unindexed.map(({ name, type }, index) => {
      const value = String(values[index]);
      return [name, type === 'string' ? textOf(value) : value];
    });
    return Object.fromEntries(entries) as PaymentFields;
  } catch {
    return undefined;
  }
}

/** The text, or the bytes as hex where they are no text that a database, a log and an event can carry. */
function textOf(bytes: string): string {
  try {
    const text = toUtf8String(bytes);
    return /\p{C}/u.test(text) ? bytes : text;
  } catch {
    return bytes;
  }
}

/** What differs between a payment and its order, for people; empty when the payment is the order's. */
export function differences(order: OrderTerms, payment: Payment): string[] {
  const expected = expectedFields(order);
  return (Object.keys(expected) as (keyof PaymentFields)[])
    .filter((name) => expected[name] !== payment.fields[name])
    .map((name) => `${name} is ${payment.fields[name].slice(0, 80)}, not ${expected[name]}`);
}

/** Why a reported transaction can never pay the order, or `wait` while it still may. */
export type Verdict = 'wait' | { reject: string };

export interface ReportedTransaction {
  order: Order;
  receipt: EvmReceipt | null;
  /** Whether the node knows the transaction at all, mined or not. */
  isKnown: boolean;
  /** How many blocks, its own included, the chain has built on the transaction, as far as payments were read. */
  confirmations: number;
  requiredConfirmations: number;
  /** Since when the transaction is looked for. */
  sinceMs: number;
  /** The time that has passed on the chain too: a chain that stands still, or a node that lags, lets none pass. */
  nowMs: number;
}

// Long enough for a crowded mempool and for nodes to tell each other; decisions fix it for the payer's sake.
const notFoundAfterMs = 10 * 60_000;

/**
 * Judges a transaction that was reported but whose payment was not found. A verdict is given only at the chain's
 * required depth, as a reorganisation could still turn a reverted transaction into a good one.
 */
export function judgeReported(reported: ReportedTransaction): Verdict {
  const { order, receipt } = reported;
  if (!receipt) return judgeUnmined(reported);
  if (reported.confirmations < reported.requiredConfirmations) return 'wait';
  if (!receipt.succeeded) return { reject: 'TX_REVERTED: the reported transaction reverted' };
  const payments = receipt.logs.flatMap((log) => readPayment(log, [order.direct!.contractAddress]) ?? []);
  const own = payments.filter(({ orderId }) => orderId === order.id).map((it) => differences(order, it));
  // One is right: it is for the watcher to take it.
  if (own.some((different) => different.length === 0)) return 'wait';
  if (own[0]) return { reject: mismatchReason(own[0]) };
  if (payments.length > 0)
    return { reject: 'PAYS_ANOTHER_ORDER: the reported transaction pays another order' };
  if (receipt.logs.some(({ topics }) => topics[0] === orderPaidTopic)) {
    return { reject: 'OTHER_CONTRACT: the payment was made to a contract that is not the payment contract' };
  }
  return { reject: 'NO_PAYMENT: the reported transaction does not call the payment contract' };
}

function judgeUnmined({ order, isKnown, sinceMs, nowMs }: ReportedTransaction): Verdict {
  if (nowMs - sinceMs < notFoundAfterMs) return 'wait';
  if (!isKnown) return { reject: 'TX_NOT_FOUND: the reported transaction was not found within 10 minutes' };
  // What waits in the pool may still be mined, and pays until the contract refuses it.
  if (nowMs <= order.expiresAtMs) return 'wait';
  return { reject: 'TX_NOT_MINED: the reported transaction was not mined before the order expired' };
}

// Events carry texts of at most this length.
const maxReasonLength = 256;

/** As many of the differences as a reason holds, and how many more there are. */
function mismatchReason(different: string[]): string {
  const reasonOf = (count: number): string => {
    const rest = different.length - count;
    const listed = different.slice(0, count).join('; ');
    return `PAYMENT_MISMATCH: ${listed}${rest === 0 ? '' : `; and ${rest} more`}`;
  };
  let count = different.length;
  while (count > 1 && reasonOf(count).length > maxReasonLength) count--;
  return reasonOf(count);
}
