import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEvmChains, type EvmChain } from '../deployments';
import { chains, findChain, type Chain } from '../registry';
import { receiverAddress } from '.';

const chainOf = (id: string): Chain => findChain(id)!;
const reasonOf = (chain: Chain, text: string): string => {
  const result = receiverAddress(chain, text);
  return result.ok ? `accepted as ${result.address}` : result.reason;
};
const lost = /would be lost: give the address of a wallet$/;

describe('receiverAddress with an address that no key controls', () => {
  it.each([
    ['base', `0x${'0'.repeat(40)}`],
    ['base', '0x0000000000000000000000000000000000000001'],
    ['base', '0x000000000000000000000000000000000000dEaD'],
    ['base', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'],
    ['ton', 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'],
    ['solana', '11111111111111111111111111111111'],
    ['solana', '1nc1nerator11111111111111111111111111111111'],
    ['solana', 'SysvarC1ock11111111111111111111111111111111'],
    ['solana', 'AddressLookupTab1e1111111111111111111111111'],
    ['tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ['sui', `0x${'0'.repeat(64)}`],
    ['btc', '1BitcoinEaterAddressDontSendf59kuE'],
    ['btc', '1111111111111111111114oLvT2'],
  ])('rejects on %s: %s', (id, text) => {
    expect(reasonOf(chainOf(id), text)).toMatch(lost);
  });
});

describe('receiverAddress with tokens of the registry', () => {
  const tokens = chains.flatMap((chain) =>
    chain.tokens.flatMap(({ symbol, address }) => (address === null ? [] : [{ chain, symbol, address }])),
  );

  it.each(tokens.map((token) => [`${token.chain.id} ${token.symbol}`, token] as const))(
    'rejects %s on its chain',
    (_title, { chain, symbol, address }) => {
      const reason = reasonOf(chain, address.split('::')[0]!);
      expect(reason).toMatch(lost);
      // A wrapped coin may have that name, and one contract can be a token with several names.
      expect(reason).toMatch(new RegExp(`${symbol.replace('.', '\\.')}|wrapped coin`));
    },
  );

  it('rejects each spelling of the address, and also on other EVM chains', () => {
    const usdc = chainOf('base').tokens.find(({ symbol }) => symbol === 'USDC')!.address!;
    expect(reasonOf(chainOf('base'), usdc.toLowerCase())).toMatch(/^this is the USDC token contract of Base/);
    expect(reasonOf(chainOf('eth'), usdc)).toMatch(lost);
    const master = chainOf('ton').tokens.find(({ symbol }) => symbol === 'USDT')!.address!;
    expect(reasonOf(chainOf('ton'), master.replace('_', '/'))).toMatch(/^this is the USDT token contract/);
  });
});

describe('receiverAddress with published contracts', () => {
  it.each([
    ['Permit2', '0x000000000022D473030F116dDEE9F6B43aC78BA3'],
    ['Multicall3', '0xcA11bde05977b3631167028862bE2a173976CA11'],
    ['SpokePool', '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'],
    ['LI.FI', '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE'],
    ['Uniswap router', '0x2626664c2603336E57B271c5C0b26F421741e481'],
    ['protocol', '0x4200000000000000000000000000000000000016'],
  ])('rejects %s on every EVM chain', (name, address) => {
    for (const chain of chains.filter(({ family }) => family === 'evm'))
      expect(reasonOf(chain, address)).toMatch(new RegExp(`^this is .*${name}`));
  });

  it('rejects the Uniswap pools of the tokens of the chain', () => {
    // The pools of USDC and WETH at 0.05 %, on Ethereum and on Base.
    expect(reasonOf(chainOf('eth'), '0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640')).toMatch(/a Uniswap pool/);
    expect(reasonOf(chainOf('base'), '0xd0b53D9277642d899DF5C87A3966A349A798F224')).toMatch(/a Uniswap pool/);
  });
});

describe('receiverAddress with contracts of the deployment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-receivers-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (digit: string) => `0x${digit.repeat(40)}`;
  let chain: EvmChain;
  beforeAll(() => {
    const path = join(folder, 'chains.json');
    const entry = {
      chain: 'base',
      rpcUrls: ['http://127.0.0.1:8545'],
      payContract: at('1'),
      payoutContract: at('3'),
      formerPayContracts: [at('2')],
      uniswapV3: { factory: at('4'), quoter: at('5'), router: at('6'), wrappedCoin: at('7') },
      otherContracts: { 'Across SpokePool': at('8') },
      tokens: [{ symbol: 'USDC', address: at('9'), decimals: 6 }],
    };
    writeFileSync(path, JSON.stringify({ chains: [entry] }));
    chain = loadEvmChains(path)[0]!;
  });

  it.each([
    ['1', /the payment contract of this deployment/],
    ['2', /the payment contract of this deployment/],
    ['3', /the payout contract of this deployment/],
    ['4', /the Uniswap factory/],
    ['5', /the Uniswap quoter/],
    ['6', /the Uniswap router/],
    ['7', /the Uniswap wrappedCoin/],
    ['8', /the Across SpokePool contract/],
    ['9', /the USDC token contract of Base/],
  ])('rejects 0x%s…', (digit, reason) => {
    expect(reasonOf(chain, at(digit))).toMatch(reason);
    expect(reasonOf(chain, at(digit))).toMatch(lost);
  });

  it('rejects the tokens of the main network too, because examples contain them', () => {
    expect(reasonOf(chain, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')).toMatch(/USDC token contract/);
  });
});

it.each([
  ['base', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  // A wallet contract, which can pay out its balance.
  ['base', '0x00000000219ab540356cBB839Cbe05303d7705Fa'],
  ['ton', 'UQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFQFf'],
  ['btc', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
])('accepts a wallet on %s: %s', (id, text) => {
  expect(receiverAddress(chainOf(id), text)).toEqual({ ok: true, address: text });
});

it('reports the reason of a malformed address first', () => {
  expect(reasonOf(chainOf('base'), '0x12')).toMatch(/must be 0x and 40 hexadecimal digits/);
});
