import { mainnet, readAccount, signingKey, w5Account, type Network } from '@tollbridge/nanopay-protocol';
import type { PayingWallet } from './granting';
import { HashChain, type HashChainGrant } from './hash-chain';
import type { SessionGrant } from './session';

/** Signs payments for a wallet: its own key, the key of an agent, or a hash chain. */
export interface PaymentSigner extends PayingWallet {
  /** Set if an agent signs instead of the wallet: see `sessionSigner`. */
  grant?: SessionGrant;
  /** Set if a payment reveals a link instead of a signature: see `hashChainSigner`. */
  chain?: HashChain;
  /** Signs these 32 bytes by Ed25519. */
  sign(digest: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** @param seed 32 bytes, or 64 hexadecimal digits */
export function signerOfSeed(seed: Uint8Array | string): PaymentSigner {
  return signingKey(seedBytes(seed));
}

function seedBytes(seed: Uint8Array | string): Uint8Array {
  const bytes = typeof seed === 'string' ? Buffer.from(seed, 'hex') : seed;
  // The error must not contain the value of the seed.
  if (bytes.length !== 32) throw new TypeError('The seed has 32 bytes.');
  return bytes;
}

export function payerAddress(signer: PaymentSigner, network: Network = mainnet): string {
  if (signer.address === undefined) return w5Account(signer.publicKey, network);
  const account = readAccount(signer.address, network.globalId === -3);
  if (account === undefined) throw new TypeError(`${signer.address} is not an account of this network.`);
  return account;
}

/**
 * Creates the signer of an agent, for `createBuyer` and `TonNanopayClient`. It signs only payments that the grant
 * allows. Only the ledger service can check the remainder of the total.
 * @param seed of the agent's own key: 32 bytes, or 64 hexadecimal digits
 */
export function sessionSigner(grant: SessionGrant, seed: Uint8Array | string): PaymentSigner {
  const key = signingKey(seedBytes(seed));
  if (key.publicKey.toString('hex') !== grant.session.publicKey)
    throw new TypeError('The grant is for another key.');
  return {
    publicKey: Buffer.from(grant.walletPublicKey, 'hex'),
    address: grant.from,
    ...(grant.stateInit !== undefined && { stateInit: grant.stateInit }),
    grant,
    sign: (digest) => key.sign(digest),
  };
}

/** Creates a signer that pays by a hash chain, for `createBuyer`. Store `signer.chain.state` when you stop. */
export function hashChainSigner(grant: HashChainGrant): PaymentSigner & { chain: HashChain } {
  return {
    publicKey: Buffer.from(grant.walletPublicKey, 'hex'),
    address: grant.from,
    ...(grant.stateInit !== undefined && { stateInit: grant.stateInit }),
    chain: new HashChain(grant),
    sign: () => {
      throw new TypeError('A hash chain cannot sign.');
    },
  };
}
