import { signingKey } from '@tollbridge/nanopay-protocol';
import { highloadAddress, type HighloadWallet } from '@tollbridge/ton';
import { ConfigurationError } from '@tollbridge/config';
import type { TeeConfig } from '../config';

// How long a message to the chain can be taken, and the wallet remembers it; part of its address.
const timeoutS = 86_400;

/** The wallet on the chain that holds what is deposited. Its key pays out only what the ledger says. */
export class EnclaveWallet {
  private constructor(
    readonly highload: HighloadWallet,
    /** Raw. */
    readonly address: string,
    private readonly key: ReturnType<typeof signingKey> | undefined,
  ) {}

  /** @throws ConfigurationError if the contract that buyers sign for is not the wallet of this key */
  static async of({ TEE_WALLET_SEED: seed, NANOPAY_CONTRACT: contract }: TeeConfig): Promise<EnclaveWallet> {
    if (seed === '') return new EnclaveWallet({ publicKey: Buffer.alloc(32), timeoutS }, contract, undefined);
    const key = signingKey(Buffer.from(seed, 'hex'));
    const highload = { publicKey: key.publicKey, timeoutS };
    const address = await highloadAddress(highload);
    if (address !== contract)
      throw new ConfigurationError([`NANOPAY_CONTRACT must be ${address}, the wallet of TEE_WALLET_SEED`]);
    return new EnclaveWallet(highload, address, key);
  }

  /** Without a key nothing can be paid out. */
  get canPay(): boolean {
    return this.key !== undefined;
  }

  sign(hash: Uint8Array): Buffer {
    if (!this.key) throw new Error('there is no key to pay out with');
    return this.key.sign(hash);
  }
}
