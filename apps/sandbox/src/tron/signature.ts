import { evmToTronAddress } from '@tollbridge/onchain/tron';
import { computeAddress, SigningKey } from 'ethers';
import { TronRejection } from './tron-rejection';

const signatureForm = /^[0-9a-f]{130}$/i;

/**
 * Returns the account (base58) that signed a transaction.
 * @param txId 64 digits, the signed hash
 * @param signature r, s and recovery id (0, 1, 27 or 28), 65 bytes in hex
 * @throws TronRejection for a signature without a recoverable key
 */
export function signerOf(txId: string, signature: string): string {
  if (!signatureForm.test(signature)) throw signatureError('wrong signature size');
  const recovery = Number(`0x${signature.slice(128)}`) % 27;
  if (recovery > 1) throw signatureError('Header byte out of range');
  const [r, s] = [`0x${signature.slice(0, 64)}`, `0x${signature.slice(64, 128)}`];
  try {
    const key = SigningKey.recoverPublicKey(`0x${txId}`, { r, s, v: recovery === 0 ? 27 : 28 });
    return evmToTronAddress(computeAddress(key));
  } catch {
    throw signatureError('the signature belongs to no key');
  }
}

export const signatureError = (reason: string): TronRejection =>
  new TronRejection('SIGERROR', `Validate signature error: ${reason}`);
