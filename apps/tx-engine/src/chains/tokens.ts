import type { TokenRef } from '@tollbridge/contracts';
import type { FieldError } from '@tollbridge/rpc';
import { RpcError } from '@tollbridge/evm';
import type { RouteToken } from '@tollbridge/routing';
import { getAddress, toUtf8String, ZeroAddress } from 'ethers';
import { LRUCache } from 'lru-cache';
import { erc20 } from './erc20';
import type { EvmChains } from './evm-chains';

/** Many interfaces use this address for the native coin. */
const coinAlias = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
// With more decimals, one whole token may not fit into 256 bits.
const maxDecimals = 36;
// An entry has several hundred bytes.
const maxCachedTokens = 10_000;
const maxSymbolLength = 32;

/** The configured tokens, and any other token with decimals in its contract. */
export class Tokens {
  private readonly cache = new LRUCache<string, RouteToken>({ max: maxCachedTokens });

  constructor(private readonly chains: EvmChains) {}

  /** Returns the token, or the field errors of `ref`. @throws RpcError if the node fails */
  async find(ref: TokenRef, field: string): Promise<RouteToken | FieldError[]> {
    const { chainId, address, decimals } = ref;
    if (!this.chains.has(chainId))
      return [{ field: `${field}.chainId`, message: 'is not a chain that swaps are offered on' }];
    const checked = canonical(address);
    if (checked === undefined) return [{ field: `${field}.address`, message: badAddress }];
    const token = checked === null ? this.chains.coin(chainId) : await this.contract(chainId, checked);
    if (!token) return [{ field: `${field}.address`, message: `is not a token on chain ${chainId}` }];
    if (decimals !== undefined && decimals !== token.decimals)
      return [{ field: `${field}.decimals`, message: `must be ${token.decimals}, as on the chain` }];
    return token;
  }

  private async contract(chainId: number, address: string): Promise<RouteToken | undefined> {
    const { id, tokens } = this.chains.chain(chainId);
    const known = tokens.find((token) => token.address?.toLowerCase() === address.toLowerCase());
    if (known) return { chain: id, symbol: known.symbol, address, decimals: known.decimals };
    const key = `${chainId}:${address}`;
    const cached = this.cache.get(key);
    if (cached) return cached;
    const read = await this.read(chainId, address);
    if (!read) return undefined;
    const token = { chain: id, address, ...read };
    this.cache.set(key, token);
    return token;
  }

  /** Returns undefined for a contract without decimals, which are never guessed. */
  private async read(
    chainId: number,
    address: string,
  ): Promise<{ decimals: number; symbol: string } | undefined> {
    const rpc = this.chains.rpc(chainId);
    const ask = async (name: string) => {
      try {
        return await rpc.ethCall({ to: address, data: erc20.encodeFunctionData(name) });
      } catch (error) {
        // The call reverts, or the address has no contract.
        if (error instanceof RpcError && error.kind === 'rejected') return '0x';
        throw error;
      }
    };
    const [decimals, symbol] = await Promise.all([ask('decimals'), ask('symbol')]);
    if (decimals.length !== 66 || BigInt(decimals) > BigInt(maxDecimals)) return undefined;
    return { decimals: Number(BigInt(decimals)), symbol: readSymbol(symbol) };
  }
}

export const badAddress = 'is not a usable address, or its checksum is wrong';

/** Returns the checksummed address, null for the native coin, undefined for an invalid address. */
export function canonical(address: string): string | null | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return undefined;
  if (address === ZeroAddress || address.toLowerCase() === coinAlias) return null;
  try {
    return getAddress(address);
  } catch {
    return undefined;
  }
}

/** Decodes a string symbol, or the bytes32 symbol of older tokens. For display only, never compared. */
function readSymbol(hex: string): string {
  try {
    const text =
      hex.length === 66
        ? toUtf8String(hex.replace(/(00)+$/, ''))
        : String(erc20.decodeFunctionResult('symbol', hex)[0]);
    // Invisible and bidirectional characters could make one token look like another.
    const visible = text.replace(/[\p{Other}\p{Line_Separator}\p{Paragraph_Separator}]/gu, '').trim();
    return [...visible].slice(0, maxSymbolLength).join('') || 'unknown';
  } catch {
    return 'unknown';
  }
}
