import { UnusableValue } from '@tollbridge/config';

/** A TON wallet on another device, and the bridge that connects to it. */
export interface TonRemoteWallet {
  name: string;
  /** Opens the wallet. */
  universalUrl: string;
  bridgeUrl: string;
}

/** Parses a list of `NAME UNIVERSAL_URL BRIDGE_URL`, separated by semicolons. @throws UnusableValue */
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

/**
 * The URL goes into a policy, so it must not contain characters that end a source. http is allowed for this machine
 * only.
 */
function webUrl(text: string): string | undefined {
  if (!/^https?:\/\/[\w.:/[\]-]+$/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) ? text : undefined;
}
