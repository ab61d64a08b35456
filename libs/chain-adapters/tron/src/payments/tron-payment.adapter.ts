import type { NodePool } from '@tollbridge/chain-nodes';
import type {
  BlockRef,
  ChainAdapter,
  DepositTransfer,
  DirectOrder,
  MinedCoins,
  PaidContract,
  PaymentInstructions,
  PaymentUpdate,
  ReportedTransaction,
  WalletCall,
} from '@tollbridge/chain-port';
import type { DirectChain, Token } from '@tollbridge/chains';
import { newestBefore, nextUpdate, type EvmReads } from '@tollbridge/evm';
import { tronZeroAddress } from '@tollbridge/onchain/tron';
import type { TronNode } from '../tron-node';
import { readBalance } from './balance';
import { logAddress, toBlockRef, toEvmBlock } from './conversions';
import { paymentCost } from './energy';
import { orderPaidTopic, readPayment } from './order-paid';
import { TronTransferReader } from './tron-transfer-reader';
import { tronTransferCall, tronWalletCall, type ChainFacts } from './wallet-call';

// A node returns logs of at most 5,000 blocks. This range is an hour and a half, in one database transaction of the
// caller.
const maxRangeBlocks = 2_000;

/** Direct payments on Tron, through the contract `TollbridgePay`. Stateless. */
export class TronPaymentAdapter extends TronTransferReader<DirectChain> implements ChainAdapter {
  readonly noFeeReceiver = tronZeroAddress;
  // A payer cannot be a receiver, because the contract measures the gain of its receivers and the payer loses the
  // amount.
  readonly canPayerReceive = false;
  /** The current and former contracts, so that payments of older orders are still found. */
  private readonly contracts: readonly string[];

  constructor(chain: DirectChain, rpc: NodePool<TronNode>) {
    super(chain, rpc);
    this.contracts = [chain.payContract, ...chain.formerPayContracts];
  }

  /** The duration of the required blocks and of one poll that notices them. */
  get settlementMs(): number {
    return this.chain.confirmations * this.chain.blockTimeMs + this.chain.pollIntervalMs;
  }

  instructions({ token }: DirectOrder): PaymentInstructions {
    return { contractAddress: this.chain.payContract, tokenAddress: token.address ?? tronZeroAddress };
  }

  async walletCall(order: DirectOrder, payer: string): Promise<WalletCall> {
    const facts = await this.factsFor(order.token);
    return tronWalletCall(order, payer, { ...facts, contract: this.chain.payContract });
  }

  async transferCall(transfer: DepositTransfer, payer: string): Promise<WalletCall> {
    return tronTransferCall(transfer, payer, await this.factsFor(transfer.token));
  }

  async nextUpdate(known: readonly BlockRef[], window: number): Promise<PaymentUpdate> {
    const update = await nextUpdate(this.pinned, known.map(toEvmBlock), {
      address: this.contracts.map(logAddress),
      topics: [orderPaidTopic],
      startHeight: this.chain.startHeight,
      window,
      maxRange: maxRangeBlocks,
    });
    const head = toBlockRef(update.head);
    if (update.kind === 'idle') return { kind: 'idle', head };
    if (update.kind === 'rollback')
      return { kind: 'rollback', to: toBlockRef(update.to), removed: update.removed.length, head };
    const payments = update.logs.flatMap((log) => readPayment(log, this.contracts) ?? []);
    return { kind: 'advance', blocks: update.blocks.map(toBlockRef), payments, head };
  }

  async blockBefore(timeMs: number): Promise<BlockRef | undefined> {
    const block = await newestBefore(this.pinned, timeMs / 1_000, this.chain.startHeight);
    return block && toBlockRef(block);
  }

  readReport(txHash: string, { contractAddress }: PaidContract): Promise<ReportedTransaction> {
    return this.ask(async (node): Promise<ReportedTransaction> => {
      const { receipts } = await node.reads.headAndTronReceipts([txHash]);
      const [receipt] = receipts;
      if (!receipt) return { state: (await node.isPending(txHash)) ? 'pending' : 'notFound' };
      const { height, logs, succeeded } = receipt;
      if (!succeeded) return { state: 'failed', height };
      const payments = logs.flatMap((log) => readPayment(log, [contractAddress]) ?? []);
      const isLikePayment = logs.some(({ topics }) => topics[0] === orderPaidTopic);
      return {
        state: 'succeeded',
        height,
        payments,
        paysOtherContract: payments.length === 0 && isLikePayment,
      };
    });
  }

  /** Reads the internal transactions, because Tron's nodes do not provide balances at earlier blocks. */
  receivedCoins({ txHash, receiver }: MinedCoins): Promise<boolean | null> {
    return this.ask(async (node) => (await node.coinReceivers(txHash))?.includes(receiver) ?? null);
  }

  balanceAtomic(account: string, token: Token): Promise<bigint> {
    return this.ask(({ reads }) => readBalance(reads, account, token.address));
  }

  /** Assumes the token with the highest energy factor, because the paid token is unknown here. */
  paymentFeeAtomic(): Promise<bigint> {
    const addresses = this.chain.tokens.flatMap(({ address }) => address ?? []);
    return this.ask(async (node) => {
      const prices = await node.prices();
      const factors = await Promise.all(addresses.map((address) => node.energyFactor(address)));
      return paymentCost(
        factors.reduce((most, factor) => (factor > most ? factor : most), 0n),
        prices,
      );
    });
  }

  private factsFor({ address }: Pick<Token, 'address'>): Promise<ChainFacts> {
    return this.ask(async (node) => {
      const [head, prices, energyFactor] = await Promise.all([
        node.reads.head(),
        node.prices(),
        address === null ? 0n : node.energyFactor(address),
      ]);
      return { head, prices, energyFactor };
    });
  }

  /** Adapts the pool for the EVM's block follower, which uses one node for a whole update. */
  private get pinned(): { pinned<T>(work: (reads: EvmReads) => Promise<T>): Promise<T> } {
    return { pinned: (work) => this.ask(({ reads }) => work(reads)) };
  }
}
