import type * as sdk from '@tollbridge/sdk';
import type { Eip1193 } from '../../../wallets/providers';

type Payout = Pick<sdk.PayoutRecord, 'wallet' | 'batches'>;

/**
 * The signatures of the batches that need one, in their order.
 * @throws Error without a wallet, or when its account is not the wallet of the payout
 */
export async function signBatches(
  { wallet, batches }: Payout,
  provider: Eip1193 | undefined,
): Promise<string[]> {
  const unsigned = batches.flatMap(({ typedData }) => (typedData ? [typedData] : []));
  if (unsigned.length === 0) return [];
  if (!provider)
    throw new Error('This browser has no wallet. Sign typedData of each batch elsewhere, and use curl.');
  const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  const account = accounts.find((it) => it.toLowerCase() === wallet.toLowerCase());
  if (!account) throw new Error(`Choose the account ${wallet} in the wallet.`);
  const signatures: string[] = [];
  for (const typedData of unsigned) {
    const params = [account, JSON.stringify(typedData)];
    signatures.push((await provider.request({ method: 'eth_signTypedData_v4', params })) as string);
  }
  return signatures;
}
