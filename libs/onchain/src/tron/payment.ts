import { Interface, ZeroAddress } from 'ethers';
import { tollbridgePayAbi } from '../generated/tollbridge-pay';
import { decodeOrderPaid, type OrderPaid } from '../order-paid';
import { hashPaymentOrder, orderIdToBytes16, type PaymentOrder } from '../payment-order';
import { evmToTronAddress, tronToEvmAddress } from './address';
import type { TronCall, TronTransfer } from './raw-transaction';

const payContract = new Interface(tollbridgePayAbi);
const trc20 = new Interface([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);

/** An order with addresses in base58 and amounts in the token's smallest unit. */
export interface TronOrder {
  /** UUID. */
  orderId: string;
  tokenIn: string;
  tokenOut: string;
  amountIn: bigint;
  /** Address of the TRC-20 token; null for TRX. */
  token: string | null;
  merchant: string;
  merchantAmount: bigint;
  /** May be null only if the fee is zero. */
  feeReceiver: string | null;
  feeAmount: bigint;
  /** Unix seconds. The order can still be paid in a block of this second. */
  deadline: bigint;
}

export interface TronPaymentCalls {
  /** A call to send before the payment. Null for an order in TRX. */
  approval: TronCall | null;
  payment: TronCall;
}

/**
 * Converts the order to the form of the contract, with addresses of 20 bytes.
 * @throws Error for a malformed address or id
 */
export function tronPaymentOrder(order: TronOrder): PaymentOrder {
  const evm = (address: string | null) => (address === null ? ZeroAddress : tronToEvmAddress(address));
  return {
    order_id: orderIdToBytes16(order.orderId),
    token_in: order.tokenIn,
    token_out: order.tokenOut,
    amount_in: order.amountIn,
    token_in_address: evm(order.token),
    merchant: tronToEvmAddress(order.merchant),
    merchant_amount: order.merchantAmount,
    fee_receiver: evm(order.feeReceiver),
    fee_amount: order.feeAmount,
    deadline: order.deadline,
  };
}

/** Returns the key of `paid`, which is also the first indexed topic of `OrderPaid`: `0x` and 64 digits. */
export const hashTronOrder = (order: TronOrder): string => hashPaymentOrder(tronPaymentOrder(order));

/** Returns the calls of `payer` that pay the order through the given payment contract. */
export function tronPaymentCalls(order: TronOrder, payer: string, contract: string): TronPaymentCalls {
  const payment: TronCall = {
    type: 'TriggerSmartContract',
    owner: payer,
    contract,
    callValue: order.token === null ? order.amountIn : 0n,
    data: payContract.encodeFunctionData('pay', [tronPaymentOrder(order)]),
  };
  if (order.token === null) return { approval: null, payment };
  const data = trc20.encodeFunctionData('approve', [tronToEvmAddress(contract), order.amountIn]);
  return { approval: { ...payment, contract: order.token, callValue: 0n, data }, payment };
}

/** The terms of a transfer. Addresses are in base58. */
export interface TronTransferTerms {
  /** Address of the TRC-20 token; null for TRX. */
  token: string | null;
  receiver: string;
  amountAtomic: bigint;
}

/** Returns the transfer of `payer`. */
export function tronTransfer(
  { token, receiver, amountAtomic }: TronTransferTerms,
  payer: string,
): TronTransfer | TronCall {
  if (token === null) return { type: 'TransferContract', owner: payer, to: receiver, amount: amountAtomic };
  const data = trc20.encodeFunctionData('transfer', [tronToEvmAddress(receiver), amountAtomic]);
  return { type: 'TriggerSmartContract', owner: payer, contract: token, callValue: 0n, data };
}

/** A log from `gettransactioninfobyid`: hexadecimal without `0x`, and an address of 20 bytes. */
export interface TronLog {
  address: string;
  topics?: readonly string[];
  data?: string;
}

export interface TronOrderPaid extends OrderPaid {
  /** Address of the contract that emitted the event. */
  contract: string;
}

/**
 * Decodes an `OrderPaid` event. Addresses are in base58, with `tronZeroAddress` for none. Returns undefined for another
 * log.
 */
export function decodeTronOrderPaid({ address, topics = [], data = '' }: TronLog): TronOrderPaid | undefined {
  const paid = decodeOrderPaid({ topics: topics.map((topic) => `0x${topic}`), data: `0x${data}` });
  if (!paid) return undefined;
  const { fields } = paid;
  return {
    ...paid,
    contract: evmToTronAddress(`0x${address}`),
    payer: evmToTronAddress(paid.payer),
    fields: {
      ...fields,
      token_in_address: evmToTronAddress(fields.token_in_address),
      merchant: evmToTronAddress(fields.merchant),
      fee_receiver: evmToTronAddress(fields.fee_receiver),
    },
  };
}
