import { Inject, Injectable } from '@nestjs/common';
import { ChainAdapters, type ChainAdapter } from '@tollbridge/chain-port';
import { canonicalAddress, findToken, isTxHash } from '@tollbridge/chains';
import type { SubmittedTxState } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import { differences } from '../payments/payment';
import type { Order } from './order';

// A wallet broadcasts immediately, and a transaction reaches the other nodes within seconds.
const unseenMs = 120_000;
// Any client may submit the hash of a contract call. A call that no node can verify must not block the order
// permanently.
const minedMs = 10 * 60_000;

/** Reads the state of submitted transactions from the chain, before the watchers have found a payment. */
@Injectable()
export class SubmittedTransactions {
  constructor(
    private readonly adapters: ChainAdapters,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws when no node answers */
  async stateOf(order: Order, txHash: string): Promise<SubmittedTxState> {
    const adapter = this.adapters.find(order.payChain);
    if (!adapter || !isTxHash(adapter.chain, txHash)) return 'unseen';
    return order.direct ? stateOfCall(adapter, order, txHash) : stateOfTransfer(adapter, order, txHash);
  }

  /** Whether the transaction of this order may still pay it, so that the order must not be paid again. */
  async isInFlight(order: Order): Promise<boolean> {
    if (order.payTx === null || order.status !== 'settling') return false;
    // Without a reply of a node, the transaction counts as in flight.
    const state = await this.stateOf(order, order.payTx).catch(() => 'pending' as const);
    if (state === 'unseen') return this.clock.now() < order.updatedAtMs + unseenMs;
    if (state === 'mined') return this.clock.now() < order.updatedAtMs + minedMs;
    return state !== 'failed' && state !== 'unrelated';
  }
}

async function stateOfCall(adapter: ChainAdapter, order: Order, txHash: string): Promise<SubmittedTxState> {
  const read = await adapter.readReport(txHash, order.direct!);
  if (read.state === 'notFound') return 'unseen';
  if (read.state !== 'succeeded') return read.state;
  const pays = read.payments.some((it) => it.orderId === order.id && differences(order, it).length === 0);
  return pays ? 'paying' : 'unrelated';
}

async function stateOfTransfer(
  adapter: ChainAdapter,
  { payToken, deposit }: Order,
  txHash: string,
): Promise<SubmittedTxState> {
  const token = findToken(adapter.chain, payToken);
  const receiver = deposit && canonicalAddress(adapter.chain, deposit.address);
  if (!token || !receiver?.ok) return 'unseen';
  const wanted = { txHash, token, receiver: receiver.address, seenIn: null };
  const [read] = await adapter.readTransfers([wanted]);
  if (!read || read.kind === 'unavailable') throw new Error(`No node shows ${txHash} consistently`);
  if (read.kind === 'unmined') {
    const { state } = await adapter.readReport(txHash, { contractAddress: receiver.address });
    return state === 'notFound' ? 'unseen' : 'pending';
  }
  if (!read.isSuccessful) return 'failed';
  if (read.transfers.some(({ amountAtomic }) => amountAtomic > 0n)) return 'paying';
  if (token.address !== null) return 'unrelated';
  // A contract wallet may have sent coins, which the transfers do not show.
  const coins = { txHash, receiver: receiver.address, block: read.block };
  const isReceived = await adapter.receivedCoins?.(coins);
  if (isReceived === null) return 'mined';
  return isReceived ? 'paying' : 'unrelated';
}
