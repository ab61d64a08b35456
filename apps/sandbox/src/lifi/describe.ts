import { pricedAs } from '../across/plan-swap';
import { wireAddress, type Market, type MarketToken } from '../markets/market';
import { usdText } from '../oneclick/quote-maths';
import type { Price } from '../prices/price-table';
import { keyOf } from './read-quote-request';
import type { ToolDetails, WireToken } from './wire';

export type Prices = ReadonlyMap<string, Price>;

export const exchange: ToolDetails = { key: 'uniswap', name: 'Uniswap', logoURI: '' };
export const bridge: ToolDetails = { key: 'across', name: 'Across', logoURI: '' };

export function wireToken(token: MarketToken, prices: Prices): WireToken {
  const { symbol, decimals, chain } = token;
  return {
    address: wireAddress(token),
    chainId: chain.chainId!,
    symbol,
    decimals,
    name: symbol,
    coinKey: symbol,
    priceUSD: pricedAs(token, prices).usd,
  };
}

export const inUsd = (amountAtomic: bigint, token: MarketToken, prices: Prices): string =>
  usdText(amountAtomic, pricedAs(token, prices));

export const linkOf = ({ chain }: Market, txHash: string): string =>
  chain.explorerTxUrl.replace('{tx}', txHash);

export function describeChain({ chain, chainId, coin }: Market, prices: Prices): object {
  const { name, logo, isTestnet, nativeSymbol, explorerTxUrl } = chain;
  return {
    key: keyOf(chainId),
    chainType: 'EVM',
    name,
    coin: nativeSymbol,
    id: chainId,
    mainnet: !isTestnet,
    logoURI: logo,
    metamask: {
      chainId: `0x${chainId.toString(16)}`,
      blockExplorerUrls: [new URL(explorerTxUrl.replace('{tx}', '')).origin],
      chainName: name,
      nativeCurrency: { name: nativeSymbol, symbol: nativeSymbol, decimals: coin.decimals },
      rpcUrls: [],
    },
    nativeToken: wireToken(coin, prices),
  };
}
