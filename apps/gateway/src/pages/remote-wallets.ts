import { UnusableValue } from '@tollbridge/config';
import type { GatewayConfig } from '../config';

/** A TON wallet on another device, and the bridge over which it is reached. */
export interface TonRemoteWallet {
  name: string;
  /** Opens the wallet. */
  universalUrl: string;
  bridgeUrl: string;
}

/** Wallets on other devices, as the operator has configured them. Their servers are the only ones besides this that a page asks. */
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

// `origin` of URL is null for the schemes of sockets in some versions.
function originOf(text: string): string {
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}

/** Reads `NAME UNIVERSAL_URL BRIDGE_URL`, separated by semicolons. @throws UnusableValue */
export function readTonWallets(value: string): TonRemoteWallet[] {
  const entries = value.split(';').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map(readTonWallet);
}

function readTonWallet(entry: string): TonRemoteWallet {
  const [bridge = '', universal = '', ...name] = entry.split(/\s+/).reverse();
  const urls = [universal, bridge].map((text) => webUrl(text));
  if (name.length === 0 || urls.includes(undefined))
    throw new UnusableValue(
      'must be wallets as NAME UNIVERSAL_URL BRIDGE_URL with https URLs, separated by semicolons',
    );
  return {
    name: name.reverse().join(' '),
    universalUrl: urls[0]!,
    bridgeUrl: urls[1]!.replace(/\/+$/, ''),
  };
}

/** Goes into a policy: no character that ends a source. http only to this machine. */
function webUrl(text: string): string | undefined {
  if (!/^https?:\/\/[\w.:/[\]-]+$/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) ? text : undefined;
}
