import { OneClick, type CrossChainRoutes } from '@tollbridge/routing';
import type { PayOrdersConfig } from '../config';

/** The provider of cross-chain routes; its `routes` are undefined when none is configured. */
export class RouteProvider {
  constructor(readonly routes: CrossChainRoutes | undefined) {}
}

export function routeProviderOf(config: PayOrdersConfig): RouteProvider {
  const { ONECLICK_URL: baseUrl, ONECLICK_API_KEY: apiKey, ONECLICK_PUBLIC_KEY: publicKey } = config;
  if (!baseUrl) return new RouteProvider(undefined);
  return new RouteProvider(new OneClick({ baseUrl, publicKey, ...(apiKey && { apiKey }) }));
}
