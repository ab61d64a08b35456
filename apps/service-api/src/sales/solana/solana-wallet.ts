import { base58 } from '@scure/base';
import type { NodePool } from '@tollbridge/chain-nodes';
import type { ChainWithNodes, Token } from '@tollbridge/chains';
import { ConfigurationError } from '@tollbridge/config';
import { ProviderError } from '@tollbridge/http';
import type { Logger } from '@tollbridge/observability';
import { addressOfKey, splTokenProgram, tokenAccountAddress } from '@tollbridge/onchain/solana';
import type { SolanaNode } from '@tollbridge/solana';
import { DomainError } from '@tollbridge/rpc';
import { readTransfer, refundTransaction, type RefundTransfer, type SignedTransfer } from './solana-transfer';

export interface SolanaPlace {
  chain: ChainWithNodes;
  rpc: NodePool<SolanaNode>;
  /** Tokens that sales accept. */
  tokens: readonly (Token & { address: string })[];
}

// The payer's blockhash may be newer than the newest one of the queried node, which may also be behind other nodes.
const slackBlocks = 100;

/** The wallet that receives payments on Solana and signs refunds, with the nodes of the chain. */
export class SolanaWallet {
  readonly #secretKey: Uint8Array;
  readonly address: string;
  readonly network: string;
  readonly tokens: SolanaPlace['tokens'];
  private readonly reported = new Set<string>();

  /** @throws ConfigurationError for a malformed key */
  constructor(
    key: string,
    private readonly place: SolanaPlace,
    private readonly logger: Logger,
  ) {
    const pair = base58.decode(key);
    this.#secretKey = pair.subarray(0, 32);
    this.address = addressOfKey(this.#secretKey);
    if (base58.encode(pair.subarray(32)) !== this.address)
      throw new ConfigurationError(['SALES_SOLANA_KEY is not a key pair: its halves do not match']);
    this.network = place.chain.caip2;
    this.tokens = place.tokens;
  }

  /** Whether the wallet has a token account, which payers do not create. @throws ProviderError */
  async canReceive(mint: string): Promise<boolean> {
    const account = tokenAccountAddress(this.address, mint, splTokenProgram);
    const owner = await this.place.rpc.ask((node) => node.ownerOf(account));
    if (owner === splTokenProgram) return true;
    if (!this.reported.has(mint))
      this.logger.warn({ wallet: this.address, mint }, 'token account of the sales wallet missing');
    this.reported.add(mint);
    return false;
  }

  readTransfer(payload: Record<string, unknown>, mint: string): SignedTransfer | undefined {
    return readTransfer(payload.transaction, mint);
  }

  /**
   * Returns the last block height that can contain a transaction that was signed before now.
   * @throws DomainError SERVICE_UNAVAILABLE when no node answers
   */
  async lastHeight(): Promise<number> {
    const { lastValidBlockHeight } = await this.recentBlockhash();
    return lastValidBlockHeight + slackBlocks + this.place.chain.maxLagBlocks;
  }

  /** Whether a final block is above the given height; false when no node answers. */
  async isPast(height: number): Promise<boolean> {
    try {
      return (await this.place.rpc.ask((node) => node.blockHeight('finalized'))) > height;
    } catch (error) {
      if (error instanceof ProviderError) return false;
      throw error;
    }
  }

  /**
   * Returns a signed refund, with the last block height that the cluster accepts it at.
   * @throws DomainError SERVICE_UNAVAILABLE when no node answers
   */
  async signRefund(
    refund: Omit<RefundTransfer, 'wallet' | 'secretKey' | 'blockhash'>,
  ): Promise<{ transaction: string; lastHeight: number }> {
    const { blockhash, lastValidBlockHeight } = await this.recentBlockhash();
    const signer = { wallet: this.address, secretKey: this.#secretKey };
    const transaction = refundTransaction({ ...refund, ...signer, blockhash });
    return { transaction, lastHeight: lastValidBlockHeight };
  }

  private async recentBlockhash() {
    try {
      return await this.place.rpc.ask((node) => node.recentBlockhash());
    } catch (cause) {
      if (!(cause instanceof ProviderError)) throw cause;
      const message = 'Solana does not answer; nothing was paid. Send the same request again.';
      throw new DomainError('SERVICE_UNAVAILABLE', message, { cause, retryAfterSeconds: 2 });
    }
  }
}
