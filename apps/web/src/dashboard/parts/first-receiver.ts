import type { Chain } from '../api/chains';

/** The wallet of the merchant if it can receive on the chain, otherwise empty. */
export const firstReceiver = (wallet: string, chain: Chain | undefined): string =>
  wallet.startsWith('0x') === (chain?.caip2.startsWith('eip155:') ?? true) ? wallet : '';
