import type { DepositTransfer, DirectOrder, TronTransaction, WalletCall } from '@tollbridge/chain-port';
import type { BlockRef } from '@tollbridge/evm';
import {
  refBlock,
  tronPaymentCalls,
  tronTransfer,
  unsignedTransaction,
  type TronCall,
  type TronOrder,
} from '@tollbridge/onchain/tron';
import type { ChainPrices } from '../chain-prices';
import { bare } from './conversions';
import { feeLimit, paymentEnergy } from './energy';

// A node rejects a transaction that expires more than a day after its head. The margin allows for differences between
// nodes.
const maxLifetimeMs = 23 * 3_600_000;

export interface ChainFacts {
  head: BlockRef;
  prices: ChainPrices;
  /** Energy factor of the paid token; 0 for the coin. */
  energyFactor: bigint;
}

export interface CallFacts extends ChainFacts {
  contract: string;
}

/**
 * Returns the transactions that pay the order from a wallet. They expire with the order, so a late transaction costs
 * nothing.
 */
export function tronWalletCall(order: DirectOrder, payer: string, facts: CallFacts): WalletCall {
  const { prices } = facts;
  const { approval, payment } = tronPaymentCalls(toTronOrder(order), payer, facts.contract);
  const energy = paymentEnergy(facts.energyFactor);
  const common = timesOf(order, facts);
  const transaction = (contract: TronCall, needed: bigint): TronTransaction =>
    unsignedTransaction({ ...common, contract, feeLimit: feeLimit(needed, prices) });
  return {
    family: 'tron',
    approval: approval && transaction(approval, energy.approve),
    transaction: transaction(payment, energy.pay),
  };
}

/**
 * Returns the transaction that makes a transfer from a wallet. It expires when the receiver stops crediting transfers.
 */
export function tronTransferCall(transfer: DepositTransfer, payer: string, facts: ChainFacts): WalletCall {
  const { token, receiver, amountAtomic, memo } = transfer;
  const contract = tronTransfer({ token: token.address, receiver, amountAtomic }, payer);
  const { transfer: energy } = paymentEnergy(facts.energyFactor);
  const transaction = unsignedTransaction({
    ...timesOf(transfer, facts),
    contract,
    feeLimit: token.address === null ? 0n : feeLimit(energy, facts.prices),
    ...(memo !== null && { memo: Buffer.from(memo, 'utf8').toString('hex') }),
  });
  return { family: 'tron', approval: null, transaction };
}

/** Returns the recent block and the times of a transaction. */
function timesOf({ expiresAtMs }: Pick<DirectOrder, 'expiresAtMs'>, { head }: ChainFacts) {
  const timestampMs = head.timestamp * 1_000;
  return {
    ...refBlock({ height: head.height, id: bare(head.hash) }),
    expirationMs: Math.min(expiresAtMs, timestampMs + maxLifetimeMs),
    timestampMs,
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
