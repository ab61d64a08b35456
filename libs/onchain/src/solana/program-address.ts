import { ed25519 } from '@noble/curves/ed25519';
import { sha256 } from '@noble/hashes/sha2';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils';
import { addressFromBytes, addressToBytes, associatedTokenProgram } from './keys';

const marker = utf8ToBytes('ProgramDerivedAddress');

export interface ProgramAddress {
  readonly address: string;
  readonly bump: number;
}

/**
 * Returns the canonical address that a program derives from these seeds, like `find_program_address` of the runtime. It
 * uses the highest bump with a hash that is not a point of the curve. No key can sign for such an address.
 */
export function findProgramAddress(seeds: readonly Uint8Array[], programId: string): ProgramAddress {
  const program = addressToBytes(programId);
  for (let bump = 255; bump >= 0; bump--) {
    const hash = sha256(concatBytes(...seeds, Uint8Array.of(bump), program, marker));
    if (!isOnCurve(hash)) return { address: addressFromBytes(hash), bump };
  }
  throw new Error('No program address exists for these seeds');
}

/** Returns the associated token account of a wallet. */
export function tokenAccountAddress(owner: string, mint: string, tokenProgram: string): string {
  const seeds = [owner, tokenProgram, mint].map(addressToBytes);
  return findProgramAddress(seeds, associatedTokenProgram).address;
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    // The runtime accepts coordinates above the field's prime, as ZIP 215 specifies.
    ed25519.Point.fromHex(bytes, true);
    return true;
  } catch {
    return false;
  }
}
