import type { SandboxNetwork, SandboxReply } from '@tollbridge/sdk';
import { CommandError } from '../exit-codes';
import type { NetworkAccount, NetworkToken, NetworkWallet } from './network-wallet';

/** Namespaces of CAIP-2 that are spelled otherwise than their family. */
const familyOf: Readonly<Record<string, string>> = { tvm: 'ton' };

/** @param name as the API names the chain, or its CAIP-2 identifier. The sandbox has one network of a family */
export function networkOf({ networks }: SandboxReply, name: string): SandboxNetwork | undefined {
  const [namespace = ''] = name.split(':');
  return networks.find(({ family }) => family === (familyOf[namespace] ?? namespace));
}

export const payerOf = ({ accounts, rpcUrl }: SandboxNetwork): NetworkAccount => {
  const { address, privateKey } = accounts.find(({ role }) => role === 'payer')!;
  return { rpcUrl, address, privateKey };
};

/** @throws CommandError */
export function networkToken({ tokens, chain }: SandboxNetwork, symbol: string): NetworkToken {
  const token = tokens.find((each) => each.symbol === symbol);
  if (!token) throw new CommandError(`The demo payer has no ${symbol} on ${chain}.`);
  return token;
}

/** Loads what signs for the network, which the start of the program does not wait for. */
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
