import type { NodePool } from '@tollbridge/chain-nodes';
import type {
  BlockRef,
  ChainAdapter,
  DepositTransfer,
  DirectOrder,
  PaidContract,
  PaymentInstructions,
  PaymentUpdate,
  ReportedTransaction,
  WalletCall,
} from '@tollbridge/chain-port';
import type { DirectChain, Token } from '@tollbridge/chains';
import { nativeCoin, recordBytes, splTokenProgram, token2022Program } from '@tollbridge/onchain/solana';
import type { SolanaNode } from '../solana-node';
import { Backlog } from './backlog';
import { blockBefore } from './block-before';
import { nextUpdate, withBlocks } from './next-update';
import {
  paymentCall,
  paymentInstructions,
  tokenAddressOf,
  toSolanaOrder,
  transferInstructions,
} from './payment-message';
import { paymentsIn, paysAnyOrder } from './read-payments';
import { SolanaTransferReader } from './solana-transfer-reader';

const signatureFee = 5_000n;
// Size of an SPL Token account. With its extensions, an associated account of Token-2022 has a few bytes more.
const tokenAccountBytes = 165;

/**
 * Direct payments on Solana, through the payment program of `libs/onchain/solana`. It is stateless except for caches.
 */
export class SolanaPaymentAdapter extends SolanaTransferReader<DirectChain> implements ChainAdapter {
  readonly noFeeReceiver = nativeCoin;
  // The program rejects a payer that is a receiver, because such a payment would have no effect.
  readonly canPayerReceive = false;
  /** The current and former programs, so that payments of older orders are still found. */
  private readonly programs: readonly string[];
  private readonly backlog = new Backlog();
  /** Owner programs of mints. They never change. */
  private readonly tokenPrograms = new Map<string, string>();

  constructor(chain: DirectChain, rpc: NodePool<SolanaNode>) {
    super(chain, rpc);
    this.programs = [chain.payContract, ...chain.formerPayContracts];
  }

  /** The duration of the required slots and of one poll that notices them. */
  get settlementMs(): number {
    return this.chain.confirmations * this.chain.blockTimeMs + this.chain.pollIntervalMs;
  }

  instructions(order: DirectOrder): PaymentInstructions {
    return { contractAddress: this.chain.payContract, tokenAddress: tokenAddressOf(order) };
  }

  /**
   * The call is valid for about a minute, the maximum age of a blockhash that the cluster accepts.
   * @throws ProviderError
   */
  async walletCall(order: DirectOrder, payer: string): Promise<WalletCall> {
    const tokenProgram = await this.tokenProgramOf(order.token);
    const instructions = paymentInstructions(
      this.chain.payContract,
      toSolanaOrder(order),
      payer,
      tokenProgram,
    );
    return paymentCall(payer, instructions, await this.rpc.ask((node) => node.recentBlockhash()));
  }

  /** Valid as long as the call of `walletCall`. @throws ProviderError */
  async transferCall(transfer: DepositTransfer, payer: string): Promise<WalletCall> {
    const instructions = transferInstructions(transfer, payer, await this.tokenProgramOf(transfer.token));
    return paymentCall(payer, instructions, await this.rpc.ask((node) => node.recentBlockhash()));
  }

  nextUpdate(known: readonly BlockRef[]): Promise<PaymentUpdate> {
    const { programs, backlog } = this;
    const { startHeight } = this.chain;
    return this.rpc.ask((node) => nextUpdate(node, known, { programs, startHeight, backlog }));
  }

  blockBefore(timeMs: number): Promise<BlockRef | undefined> {
    return this.rpc.ask((node) => blockBefore(node, timeMs, this.chain.startHeight));
  }

  readReport(txHash: string, { contractAddress }: PaidContract): Promise<ReportedTransaction> {
    return this.rpc.ask(async (node) => {
      const transaction = await node.transaction(txHash);
      if (!transaction) return { state: (await node.isKnown(txHash)) ? 'pending' : 'notFound' };
      const { slot: height, isSuccessful } = transaction;
      if (!isSuccessful) return { state: 'failed', height };
      const payments = await withBlocks(node, paymentsIn(transaction, [contractAddress]));
      const paysOtherContract = payments.length === 0 && paysAnyOrder(transaction);
      return { state: 'succeeded', height, payments, paysOtherContract };
    });
  }

  /** Adds up all token accounts of the owner. */
  balanceAtomic(account: string, { address }: Token): Promise<bigint> {
    return this.rpc.ask(async (node) => {
      if (address === null) return node.lamports(account);
      const amounts = await node.tokenAmounts(account, address);
      return amounts.reduce((sum, amount) => sum + amount, 0n);
    });
  }

  /** The cost of the signature, the record, and the token accounts of two receivers that never owned the token. */
  paymentFeeAtomic(): Promise<bigint> {
    return this.rpc.ask(async (node) => {
      const [record, tokenAccount] = await Promise.all([
        node.rent(recordBytes),
        node.rent(tokenAccountBytes),
      ]);
      return signatureFee + record + 2n * tokenAccount;
    });
  }

  /** Returns null for the coin. */
  private async tokenProgramOf({ address: mint }: Pick<Token, 'address'>): Promise<string | null> {
    if (mint === null) return null;
    const known = this.tokenPrograms.get(mint);
    if (known) return known;
    return this.rpc.ask(async (node) => {
      const owner = await node.ownerOf(mint);
      if (owner !== splTokenProgram && owner !== token2022Program)
        throw node.contradicts(`does not show ${mint} as the mint of a token`);
      this.tokenPrograms.set(mint, owner);
      return owner;
    });
  }
}
