import type {
  BlockRef,
  ChainAdapter,
  DirectOrder,
  MinedCoins,
  PaidContract,
  PaymentInstructions,
  PaymentUpdate,
  ReportedTransaction,
} from '@tollbridge/chain-port';
import type { DeployedChain, Token } from '@tollbridge/chains';
import { ZeroAddress } from 'ethers';
import { coinBalance, tokenBalance } from '../account-reads';
import { nextUpdate } from '../block-follower';
import { newestBefore } from '../block-by-time';
import type { BlockRef as EvmBlock } from '../evm-types';
import { readGasPrice } from '../gas-price';
import { RpcError } from '../rpc-error';
import type { EvmRpc } from '../rpc-pool';
import { EvmTransferReader } from './evm-transfer-reader';
import { orderPaidTopic, readPayment } from './order-paid';

// One eth_getLogs and one transaction of the caller per range; public nodes allow 2,000 blocks and more.
const maxRangeBlocks = 2_000;
// `pay` with two receivers that never held the token (README of libs/onchain), and room for a base fee that doubles.
const payGasUnits = 127_000n;
const feeMargin = 2n;

/** Direct payments on an EVM chain, through the contract `TollbridgePay`. Stateless. */
export class EvmPaymentAdapter extends EvmTransferReader<DeployedChain> implements ChainAdapter {
  readonly noFeeReceiver = ZeroAddress;
  // The contract measures what its receivers gain, and a payer loses what it pays.
  readonly canPayerReceive = false;
  /** Payments of older orders are still found on former contracts. */
  private readonly contracts: readonly string[];

  constructor(chain: DeployedChain, rpc: EvmRpc) {
    super(chain, rpc);
    this.contracts = [chain.payContract, ...chain.formerPayContracts];
  }

  /** The required blocks, and one poll to notice them. */
  get settlementMs(): number {
    return this.chain.confirmations * this.chain.blockTimeMs + this.chain.pollIntervalMs;
  }

  instructions({ token }: DirectOrder): PaymentInstructions {
    return { contractAddress: this.chain.payContract, tokenAddress: token.address ?? ZeroAddress };
  }

  /** Wallets call `pay` with the order itself. */
  async walletCall(): Promise<null> {
    return null;
  }

  /** Wallets take `transferCall` of the token or the coin. */
  async transferCall(): Promise<null> {
    return null;
  }

  async nextUpdate(known: readonly BlockRef[], window: number): Promise<PaymentUpdate> {
    const update = await nextUpdate(this.rpc, known.map(toEvmBlock), {
      address: [...this.contracts],
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
    const block = await newestBefore(this.rpc, timeMs / 1_000, this.chain.startHeight);
    return block && toBlockRef(block);
  }

  async readReport(txHash: string, { contractAddress }: PaidContract): Promise<ReportedTransaction> {
    const receipt = await this.rpc.receipt(txHash);
    if (!receipt) {
      const isKnown = (await this.rpc.transaction(txHash)) !== null;
      return { state: isKnown ? 'pending' : 'notFound' };
    }
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
  }

  /** Compares the balances before and after the block: receipts do not show coins that contracts send. */
  async receivedCoins({ receiver, block }: MinedCoins): Promise<boolean | null> {
    try {
      return await this.rpc.pinned(async (reads) => {
        const before = await coinBalance(reads, receiver, block.height - 1);
        const after = await coinBalance(reads, receiver, block.height);
        const there = await reads.blockByNumber(block.height);
        if (there?.hash !== block.hash) return null;
        // Coins that left the account in the same block hide those that arrived.
        return after < before ? null : after > before;
      });
    } catch (error) {
      // Nodes forget the states of blocks, many after 128 blocks.
      if (error instanceof RpcError && error.kind === 'rejected') return null;
      throw error;
    }
  }

  balanceAtomic(account: string, token: Token): Promise<bigint> {
    return tokenBalance(this.rpc, account, token.address, 'latest');
  }

  async paymentFeeAtomic(): Promise<bigint> {
    const { baseFeePerGas, tipPerGas } = await readGasPrice(this.rpc);
    return payGasUnits * ((baseFeePerGas ?? 0n) * feeMargin + tipPerGas);
  }
}

const toBlockRef = ({ timestamp, ...block }: EvmBlock): BlockRef => ({ ...block, timeMs: timestamp * 1_000 });

const toEvmBlock = ({ timeMs, ...block }: BlockRef): EvmBlock => ({ ...block, timestamp: timeMs / 1_000 });
