import { concat, dataSlice, keccak256 } from 'ethers';
import { evmToTronAddress, tronToHexAddress } from './address';

/**
 * The address of the contract that a transaction deploys, in base58. It depends on the transaction, so each deployment
 * has another address, on each network too.
 * @param txId 64 digits
 */
export function tronContractAddress(txId: string, owner: string): string {
  const hash = keccak256(concat([`0x${txId}`, `0x${tronToHexAddress(owner)}`]));
  return evmToTronAddress(dataSlice(hash, 12));
}
