import { hashMessage, recoverAddress, Signature } from 'ethers';
import type { ContractWallets } from './contract-wallets';
import { provenByKey, rejected, type ProofVerdict } from './verdict';

export interface EvmProof {
  /** Address with its EIP-55 checksum. */
  wallet: string;
  chainId: number;
  message: string;
  /** Hexadecimal with whole bytes. */
  signature: string;
}

export interface EvmDigestProof extends Omit<EvmProof, 'message'> {
  /** The signed digest, such as the hash of typed data. */
  digest: string;
}

const halfOfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const ordinaryForm = /^0x([0-9a-f]{128}|[0-9a-f]{128}(00|01|1b|1c))$/i;

/**
 * Verifies a signature. A signature by the key of the address is valid even if the address has code. The key can
 * replace that code (EIP-7702). Any other wallet is a contract, which verifies the signature on the chain of the
 * challenge.
 */
export function checkEvmProof(proof: EvmProof, contracts: ContractWallets): Promise<ProofVerdict> {
  const { message, ...rest } = proof;
  return checkEvmDigest({ ...rest, digest: hashMessage(message) }, contracts);
}

/** Verifies a signature of a digest, like `checkEvmProof`. */
export async function checkEvmDigest(
  { wallet, chainId, digest, signature }: EvmDigestProof,
  contracts: ContractWallets,
): Promise<ProofVerdict> {
  if (signerOf(digest, signature) === wallet) return provenByKey;
  if (!contracts.knows(chainId)) return rejected('chain_without_node');
  const isAccepted = await contracts.accepts({ wallet, chainId, digest, signature });
  return isAccepted ? { ok: true, isContract: true } : rejected('wrong_signature');
}

/**
 * Recovers the signer from 65 bytes that end with 27, 28, 0 or 1, or from the 64 bytes of EIP-2098. Like the chain, it
 * rejects the upper half of `s` (EIP-2).
 */
function signerOf(digest: string, signature: string): string | undefined {
  if (!ordinaryForm.test(signature)) return undefined;
  try {
    const read = Signature.from(signature);
    return BigInt(read.s) <= halfOfOrder ? recoverAddress(digest, read) : undefined;
  } catch {
    return undefined;
  }
}
