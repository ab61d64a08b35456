import { Transaction, Wallet } from 'ethers';
import type { NewRelay } from './relays.repository';
import type { RelayFees } from './relay-fees';

export interface RelayerOptions {
  /** Private key; null where payouts are not sent. */
  key: string | null;
  maxWeiPerGas: bigint;
  /** Undefined offers what the node suggests. */
  tipPerGas: bigint | undefined;
  approveWithinMs: number;
}

export interface RelayCall {
  chainId: number;
  to: string;
  data: string;
  gasLimit: bigint;
  fees: RelayFees;
  /** On a chain from before EIP-1559. */
  isLegacy: boolean;
}

/** The wallet that sends payouts and pays for their gas. */
export class RelayerAccount {
  readonly #wallet: Wallet | null;

  constructor(
    readonly options: Omit<RelayerOptions, 'key'>,
    key: string | null,
  ) {
    this.#wallet = key === null ? null : new Wallet(key);
  }

  /** Whether payouts are sent at all. */
  get isActive(): boolean {
    return this.#wallet !== null;
  }

  get address(): string {
    return this.#active.address;
  }

  async sign({ chainId, to, data, gasLimit, fees, isLegacy }: RelayCall, nonce: number): Promise<NewRelay> {
    const price = isLegacy
      ? { type: 0, gasPrice: fees.maxFeePerGas }
      : { type: 2, maxFeePerGas: fees.maxFeePerGas, maxPriorityFeePerGas: fees.maxPriorityFeePerGas };
    const raw = await this.#active.signTransaction({ ...price, chainId, to, data, gasLimit, nonce });
    return { hash: Transaction.from(raw).hash!, nonce, raw, gasLimit, fees };
  }

  get #active(): Wallet {
    if (!this.#wallet) throw new Error('payouts are not sent in this deployment');
    return this.#wallet;
  }
}
