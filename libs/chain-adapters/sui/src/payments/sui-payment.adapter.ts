import type { NodePool } from '@tollbridge/chain-nodes';
import type {
  BlockRef,
  ChainAdapter,
  DepositTransfer,
  DirectOrder,
  PaidContract,
  Payment,
  PaymentInstructions,
  PaymentUpdate,
  ReportedTransaction,
  WalletCall,
} from '@tollbridge/chain-port';
import type { DirectChain, Token } from '@tollbridge/chains';
import { ProviderError } from '@tollbridge/http';
import { orderIdToBytes16, type PaymentOrder } from '@tollbridge/onchain';
import {
  chooseSuiCoins,
  encodeSuiPayment,
  encodeSuiTransfer,
  suiAddress,
  suiOrderPaidType,
  type SuiPayContract,
} from '@tollbridge/onchain/sui';
import { readBalance, readCoins, readGasPrice } from '../account-reads';
import { readMoreEvents } from '../event-reads';
import type { SuiNode } from '../sui-node';
import { readTransactions } from '../transaction-reads';
import type { Page, PlacedEvent, SuiTransaction } from '../wire';
import { newestBefore } from './checkpoint-by-time';
import { logIndexOf, maxPaymentsPerCheckpoint, requireDistinctTags } from './log-index';
import { nextUpdate } from './next-update';
import { isLikePayment, readPayment } from './order-paid';
import { coinTypeOf, SuiTransferReader } from './sui-transfer-reader';

const zeroAddress = suiAddress('0x0');
// Cost of `pay`: its computation, rounded up to Sui's steps, and the storage of three coins and the payment record
// (7,600 MIST per byte).
const payGasUnits = 2_000n;
const payStorageMist = 6_000_000n;
// Time for consensus, for the checkpoint with the transaction, and for the indexer behind GraphQL.
const finalityMs = 1_500;

/** Direct payments on Sui, through the package `tollbridge::pay`. Stateless. */
export class SuiPaymentAdapter extends SuiTransferReader<DirectChain> implements ChainAdapter {
  readonly noFeeReceiver = zeroAddress;
  readonly canPayerReceive = true;
  private readonly contract: SuiPayContract;
  /** The current and former packages, so that payments of older orders are still found. */
  private readonly packageIds: readonly string[];

  constructor(chain: DirectChain, rpc: Pick<NodePool<SuiNode>, 'ask'>) {
    super(chain, rpc);
    if (!chain.payRegistry) throw new Error('Sui needs payRegistry in CHAINS_FILE');
    const { id, version } = chain.payRegistry;
    this.contract = { packageId: chain.payContract, registryId: id, registryVersion: BigInt(version) };
    this.packageIds = [...new Set([chain.payContract, ...chain.formerPayContracts])];
    requireDistinctTags(this.packageIds);
  }

  get settlementMs(): number {
    return finalityMs + this.chain.pollIntervalMs;
  }

  instructions({ token }: DirectOrder): PaymentInstructions {
    return { contractAddress: this.contract.packageId, tokenAddress: coinTypeOf(token) };
  }

  /** Returns null while the payer's coins do not cover the order, because the transaction references these coins. */
  async walletCall(order: DirectOrder, payer: string): Promise<WalletCall | null> {
    const terms = paymentOrder(order);
    // A payment in SUI is split from the gas coin, which the wallet adds.
    if (order.token.address === null) return walletCallOf(encodeSuiPayment(this.contract, terms));
    const coins = await this.rpc.ask((node) => readCoins(node, payer, terms.token_in_address));
    const chosen = chooseSuiCoins(coins, terms.amount_in);
    return chosen.length === 0 ? null : walletCallOf(encodeSuiPayment(this.contract, terms, chosen));
  }

  /** Returns null while the payer's coins do not cover the amount, because the transaction references these coins. */
  async transferCall(transfer: DepositTransfer, payer: string): Promise<WalletCall | null> {
    const { token, receiver, amountAtomic, memo } = transfer;
    if (memo !== null) throw new Error('Transfers on Sui carry no memo');
    if (token.address === null) return walletCallOf(encodeSuiTransfer(receiver, amountAtomic));
    const coins = await this.rpc.ask((node) => readCoins(node, payer, coinTypeOf(token)));
    const chosen = chooseSuiCoins(coins, amountAtomic);
    return chosen.length === 0 ? null : walletCallOf(encodeSuiTransfer(receiver, amountAtomic, chosen));
  }

