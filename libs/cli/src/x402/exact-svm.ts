import type { NetworkAccount } from '../pay/network-wallet';
import type { Offer } from './offers';

/** Whether an offer uses the scheme `exact` on Solana, with an account that pays the fee. */
export const isSvmExact = ({ scheme, network, extra }: Offer): boolean =>
  scheme === 'exact' && network.startsWith('solana:') && typeof extra?.['feePayer'] === 'string';

/** Creates the payload of `exact` on Solana: a signed transaction. The facilitator adds its signature. */
export async function signSvmExact(offer: Offer, account: NetworkAccount): Promise<object> {
  const { ExactSvmScheme, solanaSigner } = await import('./svm-signer');
  const scheme = new ExactSvmScheme(await solanaSigner(account), { rpcUrl: account.rpcUrl });
  return (await scheme.createPaymentPayload(2, offer as never)).payload;
}
