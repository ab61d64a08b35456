import type { GatewayConfig } from '../../config';
import { readTonWallets, type TonRemoteWallet } from './ton-wallets';

/**
 * Wallets on other devices, from the operator's configuration. A page sends requests only to their servers and to this
 * one.
 */
export interface RemoteWallets {
  walletConnect?: { projectId: string; relayUrl: string };
  ton?: TonRemoteWallet[];
}

export type RemoteWalletSettings = Pick<
  GatewayConfig,
  'GATEWAY_WALLETCONNECT_PROJECT_ID' | 'GATEWAY_WALLETCONNECT_RELAY_URL' | 'GATEWAY_TON_WALLETS'
>;

export function remoteWalletsOf(config: RemoteWalletSettings): RemoteWallets {
  const { GATEWAY_WALLETCONNECT_PROJECT_ID: projectId, GATEWAY_WALLETCONNECT_RELAY_URL: relayUrl } = config;
  const ton = readTonWallets(config.GATEWAY_TON_WALLETS);
  return {
    ...(projectId !== '' && { walletConnect: { projectId, relayUrl } }),
    ...(ton.length > 0 && { ton }),
  };
}

/** The sources of `connect-src`: the relay's origin, and each bridge with all paths below it. */
export function remoteSources({ walletConnect, ton = [] }: RemoteWallets): string[] {
  const relay = walletConnect ? [originOf(walletConnect.relayUrl)] : [];
  return [...new Set([...relay, ...ton.map(({ bridgeUrl }) => `${bridgeUrl}/`)])];
}

// In some versions, `origin` of URL is null for the WebSocket schemes.
function originOf(text: string): string {
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}
