// The common wire format of swap providers on EVM chains: chains by number, tokens, addresses and calls. Pure.
import { findChain, type Chain } from '@tollbridge/chains';
import { UnreadableReply, readCount, readFields, readTextLike } from '@tollbridge/http';
import { getAddress, ZeroAddress } from 'ethers';
import { RouteRejection, type RouteToken } from './cross-chain-routes';
import { readPlainText } from './wire-fields';

/** Returns the chain if it is an EVM chain of the registry. */
export function evmChainOf({ chain }: RouteToken): Chain | undefined {
  const found = findChain(chain);
  return found?.family === 'evm' ? found : undefined;
}

/** @throws RouteRejection if the chain has no number and is therefore not an EVM chain */
export function wireChain(token: RouteToken): string {
  const chainId = evmChainOf(token)?.chainId;
  if (!chainId) throw new RouteRejection('noRoute');
  return String(chainId);
}

/** Returns the token's address, or the zero address for the coin, which has no contract. */
export function wireAddress({ address }: RouteToken): string {
  return address ?? ZeroAddress;
}

// The providers' maximum, far above any sensible slippage.
const maxSlippageBps = 5_000;

export const boundedBps = (slippageBps: number): number =>
  Math.min(Math.max(Math.trunc(slippageBps), 0), maxSlippageBps);

/** Converts slippage exactly: 50 basis points become `0.005`. */
export function wireSlippage(slippageBps: number): string {
  return `0.${String(boundedBps(slippageBps)).padStart(4, '0')}`.replace(/\.?0+$/, '');
}

export const readEvmAddress = (value: unknown, path: string): string =>
  getAddress(readTextLike(value, path, /^0x[0-9a-f]{40}$/i, 'an address').toLowerCase());

export const readTxHash = (value: unknown, path: string): string =>
  readTextLike(value, path, /^0x[0-9a-f]{64}$/i, 'a transaction hash').toLowerCase();

/** Returns the registry's id of a chain, given its number. */
export function readChainId(value: unknown, path: string): string {
  const chain = typeof value === 'number' ? findChain(`eip155:${value}`) : undefined;
  if (!chain || chain.chainId !== value) throw new UnreadableReply(`${path} is not a supported chain`);
  return chain.id;
}

// Addresses that providers use for the coin, which has no contract.
const coinAddresses = new Set([ZeroAddress, '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee']);

export function readToken(value: unknown, path: string): RouteToken {
  const fields = readFields(value, path);
  const address = readEvmAddress(fields['address'], `${path}.address`);
  return {
    chain: readChainId(fields['chainId'], `${path}.chainId`),
    symbol: readName(fields['symbol'], `${path}.symbol`),
    address: coinAddresses.has(address.toLowerCase()) ? null : address,
    decimals: readCount(fields['decimals'], `${path}.decimals`, 36),
  };
}

// Replies to people contain the name. Names of exchanges and tokens are shorter.
const maxNameLength = 64;

export function readName(value: unknown, path: string): string {
  const name = readPlainText(value, path);
  if (name.length > maxNameLength) throw new UnreadableReply(`${path} is too long`);
  return name;
}

// Nodes accept no transaction above 128 KiB.
const maxDataLength = 2 * 128 * 1024;

/** Parses a contract call. A plain transfer of coins would guarantee nothing in return. */
export function readCallData(value: unknown, path: string): string {
  const data = readTextLike(value, path, /^0x[0-9a-f]{8}(?:[0-9a-f]{2})*$/i, 'call data');
  if (data.length > maxDataLength) throw new UnreadableReply(`${path} is not call data: it is too long`);
  return data.toLowerCase();
}

/** Parses a hexadecimal number in the format of nodes. */
export const readQuantity = (value: unknown, path: string): bigint =>
  BigInt(readTextLike(value, path, /^0x[0-9a-f]{1,64}$/i, 'a quantity'));
