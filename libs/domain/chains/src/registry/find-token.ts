import { tonFormat } from '../addresses/ton';
import type { Chain, ChainFamily, Token } from './chain';

// The longest token name is a Sui coin type.
const maxTokenNameLength = 256;

// Placeholders for the native coin in EVM routers and wallets.
const evmNativePlaceholders = [
  '0x0000000000000000000000000000000000000000',
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
];

// Built at the first use of a chain. Chains are frozen, so an index never becomes stale.
const indexes = new WeakMap<Chain, ReadonlyMap<string, Token>>();

/**
 * Finds a token of a chain by one of its symbols (case-insensitive), or by its address in any spelling. On EVM chains
 * the zero address and 0xEeee…EEeE find the native coin.
 */
export function findToken(chain: Chain, symbolOrAddress: string): Token | undefined {
  if (symbolOrAddress.length > maxTokenNameLength) {
    return undefined;
  }
  const index = indexes.get(chain) ?? buildIndex(chain);
  return (
    index.get(symbolKey(symbolOrAddress)) ??
    index.get(addressKey(chain.family, chain.isTestnet, symbolOrAddress))
  );
}

function buildIndex(chain: Chain): ReadonlyMap<string, Token> {
  const index = new Map<string, Token>();
  for (const token of chain.tokens) {
    for (const symbol of [token.symbol, ...(token.otherSymbols ?? [])]) index.set(symbolKey(symbol), token);
    for (const address of spellings(chain, token)) {
      index.set(addressKey(chain.family, chain.isTestnet, address), token);
    }
  }
  indexes.set(chain, index);
  return index;
}

function spellings(chain: Chain, token: Token): readonly string[] {
  if (token.address === null) {
    return chain.family === 'evm' ? evmNativePlaceholders : [];
  }
  if (chain.family === 'stellar') {
    return [token.address, `${token.symbol}:${token.address}`, `${token.symbol}-${token.address}`];
  }
  return [token.address];
}

// The prefixes separate symbols from addresses, because a NEAR account name may equal a symbol.
function symbolKey(symbol: string): string {
  return `symbol ${symbol.toUpperCase()}`;
}

function addressKey(family: ChainFamily, isTestnet: boolean, address: string): string {
  return `address ${addressSpelling(family, isTestnet, address)}`;
}

/** Normalises an address. Faster than `canonicalAddress`, because it does not verify checksums. */
function addressSpelling(family: ChainFamily, isTestnet: boolean, address: string): string {
  switch (family) {
    case 'evm':
      return address.toLowerCase();
    case 'starknet':
    case 'aptos':
      return paddedHex(address);
    case 'sui': {
      const [account = '', ...path] = address.split('::');
      return [paddedHex(account), ...path].join('::');
    }
    case 'ton': {
      const read = tonFormat.looksLike.test(address) ? tonFormat.read(address, isTestnet) : undefined;
      return read?.ok ? read.address : address;
    }
    case 'solana':
    case 'tron':
    case 'utxo':
    case 'near':
    case 'stellar':
    case 'cardano':
    case 'aleo':
    case 'xrp':
      return address;
  }
}

function paddedHex(text: string): string {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text) ? `0x${text.slice(2).toLowerCase().padStart(64, '0')}` : text;
}
