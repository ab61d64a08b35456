import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  loadChains,
  loadDeployments,
  loadDirectChains,
  loadEvmChains,
  loadExplorers,
  type DeploymentEntry,
} from './deployments';

const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const former = '0x85aB07d9f02813D73ECE388c96719cB985A2aAF9';
const entry: DeploymentEntry = { chain: 'base', rpcUrls: ['http://127.0.0.1:8545'], payContract: contract };
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-deployments-'));
const path = join(folder, 'chains.json');

afterAll(() => rmSync(folder, { recursive: true }));

function load(content: unknown) {
  writeFileSync(path, JSON.stringify(content));
  return loadDeployments(path);
}

it('reads a chain and fills in the defaults of the registry', () => {
  expect(load({ chains: [entry] })).toMatchObject([
    {
      id: 'eip155:8453',
      chainId: 8453,
      payContract: contract,
      formerPayContracts: [],
      startHeight: 0,
      pollIntervalMs: 2_000,
      maxLagBlocks: 30,
      rpcUrls: ['http://127.0.0.1:8545'],
    },
  ]);
});

it('reads explorers that the file sets or removes, for chains of every family', () => {
  const ton = { chain: 'ton', rpcUrls: ['http://127.0.0.1:8081'], explorerTxUrl: null };
  const explorerTxUrl = 'https://explorer.example/#/tx/{tx}';
  const polygon = { chain: 'polygon', rpcUrls: entry.rpcUrls };
  writeFileSync(path, JSON.stringify({ chains: [{ ...entry, explorerTxUrl }, ton, polygon] }));
  expect([...loadExplorers(path)]).toEqual([
    ['eip155:8453', explorerTxUrl],
    ['ton', null],
  ]);
});

it.each(['https://explorer.example/', 'javascript:alert({tx})', 'https://e.example/{tx}/{tx}', 17])(
  'rejects the explorer %s',
  (explorerTxUrl) => {
    expect(() => load({ chains: [{ ...entry, explorerTxUrl }] })).toThrow('explorerTxUrl must be an http');
  },
);

it('polls an EVM chain once per block by default, also on slow chains', () => {
  const [chain] = load({ chains: [{ ...entry, chain: 'eip155:1' }] });
  expect(chain).toMatchObject({ blockTimeMs: 12_000, pollIntervalMs: 12_000 });
});

it('prefers given values to defaults, and returns checksummed addresses', () => {
  const tokens = [{ symbol: 'USDC', address: former.toLowerCase(), decimals: 6 }];
  const given = { startHeight: 7, confirmations: 1, pollIntervalMs: 10, maxLagBlocks: 0 };
  const [chain] = load({
    chains: [{ ...entry, ...given, tokens, formerPayContracts: [former.toLowerCase()] }],
  });
  expect(chain).toMatchObject({ ...given, formerPayContracts: [former] });
  expect(chain!.tokens).toMatchObject([{ symbol: 'USDC', address: former, decimals: 6, name: 'USD Coin' }]);
});

it.each([
  ['a chain without direct payments', { chain: 'btc' }, 'chain must be a direct chain or an EVM chain'],
  [
    'a payment contract on a chain without direct payments',
    { chain: 'gnosis' },
    'payContract is only for direct chains',
  ],
  [
    'a Uniswap deployment without a router',
    { uniswapV3: { factory: contract, quoter: contract, wrappedCoin: contract } },
    'uniswapV3 must have the addresses',
  ],
  ['an empty list of nodes', { rpcUrls: [] }, 'rpcUrls must be a list'],
  ['a node that is not a URL', { rpcUrls: ['base'] }, 'rpcUrls must be a list'],
  ['a contract that is not an address', { payContract: '0x12' }, 'payContract must be an address'],
  [
    'former contracts that are not a list',
    { formerPayContracts: contract },
    'formerPayContracts must be a list',
  ],
  [
    'a former contract that is not an address',
    { formerPayContracts: ['0x1'] },
    'formerPayContracts must be a list',
  ],
  ['no confirmation', { confirmations: 0 }, 'confirmations must be a whole number from 1'],
  ['no pause', { pollIntervalMs: 0 }, 'pollIntervalMs must be a whole number from 10'],
  ['a height below zero', { startHeight: -1 }, 'startHeight must be a whole number from 0'],
  ['a fraction', { maxLagBlocks: 1.5 }, 'maxLagBlocks must be a whole number from 0'],
  ['a token without decimals', { tokens: [{ symbol: 'X', address: null }] }, 'tokens: X needs symbol'],
])('rejects %s', (_name, changes, problem) => {
  expect(() => load({ chains: [{ ...entry, ...changes }] })).toThrow(`chains[0] ${problem}`);
});

it('reports all errors at once', () => {
  const wrong = { ...entry, chain: 'moon', rpcUrls: [], payContract: '' };
  expect(() => load({ chains: [entry, wrong] })).toThrow(/chains\[1\] chain .*; .*rpcUrls .*; .*payContract/);
});

