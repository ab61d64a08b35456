import { signCall, type RelayCall, type SignedCall } from '@tollbridge/evm';
import { Wallet } from 'ethers';

export interface RelayerOptions {
  /** Private key; null when payouts are disabled. */
  key: string | null;
  maxWeiPerGas: bigint;
  /** Undefined uses the node's suggestion. */
  tipPerGas: bigint | undefined;
  approveWithinMs: number;
}

/** The wallet that relays payouts and pays their gas. */
export class RelayerAccount {
  readonly #wallet: Wallet | null;

  constructor(
    readonly options: Omit<RelayerOptions, 'key'>,
    key: string | null,
  ) {
    this.#wallet = key === null ? null : new Wallet(key);
  }

  /** Whether payouts are enabled. */
  get isActive(): boolean {
    return this.#wallet !== null;
  }

  get address(): string {
    return this.#active.address;
  }

  sign(call: RelayCall, nonce: number): Promise<SignedCall> {
    return signCall(this.#active, call, nonce);
  }

  get #active(): Wallet {
    if (!this.#wallet) throw new Error('on-chain payouts are off in this deployment');
    return this.#wallet;
  }
}
