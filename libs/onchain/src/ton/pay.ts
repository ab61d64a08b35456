import type { Cell, Message } from '@ton/core';
import { tonPaymentCode, tonSettlementCode } from '../generated/ton-pay';
import { loadTonCore } from './load';
import { decodeTonOrder, encodeTonOrder, type TonOrder } from './order';

/** Operation codes of the payment contract and of the orders' contracts. */
export const tonPayOps = {
  payOrder: 0x54420001,
  claim: 0x54420002,
  orderPaid: 0x54420003,
  returned: 0x54420004,
  sweep: 0x54420005,
} as const;

/** Reasons for the return of coins, by the number in the message `Returned`. */
export const tonReturnReasons = [
  'none',
  'malformed',
  'expired',
  'deadline_too_far',
  'amounts_do_not_add_up',
  'zero_merchant_amount',
  'invalid_receiver',
  'wrong_token',
  'wrong_amount',
  'not_enough_coins',
  'already_paid',
  'not_delivered',
] as const;

export type TonReturnReason = (typeof tonReturnReasons)[number];

/**
 * Nanotons to forward with the jettons of a payment. The contract computes its need from the network's prices
 * (`get_required_coins`, 0.28 TON at the prices of 2026) and returns the rest. Jettons that arrive with much less are
 * lost.
 */
export const tonJettonForwardNano = 300_000_000n;
/** Nanotons for the payer's jetton wallet, including the forwarded ones. The rest is returned. */
export const tonJettonPaymentNano = tonJettonForwardNano + 80_000_000n;
/** Nanotons in addition to the amount of an order in coins. The rest is returned. */
export const tonCoinPaymentNano = 120_000_000n;
/** Nanotons for a sweep. The rest is returned. */
export const tonSweepNano = 100_000_000n;

const jettonTransferOp = 0x0f8a7ea5;

export interface TonStateInit {
  code: Cell;
  data: Cell;
}

/** Code and initial data of the payment contract. They are the same on every network, and so is the address. */
export async function tonPayStateInit(): Promise<TonStateInit> {
  const { beginCell, Cell } = await loadTonCore();
  return {
    code: Cell.fromBase64(tonPaymentCode),
    data: beginCell().storeRef(Cell.fromBase64(tonSettlementCode)).endCell(),
  };
}

/** Raw address of the payment contract. */
export async function tonPayAddress(): Promise<string> {
  const { contractAddress } = await loadTonCore();
  return contractAddress(0, await tonPayStateInit()).toRawString();
}

/** Code and initial data of the contract of one order. The payment contract deploys it with the first payment. */
export async function tonSettlementStateInit(orderHash: string, payment?: string): Promise<TonStateInit> {
  const { Address, beginCell, Cell } = await loadTonCore();
  return {
    code: Cell.fromBase64(tonSettlementCode),
    data: beginCell()
      .storeAddress(Address.parseRaw(payment ?? (await tonPayAddress())))
      .storeBuffer(Buffer.from(orderHash, 'hex'), 32)
      .storeBit(false)
      .endCell(),
  };
}

/**
 * Raw address of an order's contract. It forwards the order's jettons to merchant and fee receiver, and sends the
 * record.
 */
export async function tonSettlementAddress(orderHash: string, payment?: string): Promise<string> {
  const { contractAddress } = await loadTonCore();
  return contractAddress(0, await tonSettlementStateInit(orderHash, payment)).toRawString();
}

/** The query id of the transfers to merchant and fee receiver. */
export const tonTransferId = (orderHash: string): bigint => BigInt(`0x${orderHash.slice(-16)}`);

/** A message for the payer's wallet to send. */
export interface TonPaymentMessage {
  /** Raw form. */
  to: string;
  valueNano: bigint;
  body: Cell;
}

