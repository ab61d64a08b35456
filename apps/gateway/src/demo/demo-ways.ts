import { loadChains, type Chain, type ChainWithNodes } from '@tollbridge/chains';
import type { AcceptedWay } from '@tollbridge/paywall';
import { createHash } from 'node:crypto';

const hash = createHash('sha256').update('tollbridge sandbox: demo seller').digest('hex');
/** A TON address without a private key. */
export const demoSeller = `0:${hash}`;
const onEvm = `0x${hash.slice(0, 40)}`;
// The sandbox creates the token account of this address with its Solana network, because buyers do not create it.
const onSolana = '8GNb3m6RjiEu5tutbQ8sJv5EbrcJJBPC8kCHcSo77Nyo';
// The EIP-712 domain of the local USDC.
const domain = { name: 'USD Coin', version: '2' };

/**
 * USDC on the first EVM chain and on Solana, as far as the sandbox has these chains.
 * @param chainsFile the value of `CHAINS_FILE`; the empty string returns no payment methods
 */
export function demoWays(chainsFile: string): AcceptedWay[] {
  if (chainsFile === '') return [];
  const evm = loadChains(chainsFile, 'evm').flatMap((chain) => wayOn(chain, onEvm, domain));
  const solana = loadChains(chainsFile, 'solana').flatMap((chain) => wayOn(chain, onSolana));
  return [...evm.slice(0, 1), ...solana.slice(0, 1)];
}

function wayOn({ caip2, tokens }: ChainWithNodes, payTo: string, more: object = {}): AcceptedWay[] {
  return tokens.filter(isUsdc).map(({ symbol, decimals, address }) => ({
    scheme: 'exact',
    network: caip2,
    payTo,
    asset: { address: address!, decimals, symbol, ...more },
  }));
}

const isUsdc = ({ symbol, address }: Chain['tokens'][number]): boolean =>
  symbol === 'USDC' && address !== null;
