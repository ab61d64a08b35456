import { UnusableValue } from '@tollbridge/config';

/** A TON wallet on another device, and the bridge that reaches it. */
export interface TonRemoteWallet {
  name: string;
  /** Opens the wallet. */
  universalUrl: string;
  bridgeUrl: string;
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
