import type { DirectOrder, TronTransaction, WalletCall } from '@tollbridge/chain-port';
import type { BlockRef } from '@tollbridge/evm';
import {
  refBlock,
  tronPaymentCalls,
  unsignedTransaction,
  type TronCall,
  type TronOrder,
} from '@tollbridge/onchain/tron';
import type { ChainPrices } from '../chain-prices';
import { bare } from './conversions';
import { feeLimit, paymentEnergy } from './energy';

// A node rejects a transaction that expires more than a day after its head; the wallet's node may be ahead or behind.
const maxLifetimeMs = 23 * 3_600_000;

export interface CallFacts {
  head: BlockRef;
  prices: ChainPrices;
  /** Of the order's token; 0 for the coin. */
  energyFactor: bigint;
  contract: string;
}

/** The transactions by which a wallet pays the order. They expire with the order, so a late one costs nothing. */
export function tronWalletCall(order: DirectOrder, payer: string, facts: CallFacts): WalletCall {
  const { head, prices } = facts;
  const { approval, payment } = tronPaymentCalls(toTronOrder(order), payer, facts.contract);
  const energy = paymentEnergy(facts.energyFactor);
  const timestampMs = head.timestamp * 1_000;
  const common = {
    ...refBlock({ height: head.height, id: bare(head.hash) }),
    expirationMs: Math.min(order.expiresAtMs, timestampMs + maxLifetimeMs),
    timestampMs,
  };
  const transaction = (contract: TronCall, needed: bigint): TronTransaction =>
    unsignedTransaction({ ...common, contract, feeLimit: feeLimit(needed, prices) });
  return {
    family: 'tron',
    approval: approval && transaction(approval, energy.approve),
    transaction: transaction(payment, energy.pay),
  };
}

function toTronOrder(order: DirectOrder): TronOrder {
  const { token, merchantAmountAtomic, feeAmountAtomic } = order;
  return {
    orderId: order.id,
    tokenIn: token.symbol,
    tokenOut: token.symbol,
    amountIn: merchantAmountAtomic + feeAmountAtomic,
    token: token.address,
    merchant: order.merchantAddress,
    merchantAmount: merchantAmountAtomic,
    feeReceiver: order.feeReceiver,
    feeAmount: feeAmountAtomic,
    deadline: BigInt(Math.floor(order.expiresAtMs / 1_000)),
  };
}
