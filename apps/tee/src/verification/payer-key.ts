import { keyOfStateInit, w5Account, type ChargeItem, type Network } from '@tollbridge/nanopay-protocol';

/** Returns the key of an account, if the public key or state-init of a payment proves it. */
export async function provenKey(
  { publicKey, stateInit }: Pick<ChargeItem, 'publicKey' | 'stateInit'>,
  from: string,
  network: Network,
): Promise<Buffer | undefined> {
  if (publicKey && w5Account(publicKey, network) === from) return publicKey;
  return stateInit && keyOfStateInit(stateInit, from);
}
