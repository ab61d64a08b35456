import { isCaip2 } from '@tollbridge/money';
import { canonicalAddress } from '../addresses';
import { chains, findChain } from '.';

// The ids exactly as in the specification.
const direct = [
  'eip155:1',
  'eip155:8453',
  'eip155:42161',
  'eip155:137',
  'eip155:10',
  'eip155:56',
  'eip155:43114',
  'eip155:84532',
  'ton',
  'solana',
  'tron',
  'sui',
];
const cross = [
  'btc',
  'near',
  'stellar',
  'starknet',
  'cardano',
  'aleo',
  'xrp',
  'doge',
  'ltc',
  'bch',
  'zec',
  'dash',
  'aptos',
  'gnosis',
  'scroll',
  'monad',
  'bera',
];

const byId = (id: string) => {
  const chain = chains.find((candidate) => candidate.id === id);
  if (!chain) {
    throw new Error(`no chain ${id}`);
  }
  return chain;
};

describe('the registry', () => {
  it('lists the 12 direct and 17 cross-chain ids of the specification, in its order', () => {
    expect(chains.filter((chain) => chain.isDirect).map((chain) => chain.id)).toEqual(direct);
    expect(chains.filter((chain) => !chain.isDirect).map((chain) => chain.id)).toEqual(cross);
    expect(chains).toHaveLength(29);
  });

  it('lists one test network', () => {
    expect(chains.filter((chain) => chain.isTestnet).map((chain) => chain.id)).toEqual(['eip155:84532']);
  });

  const caip2Names: [string, string][] = [
    ['ton', 'tvm:-239'],
    ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['tron', 'tron:0x2b6653dc'],
    ['sui', 'sui:mainnet'],
    ['btc', 'bip122:000000000019d6689c085ae165831e93'],
    ['near', 'near:mainnet'],
    ['stellar', 'stellar:pubnet'],
    ['starknet', 'starknet:SN_MAIN'],
    ['cardano', 'cip34:1-764824073'],
    ['aleo', 'aleo:0'],
    ['xrp', 'xrpl:0'],
    ['doge', 'bip122:1a91e3dace36e2be3bf030a65679fe82'],
    ['ltc', 'bip122:12a765e31ffd4059bada1e25190f6e98'],
    ['bch', 'bip122:000000000000000000651ef99cb9fcbe'],
    ['zec', 'bip122:00040fe8ec8471911baa1db1266ea15d'],
    ['dash', 'bip122:00000ffd590b1485b3caadc19b22e637'],
    ['aptos', 'aptos:1'],
    ['gnosis', 'eip155:100'],
    ['scroll', 'eip155:534352'],
    ['monad', 'eip155:143'],
    ['bera', 'eip155:80094'],
    ...direct.filter((id) => id.startsWith('eip155:')).map((id): [string, string] => [id, id]),
  ];
  it('lists the CAIP-2 name of every chain in this test', () => {
    expect(caip2Names.map(([id]) => id).sort()).toEqual(chains.map((chain) => chain.id).sort());
  });
  it.each(caip2Names)('maps %s to the CAIP-2 name %s', (id, caip2) => {
    expect(byId(id).caip2).toBe(caip2);
    expect(isCaip2(caip2)).toBe(true);
    expect(findChain(caip2)).toBe(byId(id));
  });

  it.each(chains)('has complete and valid facts for $id', (chain) => {
    const evmChainId = /^eip155:(\d+)$/.exec(chain.caip2)?.[1];
    expect(chain.family === 'evm').toBe(evmChainId !== undefined);
    expect(chain.chainId).toBe(evmChainId === undefined ? null : Number(evmChainId));
    expect(chain.shortName).toMatch(/^[a-z][a-z0-9-]+$/);
    expect(chain.name).toMatch(/^[A-Z][A-Za-z0-9 -]+$/);
    expect(Number.isInteger(chain.confirmations) && chain.confirmations >= 1).toBe(true);
    expect(chain.blockTimeMs).toBeGreaterThanOrEqual(100);
    expect(chain.logo).toBe(`/logos/chains/${chain.shortName}.svg`);
    expect(chain.explorerTxUrl.split('{tx}')).toHaveLength(2);
    expect(new URL(chain.explorerTxUrl).protocol).toBe('https:');
  });

  it.each(chains.filter((chain) => chain.isDirect))(
    'settles a direct payment on $id within about two and a half minutes',
    (chain) => {
      expect(chain.confirmations * chain.blockTimeMs).toBeLessThanOrEqual(150_000);
    },
  );

  it('requires a memo on chains with shared deposit addresses', () => {
    expect(chains.filter((chain) => chain.usesMemo).map((chain) => chain.id)).toEqual([
      'ton',
      'stellar',
      'xrp',
    ]);
  });

  it('freezes every field', () => {
    const frozen = [chains, ...chains, ...chains.map((c) => c.tokens), ...chains.map((c) => c.aliases)];
    expect([...frozen, ...chains.flatMap((chain) => chain.tokens)].every(Object.isFrozen)).toBe(true);
  });
});

