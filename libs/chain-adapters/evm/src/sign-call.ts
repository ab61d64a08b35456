import { Transaction, type BaseWallet } from 'ethers';
import type { RelayFees } from './relay-fees';

/** A transaction of an operator's account. */
export interface RelayCall {
  chainId: number;
  to: string;
  data: string;
  /** Wei to send with the call. None if absent. */
  valueAtomic?: bigint;
  gasLimit: bigint;
  fees: RelayFees;
  /** True on a chain without EIP-1559. */
  isLegacy: boolean;
}

/** A signed transaction. Store it before it is sent. */
export interface SignedCall {
  hash: string;
  nonce: number;
  raw: string;
  gasLimit: bigint;
  fees: RelayFees;
}

/**
 * Signs a call with a nonce. It uses no external service, so it can run in the database transaction that reserves the
 * nonce.
 */
export async function signCall(
  wallet: Pick<BaseWallet, 'signTransaction'>,
  { chainId, to, data, valueAtomic = 0n, gasLimit, fees, isLegacy }: RelayCall,
  nonce: number,
): Promise<SignedCall> {
  const price = isLegacy
    ? { type: 0, gasPrice: fees.maxFeePerGas }
    : { type: 2, maxFeePerGas: fees.maxFeePerGas, maxPriorityFeePerGas: fees.maxPriorityFeePerGas };
  const call = { ...price, chainId, to, data, value: valueAtomic, gasLimit, nonce };
  const raw = await wallet.signTransaction(call);
  return { hash: Transaction.from(raw).hash!, nonce, raw, gasLimit, fees };
}