it('rejects a file without a list', () => {
  expect(() => load({})).toThrow('has no list "chains"');
});

it('distinguishes chains with nodes from chains with direct payments', () => {
  const contracts = { factory: former, quoter: former, router: former, wrappedCoin: former.toLowerCase() };
  const chains = [entry, { chain: 'gnosis', rpcUrls: ['http://127.0.0.1:8546'], uniswapV3: contracts }];
  expect(load({ chains }).map(({ id }) => id)).toEqual(['eip155:8453']);
  expect(loadEvmChains(path)).toMatchObject([
    { id: 'eip155:8453', uniswapV3: null },
    { id: 'gnosis', chainId: 100, uniswapV3: { ...contracts, wrappedCoin: former } },
  ]);
});

describe('chains of other families', () => {
  const onTon = {
    chain: 'ton',
    rpcUrls: ['http://127.0.0.1:8081/api/v2/jsonRPC'],
    payContract: 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
  };
  const onSui = {
    chain: 'sui',
    rpcUrls: ['http://127.0.0.1:9000'],
    payContract: `0x${'AB'.repeat(32)}`,
    payRegistry: { id: `0x${'EF'.repeat(32)}`, version: 7 },
    tokens: [{ symbol: 'USDC', address: `0x${'cd'.repeat(32)}::usdc::USDC`, decimals: 6 }],
  };
  const loadDirect = (family: 'ton' | 'sui', ...entries: object[]) => {
    writeFileSync(path, JSON.stringify({ chains: entries }));
    return loadDirectChains(path, family);
  };

  it('reads the chains of one family, with canonical addresses', () => {
    expect(loadDirect('ton', entry, onTon, onSui)).toMatchObject([
      { id: 'ton', payContract: 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA', confirmations: 1 },
    ]);
    expect(loadDirect('sui', entry, onTon, onSui)).toMatchObject([
      {
        id: 'sui',
        payContract: `0x${'ab'.repeat(32)}`,
        payRegistry: { id: `0x${'ef'.repeat(32)}`, version: 7 },
        tokens: onSui.tokens,
      },
    ]);
    expect(loadDeployments(path)).toMatchObject([{ id: 'eip155:8453' }]);
  });

  it('loadChains reads a chain without a payment contract', () => {
    const { payContract: _payContract, ...nodes } = onTon;
    expect(loadDirect('ton', nodes)).toEqual([]);
    expect(loadChains(path, 'ton')).toMatchObject([{ id: 'ton', rpcUrls: onTon.rpcUrls }]);
  });

  it.each([
    ['a contract of another chain', { payContract: contract }, 'payContract must be an address'],
    ['a payout contract', { payoutContract: onTon.payContract }, 'payoutContract is only for EVM chains'],
    [
      'a token with an invalid address',
      { tokens: [{ symbol: 'X', address: 'X', decimals: 6 }] },
      'tokens: X needs symbol',
    ],
  ])('rejects %s', (_name, changes, problem) => {
    expect(() => loadDirect('ton', { ...onTon, ...changes })).toThrow(`chains[0] ${problem}`);
  });
});

describe('the registry of the payment package', () => {
  const id = `0x${'12'.repeat(32)}`;
  const sui = { chain: 'sui', rpcUrls: ['http://127.0.0.1:1'], payContract: `0x${'34'.repeat(32)}` };
  const read = (changes: object) => {
    writeFileSync(path, JSON.stringify({ chains: [{ ...sui, ...changes }] }));
    return loadDirectChains(path, 'sui');
  };

  it('reads the registry on Sui', () => {
    expect(read({ payRegistry: { id, version: 7 } })).toMatchObject([
      { payRegistry: { id, version: 7 }, pollIntervalMs: 1_000 },
    ]);
  });

  it.each([
    ['is missing', {}, 'payContract and payRegistry must be set together on Sui'],
    [
      'is set without the package',
      { payContract: undefined, payRegistry: { id, version: 7 } },
      'payContract and payRegistry must be set together on Sui',
    ],
    ['has no version', { payRegistry: { id } }, 'payRegistry must have an id and the version'],
    [
      'has its version as text',
      { payRegistry: { id, version: '7' } },
      'payRegistry must have an id and the version',
    ],
    ['has the version 0', { payRegistry: { id, version: 0 } }, 'payRegistry must have an id and the version'],
    ['has an invalid id', { payRegistry: { id: '0x', version: 7 } }, 'payRegistry must have an id'],
    ['is null', { payRegistry: null }, 'payRegistry must have an id'],
    [
      'stands on another chain',
      { chain: 'base', payContract: contract, payRegistry: { id, version: 7 } },
      'payRegistry is only for Sui',
    ],
  ])('rejects a registry that %s', (_name, changes, problem) => {
    expect(() => read(changes)).toThrow(problem);
  });
});
