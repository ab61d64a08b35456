import { findChain, type Token } from '@tollbridge/chains';
import { AdapterBalanceReader } from './adapter-balance.reader';

const chain = findChain('ton')!;
const held: Record<string, bigint> = { TON: 5n, USDT: 7n };
const adapter = {
  chain,
  balanceAtomic: jest.fn(async (_account: string, { symbol }: Token) => held[symbol]!),
  paymentFeeAtomic: async () => 9n,
};

describe('AdapterBalanceReader', () => {
  const reader = new AdapterBalanceReader(adapter);

  it('reads each token of the chain', async () => {
    const holdings = await reader.read(chain, 'wallet');
    expect(holdings.map(({ token, amountAtomic }) => [token.symbol, amountAtomic])).toEqual([
      ['TON', 5n],
      ['USDT', 7n],
    ]);
    expect(adapter.balanceAtomic).toHaveBeenCalledWith('wallet', chain.tokens[1]);
  });

  it('fails when one token cannot be read, so that no unread balance appears as zero', async () => {
    adapter.balanceAtomic.mockRejectedValueOnce(new Error('no node answers'));
    await expect(reader.read(chain, 'wallet')).rejects.toThrow('no node answers');
  });

  it("returns the adapter's fee for a payment, and the registry's fee for a transfer", async () => {
    expect(await reader.coinFeeAtomic('contractCall')).toBe(9n);
    expect(await reader.coinFeeAtomic('transfer')).toBe(BigInt(chain.coinFeeAtomic!));
  });

  it('rejects a transfer without a fee in the registry', async () => {
    const without = new AdapterBalanceReader({ ...adapter, chain: { ...chain, coinFeeAtomic: null } });
    await expect(without.coinFeeAtomic('transfer')).rejects.toThrow('not known');
  });
});
