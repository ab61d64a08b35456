import { ChainAdapters, type ChainAdapter } from '@tollbridge/chain-port';
import { chains, findChain } from '@tollbridge/chains';
import { Deployments, type Pair } from './deployments';

const deployed = { ...findChain('base')! };
// The test uses only the chain of this deployment.
const adapters = new ChainAdapters([{ chain: deployed, canPayerReceive: false } as ChainAdapter]);
const deployments = new Deployments(adapters);
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const pair = (changes: Partial<Pair> = {}): Pair => ({
  pay_blockchain: 'eip155:8453',
  pay_token: 'USDC',
  settle_chain: 'eip155:8453',
  settle_token: 'USDC',
  ...changes,
});

it.each(['eip155:8453', 'EIP155:8453', 'base', 'BASE', 'base-mainnet'])(
  'find returns Base for %s',
  (name) => {
    expect(deployments.find(name)).toBe(deployed);
  },
);

it.each(['eip155:1', 'ton', 'nowhere', ''])('find returns undefined for %j', (name) => {
  expect(deployments.find(name)).toBeUndefined();
});

it.each([
  ['its ids', pair()],
  ['aliases of the chain and the token', pair({ pay_blockchain: 'base', pay_token: 'usdc' })],
  ["the token's address", pair({ settle_token: usdc.toLowerCase() })],
])('routes a pair by %s', (_name, given) => {
  expect(deployments.route(given)).toMatchObject({
    chain: { id: 'eip155:8453' },
    token: { symbol: 'USDC', address: usdc },
  });
});

it.each(['ETH', '0x0000000000000000000000000000000000000000'])('routes the native coin as %s', (token) => {
  const given = pair({ pay_token: token, settle_token: 'eth' });

  expect(deployments.route(given)).toMatchObject({ token: { symbol: 'ETH', address: null } });
});

it.each([
  ['"moonchain" is not a known chain', pair({ pay_blockchain: 'moonchain' })],
  ['"moonchain" is not a known chain', pair({ settle_chain: 'moonchain' })],
  ['no route from USDC on Ethereum to USDC on Base', pair({ pay_blockchain: 'eth' })],
  [
    'This deployment does not accept payments on Ethereum',
    pair({ pay_blockchain: 'eth', settle_chain: 'eip155:1' }),
  ],
  [
    'This deployment does not accept payments on Bitcoin',
    pair({ pay_blockchain: 'btc', pay_token: 'BTC', settle_chain: 'btc', settle_token: 'BTC' }),
  ],
  ['"DOGE" is not a known token of Base', pair({ pay_token: 'DOGE' })],
  ['"DOGE" is not a known token of Base', pair({ settle_token: 'DOGE' })],
  ['"USDC" is not a known token of Bitcoin', pair({ pay_blockchain: 'btc' })],
  ['no route from USDC on Base to ETH on Base', pair({ settle_token: 'ETH' })],
])('rejects a pair with the reason: %s', (reason, given) => {
  expect(deployments.route(given)).toEqual({ reason: expect.stringContaining(reason) });
});

it.each(chains.filter(({ isDirect, id }) => isDirect && id !== deployed.id).map(({ id }) => [id]))(
  'accepts no direct payment on %s, which the registry lists as direct but which has no adapter',
  (id) => {
    const [token] = findChain(id)!.tokens;
    const given = {
      pay_blockchain: id,
      pay_token: token!.symbol,
      settle_chain: id,
      settle_token: token!.symbol,
    };
    expect(deployments.find(id)).toBeUndefined();
    // The same token of the same chain has no route, even with a provider of routes.
    for (const all of [deployments, new Deployments(adapters, true)])
      expect(all.route(given)).toEqual({ reason: expect.stringContaining('does not accept payments on') });
  },
);

it.each([
  ['another chain', pair({ pay_blockchain: 'btc', pay_token: 'BTC' })],
  ['another token of the same chain', pair({ pay_token: 'ETH' })],
])('routes %s across chains when a provider is configured', (_name, given) => {
  expect(new Deployments(adapters, true).route(given)).toMatchObject({
    method: 'CrossChain',
    payToken: { symbol: given.pay_token },
    settleChain: { id: 'eip155:8453' },
    settleToken: { symbol: 'USDC' },
  });
});

it('returns errors only for the fields with unknown chains and tokens', () => {
  expect(deployments.unknownNames(pair())).toEqual([]);
  expect(deployments.unknownNames({ settle_chain: 'eth' })).toEqual([]);
  expect(deployments.unknownNames(pair({ pay_token: 'DOGE', settle_chain: 'bsae' }))).toEqual([
    { field: 'pay_token', message: expect.stringMatching(/^"DOGE" is not a known token of Base/) },
    { field: 'settle_chain', message: expect.stringMatching(/did you mean "base"/) },
  ]);
});
