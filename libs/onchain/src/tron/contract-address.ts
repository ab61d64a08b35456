import { concat, dataSlice, keccak256 } from 'ethers';
import { evmToTronAddress, tronToHexAddress } from './address';

/**
 * Returns the base58 address of the contract that a transaction deploys. The address depends on the transaction, so
 * each deployment has a new address.
 * @param txId 64 digits
 */
export function tronContractAddress(txId: string, owner: string): string {
  const hash = keccak256(concat([`0x${txId}`, `0x${tronToHexAddress(owner)}`]));
  return evmToTronAddress(dataSlice(hash, 12));
}
