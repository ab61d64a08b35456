import { chainsApi, ChainsReply } from '@tollbridge/contracts';
import { decode } from '@tollbridge/rpc';
import { chains } from '@tollbridge/chains';
import { missingCases } from '@tollbridge/testing';
import { readFileSync } from 'node:fs';
import { PayOrders } from '../testing/pay-orders';

const { listChains } = chainsApi.operations;
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
const crosschain =
  'btc near stellar starknet cardano aleo xrp doge ltc bch zec dash aptos gnosis scroll monad bera'.split(
    ' ',
  );
let harness: PayOrders;

beforeAll(async () => {
  harness = await PayOrders.start();
});
afterAll(() => harness?.close());

describe('GET /api/v1/pay/chains', () => {
  it('200: returns all 29 chains in the spelling and order of the specification', async () => {
    const reply = await harness.call(listChains, {});

    expect(reply).toEqual({
      direct_chains: direct,
      crosschain_chains: crosschain,
      total: 29,
      details: expect.any(Array),
    });
    expect(reply.details.map(({ id }) => id)).toEqual([...direct, ...crosschain]);
    expect(decode(ChainsReply, reply)).toMatchObject({ ok: true });
  });

  it('200: returns the 12 direct chains with direct_only, as a boolean or as text', async () => {
    for (const direct_only of [true, 'true'] as boolean[]) {
      const reply = await harness.call(listChains, { direct_only });

      expect(reply).toEqual({ chains: direct, count: 12, details: expect.any(Array) });
      expect(reply.details.map(({ id }) => id)).toEqual(direct);
      expect(decode(ChainsReply, reply)).toMatchObject({ ok: true });
    }
  });

  it('200: returns all chains with direct_only false', async () => {
    expect(await harness.call(listChains, { direct_only: 'false' } as never)).toMatchObject({ total: 29 });
  });

  it('200: returns which chains this deployment accepts, their confirmations and token addresses', async () => {
    const { details } = await harness.call(listChains, {});

    expect(details.filter(({ is_available }) => is_available)).toEqual([
      expect.objectContaining({
        id: 'eip155:8453',
        short_name: 'base',
        confirmations: 3,
        logo: '/logos/chains/base.svg',
        // Public explorers do not show the local chain.
        explorer_tx_url: null,
        tokens: [
          expect.objectContaining({ symbol: 'ETH', decimals: 18, address: null }),
          expect.objectContaining({ symbol: 'USDC', decimals: 6, address: harness.chain.usdc.address }),
          expect.objectContaining({ symbol: 'USDT', decimals: 6, address: harness.chain.usdt.address }),
          expect.objectContaining({ symbol: 'DAI', decimals: 18, address: harness.chain.dai.address }),
          expect.objectContaining({ symbol: 'WETH', decimals: 18, address: harness.chain.weth.address }),
        ],
      }),
    ]);
  });

  it.each([
    ['direct_only', 'yes'],
    ['direct_only', 1],
    ['direct', 'true'],
  ])('400 VALIDATION_ERROR: rejects %s=%s', async (field, value) => {
    const failure = await harness.failureOf(listChains, { [field]: value });

    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', status: 400, details: [{ field }] });
  });
});

it('covers each operation and declared error', () => {
  expect(missingCases(Object.values(chainsApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});

it('the registry contains confirmations, decimals and a logo for every chain and token', () => {
  expect(chains).toHaveLength(29);
  for (const chain of chains) {
    expect(chain.confirmations).toBeGreaterThan(0);
    expect(chain.logo).toMatch(/^\/logos\/chains\/[a-z0-9-]+\.svg$/);
    expect(chain.tokens.length).toBeGreaterThan(0);
    for (const token of chain.tokens) {
      expect(Number.isInteger(token.decimals)).toBe(true);
      expect(token.logo).toMatch(/^\/logos\/tokens\/[a-z0-9-]+\.svg$/);
    }
  }
});
