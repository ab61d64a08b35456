import { type AddressResult, canonicalAddress } from '../addresses';
import type { EvmChain } from '../deployments';
import type { Chain, KnownContract, Token } from '../registry';
import { publishedEvmContracts } from './published-contracts';
import { uniswapOn, uniswapPoolsOf } from './uniswap-contracts';

// Chain objects live as long as the process, so their contracts are collected only once.
const contractsByChain = new WeakMap<Chain, ReadonlyMap<string, string>>();
let published: ReadonlyMap<string, string> | undefined;

// 256 addresses that OP Stack rollups reserve for protocol contracts.
const opStackPredeploy = /^0x42000000000000000000000000000000000000[0-9a-f]{2}$/i;

/** A chain of the registry, or a chain of this deployment with its contracts in canonical form. */
export type PaidChain = Chain & Partial<Pick<EvmChain, 'contracts' | 'uniswapV3'>>;

/**
 * Returns the canonical form of an address that will receive money, or the reason why it cannot. Like
 * `canonicalAddress`, but also rejects contracts that never pay out received money: tokens, the payment and payout
 * contracts, routers, pools and bridges. Pass the chain of this deployment, so that its own contracts are rejected too.
 */
export function receiverAddress(chain: PaidChain, text: string): AddressResult {
  const read = canonicalAddress(chain, text);
  if (!read.ok) return read;
  const name = contractAt(chain, read.address);
  if (name === undefined) return read;
  const reason = `this is ${name}, which keeps what is sent to it, so the money would be lost: give the address of a wallet`;
  return { ok: false, reason };
}

/** Returns the name of the known contract at a canonical address. */
function contractAt(chain: PaidChain, address: string): string | undefined {
  const own = contractsOf(chain).get(address);
  if (own !== undefined || chain.family !== 'evm') return own;
  published ??= byAddress(publishedEvmContracts());
  const isPredeploy = opStackPredeploy.test(address);
  return published.get(address) ?? (isPredeploy ? 'a contract of the protocol' : undefined);
}

function contractsOf(chain: PaidChain): ReadonlyMap<string, string> {
  const known = contractsByChain.get(chain);
  if (known) return known;
  const tokens = chain.tokens.flatMap((token) => tokenContract(chain, token));
  const map = byAddress([...poolsOf(chain), ...(chain.contracts ?? []), ...tokens]);
  contractsByChain.set(chain, map);
  return map;
}

const byAddress = (contracts: readonly KnownContract[]): Map<string, string> =>
  new Map(contracts.map(({ address, name }) => [address, name]));

/**
 * Returns the contract of a token. A Sui coin type consists of its package and a path. On other chains a token's
 * address is its contract or issuer.
 */
function tokenContract(chain: Chain, { symbol, address }: Token): KnownContract[] {
  if (address === null) return [];
  const read = canonicalAddress(chain, address.split('::')[0]!);
  const what = chain.family === 'stellar' ? 'issuer account' : 'token contract';
  return read.ok ? [{ address: read.address, name: `the ${symbol} ${what} of ${chain.name}` }] : [];
}

/** Returns the Uniswap pools of a chain's tokens. */
function poolsOf(chain: PaidChain): KnownContract[] {
  const contracts = uniswapOn(chain);
  if (!contracts) return [];
  const tokens = [
    ...new Set([contracts.wrappedCoin, ...chain.tokens.flatMap(({ address }) => address ?? [])]),
  ];
  return tokens.flatMap((one, at) =>
    tokens
      .slice(at + 1)
      .flatMap((other) => uniswapPoolsOf(contracts.factory, one, other))
      .map((address) => ({ address, name: 'a Uniswap pool' })),
  );
}
