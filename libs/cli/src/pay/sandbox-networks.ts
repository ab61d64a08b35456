import type { SandboxNetwork, SandboxReply } from '@tollbridge/sdk';
import { CommandError } from '../exit-codes';
import type { NetworkAccount, NetworkToken, NetworkWallet } from './network-wallet';

/** CAIP-2 namespaces that differ from the name of their family. */
const familyOf: Readonly<Record<string, string>> = { tvm: 'ton' };

/** @param name chain name of the API, or CAIP-2 identifier; the sandbox has one network per family */
export function networkOf({ networks }: SandboxReply, name: string): SandboxNetwork | undefined {
  const [namespace = ''] = name.split(':');
  return networks.find(({ family }) => family === (familyOf[namespace] ?? namespace));
}

export const payerOf = ({ accounts, rpcUrl }: SandboxNetwork): NetworkAccount => {
  const { address, privateKey } = accounts.find(({ role }) => role === 'payer')!;
  return { rpcUrl, address, privateKey };
};

/** Returns a token of a network. @throws CommandError */
export function networkToken({ tokens, chain }: SandboxNetwork, symbol: string): NetworkToken {
  const token = tokens.find((each) => each.symbol === symbol);
  if (!token) throw new CommandError(`The demo payer has no ${symbol} on ${chain}.`);
  return token;
}

/** Loads the signing code of a network at the first use, so that the program starts faster. */
export async function openWallet(network: SandboxNetwork): Promise<NetworkWallet> {
  const account = payerOf(network);
  switch (network.family) {
    case 'solana':
      return (await import('./solana-wallet')).openSolanaWallet(account);
    case 'ton':
      return (await import('./ton-wallet')).openTonWallet(account);
    case 'tron':
      return (await import('./tron-wallet')).openTronWallet(account);
    case 'sui':
      return (await import('./sui-wallet')).openSuiWallet(account);
    default:
      throw new CommandError(`This version does not pay on ${network.chain}.`, 1, 'Update tollbridge.');
  }
}
