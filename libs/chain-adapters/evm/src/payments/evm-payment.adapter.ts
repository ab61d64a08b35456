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

// Each range needs one eth_getLogs request and one transaction of the caller. Public nodes allow at least 2,000 blocks.
const maxRangeBlocks = 2_000;
// Gas of `pay` with two receivers that never owned the token (README of libs/onchain). `feeMargin` allows for a doubled
// base fee.
const payGasUnits = 127_000n;
const feeMargin = 2n;

/** Direct payments on an EVM chain, through the contract `TollbridgePay`. Stateless. */
export class EvmPaymentAdapter extends EvmTransferReader<DeployedChain> implements ChainAdapter {
  readonly noFeeReceiver = ZeroAddress;
  // A payer cannot be a receiver, because the contract measures the gain of its receivers and the payer loses the
  // amount.
  readonly canPayerReceive = false;
  /** The current and former contracts, so that payments of older orders are still found. */
  private readonly contracts: readonly string[];

  constructor(chain: DeployedChain, rpc: EvmRpc) {
    super(chain, rpc);
    this.contracts = [chain.payContract, ...chain.formerPayContracts];
  }

  /** The duration of the required blocks and of one poll that notices them. */
  get settlementMs(): number {
    return this.chain.confirmations * this.chain.blockTimeMs + this.chain.pollIntervalMs;
  }

  instructions({ token }: DirectOrder): PaymentInstructions {
    return { contractAddress: this.chain.payContract, tokenAddress: token.address ?? ZeroAddress };
  }

  /** Returns null, because wallets call `pay` with the order itself. */
  async walletCall(): Promise<null> {
    return null;
  }

  /** Returns null, because wallets use `transferCall` for the token or the coin. */
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

  /** Compares the balances before and after the block, because receipts do not show coins that contracts send. */
  async receivedCoins({ receiver, block }: MinedCoins): Promise<boolean | null> {
    try {
      return await this.rpc.pinned(async (reads) => {
        const before = await coinBalance(reads, receiver, block.height - 1);
        const after = await coinBalance(reads, receiver, block.height);
        const there = await reads.blockByNumber(block.height);
        if (there?.hash !== block.hash) return null;
        // Coins that left the account in the same block hide received coins.
        return after < before ? null : after > before;
      });
    } catch (error) {
      // Nodes delete old states, many of them after 128 blocks.
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
