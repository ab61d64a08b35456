import { chains, type Chain, type KnownContract, type UniswapV3Contracts } from '../registry';

// Contracts with the same address on every EVM chain (published by Uniswap, Multicall3, LI.FI and Across).
const everywhere: readonly KnownContract[] = [
  { address: '0x000000000022D473030F116dDEE9F6B43aC78BA3', name: 'the Permit2 contract' },
  { address: '0xcA11bde05977b3631167028862bE2a173976CA11', name: 'the Multicall3 contract' },
  { address: '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE', name: 'the LI.FI contract' },
  { address: '0x10D8b8DaA26d307489803e10477De69C0492B610', name: 'the Across periphery contract' },
  { address: '0x924a9f036260DdD5808007E1AA95f08eD08aA569', name: 'the Across multicall handler' },
  { address: '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E', name: 'the Across multicall handler' },
];

/**
 * Returns contracts of EVM chains that are the same in every deployment. The address of a contract has no key on any
 * chain, so contracts of one chain are rejected on all of them.
 */
export function publishedEvmContracts(): KnownContract[] {
  return [...everywhere, ...chains.filter(({ family }) => family === 'evm').flatMap(contractsOf)];
}

function contractsOf({ name, tokens, knownContracts, publishedUniswapV3 }: Chain): KnownContract[] {
  return [
    ...knownContracts,
    ...(publishedUniswapV3 ? uniswapContracts(publishedUniswapV3) : []),
    ...tokens.flatMap(({ symbol, address }) =>
      address === null ? [] : [{ address, name: `the ${symbol} token contract of ${name}` }],
    ),
  ];
}

function uniswapContracts({ factory, quoter, router, wrappedCoin }: UniswapV3Contracts): KnownContract[] {
  return [
    { address: factory, name: 'the Uniswap factory' },
    { address: quoter, name: 'the Uniswap quoter' },
    { address: router, name: 'the Uniswap router' },
    { address: wrappedCoin, name: 'the token contract of the wrapped coin' },
  ];
}