  nextUpdate(known: readonly BlockRef[], window: number): Promise<PaymentUpdate> {
    const { startHeight } = this.chain;
    return this.rpc.ask((node) =>
      nextUpdate(node, known, { packageIds: this.packageIds, startHeight, window }),
    );
  }

  blockBefore(timeMs: number): Promise<BlockRef | undefined> {
    return this.rpc.ask((node) => newestBefore(node, timeMs, this.chain.startHeight));
  }

  async readReport(txHash: string, { contractAddress }: PaidContract): Promise<ReportedTransaction> {
    return this.rpc.ask(async (node) => {
      const { transactions } = await readTransactions(node, [txHash]);
      const transaction = transactions[0] ?? null;
      if (!transaction) return { state: 'notFound' };
      const { checkpoint, succeeded, eventTypes } = transaction;
      if (!checkpoint) return { state: 'pending' };
      const { height } = checkpoint;
      if (!succeeded) return { state: 'failed', height };
      const payments = await paymentsIn(node, transaction, checkpoint, contractAddress);
      const paysOtherContract = payments.length === 0 && eventTypes.items.some(isLikePayment);
      return { state: 'succeeded', height, payments, paysOtherContract };
    });
  }

  balanceAtomic(account: string, token: Token): Promise<bigint> {
    return this.rpc.ask((node) => readBalance(node, account, coinTypeOf(token)));
  }

  async paymentFeeAtomic(): Promise<bigint> {
    const price = await this.rpc.ask(readGasPrice);
    return payGasUnits * price + payStorageMist;
  }
}

const walletCallOf = (kind: Uint8Array): WalletCall => {
  return { family: 'sui', transactionKind: Buffer.from(kind).toString('base64') };
};

/** Converts the order to the form of the module. */
function paymentOrder(order: DirectOrder): PaymentOrder {
  const { id, token, merchantAddress, merchantAmountAtomic, feeReceiver, feeAmountAtomic, expiresAtMs } =
    order;
  return {
    order_id: orderIdToBytes16(id),
    token_in: token.symbol,
    token_out: token.symbol,
    amount_in: merchantAmountAtomic + feeAmountAtomic,
    token_in_address: coinTypeOf(token),
    merchant: merchantAddress,
    merchant_amount: merchantAmountAtomic,
    fee_receiver: feeReceiver,
    fee_amount: feeAmountAtomic,
    deadline: BigInt(Math.floor(expiresAtMs / 1_000)),
  };
}

/** Returns the payments of a transaction, with their indexes among all payments of the checkpoint. */
async function paymentsIn(
  node: SuiNode,
  transaction: SuiTransaction,
  checkpoint: BlockRef,
  packageId: string,
): Promise<Payment[]> {
  const type = suiOrderPaidType({ packageId });
  const own = transaction.eventTypes.items.filter((it) => it === type).length;
  if (own === 0) return [];
  const events = await eventsOf(node, type, checkpoint.height);
  const payments = events.flatMap((event, ordinal) =>
    event.txHash === transaction.txHash
      ? (readPayment(event, packageId, logIndexOf(packageId, ordinal)) ?? [])
      : [],
  );
  const isComplete = events.filter(({ txHash }) => txHash === transaction.txHash).length === own;
  if (isComplete) return payments;
  // The index of events lags behind the transactions.
  throw new ProviderError('sui', {
    kind: 'unavailable',
    message: 'the events of a checkpoint are incomplete',
  });
}

/** Returns all events of a type in one checkpoint. */
async function eventsOf(node: SuiNode, type: string, height: number): Promise<PlacedEvent[]> {
  const events: PlacedEvent[] = [];
  let cursor: string | null = null;
  while (events.length < maxPaymentsPerCheckpoint) {
    const { page }: { page: Page<PlacedEvent> } = await readMoreEvents(node, {
      type,
      above: height - 1,
      cursor,
    });
    const { items, nextCursor } = page;
    const own = items.filter(({ checkpoint }) => checkpoint.height === height);
    events.push(...own);
    cursor = nextCursor;
    if (cursor === null || own.length < items.length) break;
  }
  return events;
}
