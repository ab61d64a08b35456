import { signingKey } from '@tollbridge/nanopay-protocol';
import { highloadAddress, type HighloadWallet } from '@tollbridge/ton';
import { ConfigurationError } from '@tollbridge/config';
import type { TeeConfig } from '../config';

// Validity of a message to the chain. The address of the wallet depends on it.
const timeoutS = 86_400;

/** The wallet on the chain that holds all deposits. Its key signs payouts. */
export class PayoutWallet {
  private constructor(
    readonly highload: HighloadWallet,
    /** Raw address. */
    readonly address: string,
    private readonly key: ReturnType<typeof signingKey> | undefined,
  ) {}

  /** @throws ConfigurationError if NANOPAY_CONTRACT is not the wallet of TEE_WALLET_SEED */
  static async of({ TEE_WALLET_SEED: seed, NANOPAY_CONTRACT: contract }: TeeConfig): Promise<PayoutWallet> {
    if (seed === '') return new PayoutWallet({ publicKey: Buffer.alloc(32), timeoutS }, contract, undefined);
    const key = signingKey(Buffer.from(seed, 'hex'));
    const highload = { publicKey: key.publicKey, timeoutS };
    const address = await highloadAddress(highload);
    if (address !== contract)
      throw new ConfigurationError([`NANOPAY_CONTRACT must be ${address}, the wallet of TEE_WALLET_SEED`]);
    return new PayoutWallet(highload, address, key);
  }

  /** Whether payouts are possible; false without TEE_WALLET_SEED. */
  get canPay(): boolean {
    return this.key !== undefined;
  }

  sign(hash: Uint8Array): Buffer {
    if (!this.key) throw new Error('no payout key: TEE_WALLET_SEED is not set');
    return this.key.sign(hash);
  }
}
