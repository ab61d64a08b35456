import { type AddressResult, canonicalAddress } from '../addresses';
import type { EvmChain } from '../deployments';
import type { Chain, KnownContract, Token } from '../registry';
import { publishedEvmContracts } from './published-contracts';
import { uniswapOn, uniswapPoolsOf } from './uniswap-contracts';

// Chain objects live as long as the process, so their contracts are collected once.
const contractsByChain = new WeakMap<Chain, ReadonlyMap<string, string>>();
let published: ReadonlyMap<string, string> | undefined;

// 256 addresses that rollups of the OP Stack reserve for contracts of the protocol.
const opStackPredeploy = /^0x42000000000000000000000000000000000000[0-9a-f]{2}$/i;

/** A chain of the registry, or one as it is deployed here; contracts of the latter in canonical form. */
export type PaidChain = Chain & Partial<Pick<EvmChain, 'contracts' | 'uniswapV3'>>;

/**
 * The canonical spelling of an address that will receive money, or the reason why it cannot. Works like
 * `canonicalAddress`, and also rejects contracts that never pay out what they receive: tokens, the payment and payout
 * contracts, routers, pools and bridges. Pass the chain as this deployment has it, so that its own contracts are
 * rejected too.
 */
export function receiverAddress(chain: PaidChain, text: string): AddressResult {
  const read = canonicalAddress(chain, text);
  if (!read.ok) return read;
  const name = contractAt(chain, read.address);
  if (name === undefined) return read;
  const reason = `this is ${name}, which keeps what is sent to it, so the money would be lost: give the address of a wallet`;
  return { ok: false, reason };
}

/** The name of the known contract at a canonical address. */
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
 * A coin type of Sui is its package and a path. Everywhere else a token's address is that of its contract or issuer.
 */
function tokenContract(chain: Chain, { symbol, address }: Token): KnownContract[] {
  if (address === null) return [];
  const read = canonicalAddress(chain, address.split('::')[0]!);
  const what = chain.family === 'stellar' ? 'issuer account' : 'token contract';
  return read.ok ? [{ address: read.address, name: `the ${symbol} ${what} of ${chain.name}` }] : [];
}

/** The pools of Uniswap between the tokens of a chain. */
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