/** Builds the payment of an order in the native coin. */
export async function tonCoinPayment(order: TonOrder, queryId = 0n): Promise<TonPaymentMessage> {
  const { beginCell } = await loadTonCore();
  const body = beginCell()
    .storeUint(tonPayOps.payOrder, 32)
    .storeUint(queryId, 64)
    .storeRef(await encodeTonOrder(order));
  return {
    to: await tonPayAddress(),
    valueNano: order.amountIn + tonCoinPaymentNano,
    body: body.endCell(),
  };
}

/**
 * Builds the payment of an order in jettons.
 * @param payer raw address; receives the rest of the coins
 * @param payerWallet raw address of the payer's wallet for the order's jetton
 */
export async function tonJettonPayment(
  order: TonOrder,
  { payer, payerWallet, queryId = 0n }: { payer: string; payerWallet: string; queryId?: bigint },
): Promise<TonPaymentMessage> {
  const { Address, beginCell } = await loadTonCore();
  const body = beginCell()
    .storeUint(jettonTransferOp, 32)
    .storeUint(queryId, 64)
    .storeCoins(order.amountIn)
    .storeAddress(Address.parseRaw(await tonPayAddress()))
    .storeAddress(Address.parseRaw(payer))
    // No custom payload.
    .storeBit(false)
    .storeCoins(tonJettonForwardNano)
    .storeMaybeRef(await encodeTonOrder(order));
  return { to: payerWallet, valueNano: tonJettonPaymentNano, body: body.endCell() };
}

/**
 * Builds a sweep: from a day after the payment on, it sends the balance of the order's contract to the payer. That
 * balance consists of jettons that the merchant's wallet has rejected. Any account may send this message.
 * @param wallet raw address of the order's contract's jetton wallet; null for coins
 */
export async function tonSweep(
  orderHash: string,
  { wallet, amount, queryId = 0n }: { wallet: string | null; amount: bigint; queryId?: bigint },
): Promise<TonPaymentMessage> {
  const { Address, beginCell } = await loadTonCore();
  const body = beginCell()
    .storeUint(tonPayOps.sweep, 32)
    .storeUint(queryId, 64)
    .storeAddress(wallet === null ? null : Address.parseRaw(wallet))
    .storeCoins(amount);
  return { to: await tonSettlementAddress(orderHash), valueNano: tonSweepNano, body: body.endCell() };
}

/** A payment in the record of the payment contract. */
export interface TonPaidOrder {
  orderHash: string;
  /** Raw form. */
  payer: string;
  /** Distinguishes the attempts to pay the order. */
  nonce: bigint;
  order: TonOrder;
}

/**
 * Decodes the record in a message to the payment contract. Returns undefined for any other message, and for a sender
 * that is not the order's contract. The caller must verify that the message's transaction was executed, because the
 * contract itself accepts only a genuine sender.
 */
export async function decodeTonRecord(message: Message, payment?: string): Promise<TonPaidOrder | undefined> {
  const { info, body } = message;
  if (info.type !== 'internal' || info.bounced) return undefined;
  const slice = body.beginParse();
  if (slice.remainingBits < 32 || slice.loadUint(32) !== tonPayOps.orderPaid) return undefined;
  try {
    const [nonce, payer, cell] = [slice.loadUintBig(64), slice.loadAddress().toRawString(), slice.loadRef()];
    const orderHash = cell.hash().toString('hex');
    if (info.src.toRawString() !== (await tonSettlementAddress(orderHash, payment))) return undefined;
    const order = await decodeTonOrder(cell);
    return order && { orderHash, payer, nonce, order };
  } catch {
    return undefined;
  }
}

/** Returns the reason of a message that returns coins; undefined for other messages. */
export function tonReturnReason(body: Cell): TonReturnReason | undefined {
  const slice = body.beginParse();
  if (slice.remainingBits !== 112 || slice.loadUint(32) !== tonPayOps.returned) return undefined;
  return tonReturnReasons[slice.skip(64).loadUint(16)];
}