describe('findChain', () => {
  const names = chains.flatMap((chain) =>
    [...new Set([chain.id, chain.caip2, chain.shortName, ...chain.aliases])].map((name) => ({ name, chain })),
  );

  it('maps no name to two chains', () => {
    const keys = names.map(({ name }) => name.toLowerCase());
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });

  it.each(names)('finds $chain.id by $name in any case', ({ name, chain }) => {
    expect(findChain(name)).toBe(chain);
    expect(findChain(name.toUpperCase())).toBe(chain);
    expect(findChain(name.toLowerCase())).toBe(chain);
  });

  // Names that the cross-chain provider and the price sources use.
  const spellings: [string, string][] = [
    ['eth', 'eip155:1'],
    ['base', 'eip155:8453'],
    ['arb', 'eip155:42161'],
    ['pol', 'eip155:137'],
    ['op', 'eip155:10'],
    ['bsc', 'eip155:56'],
    ['avax', 'eip155:43114'],
    ['sol', 'solana'],
    ['polygon', 'eip155:137'],
    ['xdai', 'gnosis'],
    ['berachain', 'bera'],
    ['ton-mainnet', 'ton'],
    ['base-sepolia', 'eip155:84532'],
  ];
  it.each(spellings)('reads %s as %s', (name, id) => {
    expect(findChain(name)?.id).toBe(id);
  });

  it.each([
    '',
    ' ',
    'base ',
    'eip155:',
    'eip155:999',
    'eip155:08453',
    'nowhere',
    '__proto__',
    'constructor',
    'x'.repeat(10_000),
  ])('returns undefined for %p', (name) => {
    expect(findChain(name)).toBeUndefined();
  });
});

describe('tokens', () => {
  // Explicit values on purpose, because an error would change amounts by powers of ten.
  const decimals: [string, string][] = [
    ['eip155:1', 'ETH 18, USDC 6, USDT 6, WETH 18, DAI 18'],
    ['eip155:8453', 'ETH 18, USDC 6, USDT 6, WETH 18, DAI 18'],
    ['eip155:42161', 'ETH 18, USDC 6, USDT 6, WETH 18, DAI 18'],
    ['eip155:137', 'POL 18, USDC 6, USDT 6, WETH 18, DAI 18'],
    ['eip155:10', 'ETH 18, USDC 6, USDT 6, WETH 18, DAI 18'],
    ['eip155:56', 'BNB 18, USDC 18, USDT 18, ETH 18, DAI 18'],
    ['eip155:43114', 'AVAX 18, USDC 6, USDT 6, WETH.e 18, DAI.e 18'],
    ['eip155:84532', 'ETH 18, USDC 6, WETH 18'],
    ['ton', 'TON 9, USDT 6'],
    ['solana', 'SOL 9, USDC 6, USDT 6'],
    ['tron', 'TRX 6, USDT 6'],
    ['sui', 'SUI 9, USDC 6, USDT 6'],
    ['btc', 'BTC 8'],
    ['near', 'NEAR 24, USDC 6, USDT 6'],
    ['stellar', 'XLM 7, USDC 7'],
    ['starknet', 'STRK 18, USDC 6, USDT 6, ETH 18'],
    ['cardano', 'ADA 6'],
    ['aleo', 'ALEO 6'],
    ['xrp', 'XRP 6'],
    ['doge', 'DOGE 8'],
    ['ltc', 'LTC 8'],
    ['bch', 'BCH 8'],
    ['zec', 'ZEC 8'],
    ['dash', 'DASH 8'],
    ['aptos', 'APT 8, USDC 6, USDT 6'],
    ['gnosis', 'xDAI 18, USDC 6, USDT 6, WETH 18'],
    ['scroll', 'ETH 18, USDC 6, USDT 6, WETH 18, DAI 18'],
    ['monad', 'MON 18, USDC 6, USDT 6'],
    ['bera', 'BERA 18, USDC 6, USDT 6'],
  ];
  it('lists every chain in this test', () => {
    expect(decimals.map(([id]) => id).sort()).toEqual(chains.map((chain) => chain.id).sort());
  });
  it.each(decimals)('lists the tokens of %s: %s', (id, expected) => {
    expect(
      byId(id)
        .tokens.map((token) => `${token.symbol} ${token.decimals}`)
        .join(', '),
    ).toBe(expected);
  });

  it.each(chains)('lists the native coin of $id first, the only one without an address', (chain) => {
    expect(chain.tokens[0]?.symbol).toBe(chain.nativeSymbol);
    expect(chain.tokens.map((token) => token.address === null)).toEqual(
      chain.tokens.map((_token, i) => i === 0),
    );
  });

  it.each(chains)('lists each symbol and each address of $id once', (chain) => {
    const symbols = chain.tokens.map((token) => token.symbol.toUpperCase());
    const addresses = chain.tokens.map((token) => token.address?.toLowerCase());
    expect(new Set(symbols).size).toBe(symbols.length);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  const tokens = chains.flatMap((chain) =>
    chain.tokens.map((token) => ({ chain, token, title: `${chain.id} ${token.symbol}` })),
  );
  it.each(tokens)('has a well-formed symbol, name and logo for $title', ({ token }) => {
    expect(token.symbol).toMatch(/^[A-Za-z][A-Za-z0-9.]{1,9}$/);
    expect(token.name).toMatch(/^[A-Z$x][A-Za-z0-9 ()-]+$/);
    expect(token.logo).toMatch(/^\/logos\/tokens\/[a-z0-9]+\.svg$/);
  });

  const contracts = tokens.flatMap(({ chain, token, title }) =>
    token.address === null ? [] : [{ chain, address: token.address, title }],
  );
  it.each(contracts)('has an address for $title that is valid on its chain', ({ chain, address }) => {
    const [account = '', ...coinPath] = address.split('::');
    const result = canonicalAddress(chain, account);
    expect(result.ok).toBe(true);
    // A jetton master is listed in the bounceable form, which is not canonical. All other addresses are canonical.
    const canonical = result.ok ? result.address : '';
    expect(chain.family === 'ton' ? canonical.slice(2, -4) : canonical).toBe(
      chain.family === 'ton' ? account.slice(2, -4) : account,
    );
    expect(coinPath).toHaveLength(chain.family === 'sui' ? 2 : 0);
  });
});
