import { signCall, type RelayCall, type SignedCall } from '@tollbridge/evm';
import { Wallet } from 'ethers';

export interface RelayerOptions {
  /** Private key; null where payouts are not sent. */
  key: string | null;
  maxWeiPerGas: bigint;
  /** Undefined offers what the node suggests. */
  tipPerGas: bigint | undefined;
  approveWithinMs: number;
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

  sign(call: RelayCall, nonce: number): Promise<SignedCall> {
    return signCall(this.#active, call, nonce);
  }

  get #active(): Wallet {
    if (!this.#wallet) throw new Error('payouts are not sent in this deployment');
    return this.#wallet;
  }
}
