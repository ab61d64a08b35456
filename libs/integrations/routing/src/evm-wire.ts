// What providers of swaps on EVM chains write alike: chains by number, tokens, addresses, calls. Pure.
import { findChain, type Chain } from '@tollbridge/chains';
import { getAddress, ZeroAddress } from 'ethers';
import { RouteRejection, type RouteToken } from './cross-chain-routes';
import { textOf, UnreadableReply, type Fields } from './wire-fields';

/** The chain, where it is an EVM one of the registry. */
export function evmChainOf({ chain }: RouteToken): Chain | undefined {
  const found = findChain(chain);
  return found?.family === 'evm' ? found : undefined;
}

/** @throws RouteRejection where the chain has no number: it is no EVM one */
export function wireChain(token: RouteToken): string {
  const chainId = evmChainOf(token)?.chainId;
  if (!chainId) throw new RouteRejection('noRoute');
  return String(chainId);
}

/** The coin has no contract; the zero address stands for it. */
export function wireAddress({ address }: RouteToken): string {
  return address ?? ZeroAddress;
}

// The providers' maximum, far above any sensible slippage.
const maxSlippageBps = 5_000;

export const boundedBps = (slippageBps: number): number =>
  Math.min(Math.max(Math.trunc(slippageBps), 0), maxSlippageBps);

/** Exact: 50 basis points are `0.005`. */
export function wireSlippage(slippageBps: number): string {
  return `0.${String(boundedBps(slippageBps)).padStart(4, '0')}`.replace(/\.?0+$/, '');
}

export function addressOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || !/^0x[0-9a-f]{40}$/i.test(value))
    throw new UnreadableReply(`${name} is no address`);
  return getAddress(value.toLowerCase());
}

export function txHashOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value))
    throw new UnreadableReply(`${name} is no transaction`);
  return value.toLowerCase();
}

/** The registry's id of a chain that is given by its number. */
export function chainIdOf(fields: Fields, name: string): string {
  const value = fields[name];
  const chain = typeof value === 'number' ? findChain(`eip155:${value}`) : undefined;
  if (!chain || chain.chainId !== value) throw new UnreadableReply(`${name} is no chain that is served`);
  return chain.id;
}

// What stands for the coin, which has no contract.
const coinAddresses = new Set([ZeroAddress, '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee']);

export function tokenOf(fields: Fields): RouteToken {
  const { decimals } = fields;
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > 36)
    throw new UnreadableReply('decimals is no number of digits');
  const address = addressOf(fields, 'address');
  return {
    chain: chainIdOf(fields, 'chainId'),
    symbol: nameOf(fields, 'symbol'),
    address: coinAddresses.has(address.toLowerCase()) ? null : address,
    decimals,
  };
}

// A name stands in replies to people; no exchange and no token has a longer one.
const maxNameLength = 64;

export function nameOf(fields: Fields, name: string): string {
  const value = textOf(fields, name);
  if (value.length > maxNameLength) throw new UnreadableReply(`${name} is too long`);
  return value;
}

// Nodes take no transaction above 128 KiB.
const maxDataLength = 2 * 128 * 1024;

/** A call of a contract: a plain transfer of coin would promise nothing. */
export function callDataOf(fields: Fields, name: string): string {
  const value = fields[name];
  const isHex = typeof value === 'string' && value.length <= maxDataLength && /^0x[0-9a-f]{8,}$/i.test(value);
  if (!isHex || value.length % 2 !== 0) throw new UnreadableReply(`${name} is no call`);
  return value.toLowerCase();
}

/** A number in hex, as nodes write it. */
export function quantityOf(fields: Fields, name: string): bigint {
  const value = fields[name];
  const isHex = typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value);
  if (!isHex) throw new UnreadableReply(`${name} is no quantity`);
  return BigInt(value);
}
