import { base58 } from '@scure/base';
import type { NodePool } from '@tollbridge/chain-nodes';
import type { ChainWithNodes, Token } from '@tollbridge/chains';
import { ConfigurationError } from '@tollbridge/config';
import { addressOfKey, signAsFeePayer } from '@tollbridge/onchain/solana';
import type { SolanaNode } from '@tollbridge/solana';
import { readReceivers, type FacilitatorConfig } from '../settings';
import type { SignedTransaction } from '../settlement';
import type { SolanaPayment } from './solana-authorization';

/** A chain where payments are settled. */
export interface SolanaPlace {
  /** The CAIP-2 id of the network. */
  network: string;
  chain: ChainWithNodes;
  rpc: NodePool<SolanaNode>;
  /** The tokens that are settled, by mint. */
  tokens: ReadonlyMap<string, Token>;
}

/** The account that pays the fees of settlements on Solana, with its chains, tokens and sellers. */
export class FeePayer {
  readonly #secretKey: Uint8Array;
  readonly address: string;
  readonly receivers: ReadonlySet<string>;
  readonly maxLamports: bigint;

  /** @throws ConfigurationError for a malformed key */
  constructor(
    config: FacilitatorConfig,
    readonly places: readonly SolanaPlace[],
  ) {
    const pair = base58.decode(config.FACILITATOR_SOLANA_KEY);
    this.#secretKey = pair.subarray(0, 32);
    this.address = addressOfKey(this.#secretKey);
    if (base58.encode(pair.subarray(32)) !== this.address)
      throw new ConfigurationError([
        'FACILITATOR_SOLANA_KEY is not a key pair: its last 32 bytes must be the public key of the first 32',
      ]);
    this.receivers = readReceivers(config.FACILITATOR_RECEIVERS);
    this.maxLamports = BigInt(config.FACILITATOR_SOLANA_MAX_FEE_LAMPORTS);
  }

  find(network: unknown): SolanaPlace | undefined {
    return this.places.find((place) => place.network === network);
  }

  sign({ wire, computeUnits, feeLamports }: SolanaPayment): SignedTransaction {
    const signed = signAsFeePayer(wire, this.#secretKey);
    return {
      hash: base58.encode(signed.signature),
      nonce: null,
      raw: Buffer.from(signed.wire).toString('base64'),
      gasLimit: computeUnits,
      fees: { maxFeePerGas: feeLamports, maxPriorityFeePerGas: 0n },
    };
  }
}
