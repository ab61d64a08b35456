import { chains } from '../registry';
import { publishedUniswap } from './uniswap-contracts';

/** A contract that does not pay out again what is transferred to it. */
export interface KnownContract {
  readonly address: string;
  /** Completes "this is …", hence with its article. */
  readonly name: string;
}

// Deployed at one address on every EVM chain (Uniswap, Multicall3, LI.FI and Across publish them).
const everywhere: readonly KnownContract[] = [
  { address: '0x000000000022D473030F116dDEE9F6B43aC78BA3', name: 'the Permit2 contract' },
  { address: '0xcA11bde05977b3631167028862bE2a173976CA11', name: 'the Multicall3 contract' },
  { address: '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE', name: 'the LI.FI contract' },
  { address: '0x10D8b8DaA26d307489803e10477De69C0492B610', name: 'the Across periphery contract' },
  { address: '0x924a9f036260DdD5808007E1AA95f08eD08aA569', name: 'the Across multicall handler' },
  { address: '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E', name: 'the Across multicall handler' },
];

// https://docs.across.to/reference/contract-addresses
const spokePools = [
  '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5',
  '0x6f26Bf09B1C792e3228e5467807a900A503c0281',
  '0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096',
  '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A',
  '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64',
  '0x4e8E101924eDE233C13e2D8622DC8aED2872d505',
  '0x3baD7AD0728f9917d1Bf08af5782dCbD516cDd96',
  '0x82B564983aE7274c86695917BBf8C99ECb6F0F8F',
];

/**
 * Contracts of EVM chains that are the same in every deployment. An address of a contract belongs to no key on any
 * chain, so those of one chain are rejected on all of them.
 */
export function publishedEvmContracts(): KnownContract[] {
  const uniswap = Object.values(publishedUniswap).flatMap(({ factory, quoter, router, wrappedCoin }) => [
    { address: factory, name: 'the Uniswap factory' },
    { address: quoter, name: 'the Uniswap quoter' },
    { address: router, name: 'the Uniswap router' },
    { address: wrappedCoin, name: 'the token contract of the wrapped coin' },
  ]);
  const tokens = chains
    .filter(({ family }) => family === 'evm')
    .flatMap(({ name, tokens: all }) =>
      all.flatMap(({ symbol, address }) =>
        address === null ? [] : [{ address, name: `the ${symbol} token contract of ${name}` }],
      ),
    );
  return [
    ...everywhere,
    ...spokePools.map((address) => ({ address, name: 'an Across SpokePool' })),
    ...uniswap,
    ...tokens,
  ];
}
