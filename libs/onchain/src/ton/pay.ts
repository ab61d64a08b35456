import type { Cell, Message } from '@ton/core';
import { tonPaymentCode, tonSettlementCode } from '../generated/ton-pay';
import { loadTonCore } from './load';
import { decodeTonOrder, encodeTonOrder, type TonOrder } from './order';

/** Operation codes of the payment contract and of the contracts of orders. */
export const tonPayOps = {
  payOrder: 0x54420001,
  claim: 0x54420002,
  orderPaid: 0x54420003,
  returned: 0x54420004,
  sweep: 0x54420005,
} as const;

/** Why coins came back, by the number in the message `Returned`. */
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
 * Nanotons to forward with the jettons of a payment. The contract computes what it needs from the network's prices
 * (`get_required_coins`, 0.28 TON at the prices of 2026). It returns the rest. Jettons that come with much less are
 * lost.
 */
export const tonJettonForwardNano = 300_000_000n;
/** Nanotons for the payer's jetton wallet, the forwarded ones included. The rest returns. */
export const tonJettonPaymentNano = tonJettonForwardNano + 80_000_000n;
/** Nanotons in addition to the amount of an order in coins. The rest returns. */
export const tonCoinPaymentNano = 120_000_000n;
/** Nanotons for a sweep. The rest returns. */
export const tonSweepNano = 100_000_000n;

const jettonTransferOp = 0x0f8a7ea5;

export interface TonStateInit {
  code: Cell;
  data: Cell;
}

/** Code and initial data of the payment contract: the same on every network, so its address is the same too. */
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
 * Raw address of the contract of one order. It sends the order's jettons to merchant and fee receiver, and the order's
 * record.
 */
export async function tonSettlementAddress(orderHash: string, payment?: string): Promise<string> {
  const { contractAddress } = await loadTonCore();
  return contractAddress(0, await tonSettlementStateInit(orderHash, payment)).toRawString();
}

/** The query id of the transfers to merchant and fee receiver. */
export const tonTransferId = (orderHash: string): bigint => BigInt(`0x${orderHash.slice(-16)}`);

/** A message that the payer's wallet sends. */
export interface TonPaymentMessage {
  /** Raw. */
  to: string;
  valueNano: bigint;
  body: Cell;
}

/** The payment of an order in the chain's coin. */
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
 * The payment of an order in jettons.
 * @param payer raw: gets what is left of the coins
 * @param payerWallet raw: the payer's wallet of the order's jetton
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
 * Sends what a jetton wallet of the order's contract holds to the payer, from a day after the payment on. The
 * merchant's wallet has rejected these jettons. Any account may send this message.
 * @param wallet raw: the order's contract's jetton wallet; null for coins
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

/** A payment as the payment contract recorded it. */
export interface TonPaidOrder {
  orderHash: string;
  /** Raw. */
  payer: string;
  /** Identifies the payment among the attempts to pay the order. */
  nonce: bigint;
  order: TonOrder;
}

/**
 * The record in a message to the payment contract. The caller verifies that its transaction was executed: the contract
 * accepts only the message of the order's own contract. Undefined for every other message, and for a record from
 * another sender than the order's contract.
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

/** Why the coins in this message came back; undefined for other messages. */
export function tonReturnReason(body: Cell): TonReturnReason | undefined {
  const slice = body.beginParse();
  if (slice.remainingBits !== 112 || slice.loadUint(32) !== tonPayOps.returned) return undefined;
  return tonReturnReasons[slice.skip(64).loadUint(16)];
}
