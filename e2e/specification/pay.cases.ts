import { ok, waitFor } from './client';
import { expectBadFields, expectEach, expectError, expectShape, type Shape } from './shape';
import { account, newWallet, walk } from './walk';

const directChains =
  'eip155:1 eip155:8453 eip155:42161 eip155:137 eip155:10 eip155:56 eip155:43114 eip155:84532 ton solana tron sui';
const crossChains =
  'btc near stellar starknet cardano aleo xrp doge ltc bch zec dash aptos gnosis scroll monad bera';

export const quoteShape: Shape = {
  method: 'method',
  pay_amount: 'amount?',
  pay_amount_formatted: 'decimal?',
  pay_amount_usd: 'decimal?',
  receive_amount: 'amount',
  receive_amount_formatted: 'decimal?',
  receive_amount_usd: 'decimal?',
  estimated_time: 'integer?',
  exchange_rate: 'decimal?',
  slippage_bps: 'integer',
  expires_at: 'iso',
};
const batchQuoteShape: Shape = {
  method: 'method',
  pay_amount: 'amount',
  pay_amount_formatted: 'decimal',
  pay_amount_usd: 'decimal?',
  estimated_time: 'integer',
  exchange_rate: 'decimal',
  slippage_bps: 'integer',
  expires_at: 'iso',
};
const optionShape: Shape = {
  blockchain: 'string',
  token: 'string',
  chain_name: 'string',
  is_direct: 'boolean',
  balance: 'decimal',
  balance_usd: 'decimal?',
  pay_amount: 'amount?',
  pay_amount_formatted: 'decimal?',
  pay_amount_usd: 'decimal?',
  sufficient: 'boolean',
  estimated_time: 'integer?',
  method: 'method',
  logo: 'string',
  chain_logo: 'string',
  error: 'string?',
  min_amount_usd: 'number?',
};
const tokenShape: Shape = {
  symbol: 'string',
  decimals: 'integer',
  balance: 'amount',
  balance_formatted: 'decimal',
  balance_usd: 'decimal?',
  price_usd: 'number?',
};
const usdcOnBase = { settle_chain: 'base', settle_token: 'USDC', settle_amount: '1000000' };

export function describePay(): void {
  describe('GET /api/v1/pay/chains', () => {
    it('lists the 12 direct and the 17 cross-chain chains', async () => {
      const chains = ok(await walk.api.get('/api/v1/pay/chains'));
      expect(chains.direct_chains).toEqual(directChains.split(' '));
      expect(chains.crosschain_chains).toEqual(crossChains.split(' '));
      expect(chains.total).toBe(29);
    });

    it('lists only the direct chains with direct_only=true', async () => {
      const chains = ok(await walk.api.get('/api/v1/pay/chains?direct_only=true'));
      expect(chains).toMatchObject({ chains: directChains.split(' '), count: 12 });
    });

    it('lists all chains with direct_only=false', async () => {
      expect(ok(await walk.api.get('/api/v1/pay/chains?direct_only=false')).total).toBe(29);
    });

    it('rejects a direct_only that is not a boolean', async () => {
      expectBadFields(await walk.api.get('/api/v1/pay/chains?direct_only=perhaps'), ['direct_only']);
    });
  });

  describe('POST /api/v1/pay/quote', describeQuote);
  describe('POST /api/v1/pay/batch-quote', describeBatchQuote);
  describe('POST /api/v1/pay/checkout-options', describeCheckoutOptions);
  describe('balances and minimum amounts', describeBalances);
}

function describeQuote(): void {
  const quote = (pay_blockchain: string, pay_token: string, changes = {}) =>
    walk.api.post('/api/v1/pay/quote', { pay_blockchain, pay_token, ...usdcOnBase, ...changes });

  it('quotes the same chain and token 1:1 as Direct', async () => {
    const direct = ok(await quote('base', 'USDC'));
    expectShape(direct, quoteShape);
    expect(direct).toMatchObject({ method: 'Direct', exchange_rate: '1', slippage_bps: 0 });
    expect(direct).toMatchObject({ pay_amount: '1000000', receive_amount: '1000000' });
    expect(Date.parse(direct.expires_at)).toBeGreaterThan(Date.now());
  });

  it('accepts a CAIP-2 identifier instead of a short name', async () => {
    const direct = ok(await quote('eip155:8453', 'USDC', { settle_chain: 'eip155:8453' }));
    expect(direct).toMatchObject({ method: 'Direct', pay_amount: '1000000' });
  });

  it.each([
    ['arb', 'WETH'],
    ['base', 'USDT'],
    ['solana', 'USDC'],
    ['ton', 'USDT'],
  ])('quotes %s %s as CrossChain and rounds in favour of the merchant', async (chain, token) => {
    const across = ok(await quote(chain, token));
    expectShape(across, { ...quoteShape, pay_amount: 'amount', pay_amount_formatted: 'decimal' });
    expect(across).toMatchObject({ method: 'CrossChain', receive_amount: '1000000' });
    expect(across.slippage_bps).toBeGreaterThanOrEqual(0);
  });

  it('returns 502 if the route is unavailable', async () => {
    expectError(await quote('eth', 'USDC', { settle_chain: 'eth' }), 502);
  });

  it('returns 502 if the amount is below the minimum of the route', async () => {
    expectError(await quote('btc', 'BTC', { settle_amount: '1000' }), 502);
  });

  it('lists all bad fields', async () => {
    const fields = ['pay_blockchain', 'pay_token', 'settle_chain', 'settle_token', 'settle_amount'];
    expectBadFields(await walk.api.post('/api/v1/pay/quote', {}), fields);
  });

  it.each(['0', '-1', '1.5', '1e6', '0x10', '', ' 1', 1000000, null])(
    'rejects the settle_amount %j',
    async (settle_amount) => {
      expectBadFields(await quote('base', 'USDC', { settle_amount }), ['settle_amount']);
    },
  );

  it('rejects an unknown field', async () => {
    expectBadFields(await quote('base', 'USDC', { settle_amout: '1' }), ['settle_amout']);
  });
}

function describeBatchQuote(): void {
  it('quotes each option in order and reports a failure inside its result', async () => {
    const pay_options = [
      { blockchain: 'base', token: 'USDC' },
      { blockchain: 'arb', token: 'WETH' },
      { blockchain: 'eth', token: 'NOPE' },
    ];
    const { quotes } = ok(await walk.api.post('/api/v1/pay/batch-quote', { ...usdcOnBase, pay_options }));
    expect(quotes.map(({ blockchain, token }: any) => ({ blockchain, token }))).toEqual(pay_options);
    expectEach([quotes[0].result.Ok.quote, quotes[1].result.Ok.quote], batchQuoteShape);
    expect(quotes[0].result.Ok.quote).toMatchObject({ method: 'Direct', pay_amount: '1000000' });
    expect(quotes[1].result.Ok.quote.method).toBe('CrossChain');
    expectShape(quotes[2].result, { Error: { error: 'string' } });
  });

  it('quotes a pair of each of the 17 cross-chain chains', async () => {
    const pay_options = await waitFor('a minimum amount of each chain', async () => {
      const { min_amounts } = ok(await walk.api.get('/api/v1/pay/min-amounts'));
      const pairs = crossChains.split(' ').map((blockchain) => ({
        blockchain,
        token: min_amounts.find((it: any) => it.blockchain === blockchain)?.token,
      }));
      return pairs.every(({ token }) => token) ? pairs : undefined;
    });
    const settle = { ...usdcOnBase, settle_amount: '20000000' };
    const { quotes } = ok(await walk.api.post('/api/v1/pay/batch-quote', { ...settle, pay_options }));
    const failed = quotes.filter(({ result }: any) => result.Ok?.quote.method !== 'CrossChain');
    expect(failed).toEqual([]);
    expect(quotes).toHaveLength(17);
  });

  it('rejects a request without pay_options', async () => {
    expectBadFields(await walk.api.post('/api/v1/pay/batch-quote', usdcOnBase), ['pay_options']);
  });
}

function describeCheckoutOptions(): void {
  const checkout = async (settle_amount: string) => {
    const wallets = { base: account('payer'), 'eip155:42161': account('payer') };
    return ok(await walk.api.post('/api/v1/pay/checkout-options', { wallets, ...usdcOnBase, settle_amount }));
  };

  it('lists each token with a balance, with its quote', async () => {
    const reply = await checkout('1000000');
    expectShape(reply, { settle_chain: 'string', settle_token: 'string', settle_amount: 'amount' });
    expect(reply).toMatchObject({ settle_token: 'USDC', settle_amount: '1000000' });
    expectEach(reply.options, optionShape);
    expect(reply.options[0]).toMatchObject({ token: 'USDC', is_direct: true, method: 'Direct' });
    expect(reply.options[0]).toMatchObject({ pay_amount: '1000000', sufficient: true, error: null });
    expect(reply.options.every(({ balance }: any) => !/^0(\.0*)?$/.test(balance))).toBe(true);
  });

  it('sorts sufficient first, then direct, then the fastest settlement', async () => {
    // 10,000,000 USDC: more than the value of the payer's ETH and WETH, less than the stablecoins.
    const { options } = await checkout('20000000000000');
    const rank = ({ sufficient, is_direct, estimated_time }: any): number[] => [
      sufficient ? 0 : 1,
      is_direct ? 0 : 1,
      estimated_time ?? Number.MAX_SAFE_INTEGER,
    ];
    const ranks: number[][] = options.map(rank);
    const sorted = [...ranks].sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
    expect(ranks).toEqual(sorted);
    expect(new Set(options.map(({ sufficient }: any) => sufficient))).toEqual(new Set([true, false]));
  });

  it('lists no option for a wallet without a balance', async () => {
    const wallets = { base: newWallet().address };
    const reply = ok(await walk.api.post('/api/v1/pay/checkout-options', { wallets, ...usdcOnBase }));
    expect(reply.options).toEqual([]);
  });
}

function describeBalances(): void {
  it('returns the balances of every given chain that responds', async () => {
    const wallets = { base: account('payer'), arb: account('payer') };
    const { balances } = ok(await walk.api.post('/api/v1/pay/balances', { wallets }));
    expectEach(balances, { blockchain: 'string', address: 'address', tokens: 'array' });
    expect(balances).toHaveLength(2);
    for (const { tokens } of balances) expectEach(tokens, tokenShape, 'tokens');
    const usdc = balances[0].tokens.find(({ symbol }: any) => symbol === 'USDC');
    expect(BigInt(usdc.balance)).toBe(await walk.base.balance('USDC', account('payer')));
  });

  it('skips a chain that does not respond', async () => {
    const wallets = { base: account('payer'), btc: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };
    const { balances } = ok(await walk.api.post('/api/v1/pay/balances', { wallets }));
    expect(balances.map(({ blockchain }: any) => blockchain)).toEqual(['eip155:8453']);
  });

  it('rejects a request without wallets', async () => {
    expectBadFields(await walk.api.post('/api/v1/pay/balances', {}), ['wallets']);
  });

  it('lists minimum amounts after their first snapshot', async () => {
    const { min_amounts, count } = await waitFor('the snapshot of minimum amounts', async () => {
      const snapshot = ok(await walk.api.get('/api/v1/pay/min-amounts'));
      return snapshot.count > 0 ? snapshot : undefined;
    });
    expectEach(min_amounts, {
      blockchain: 'string',
      token: 'string',
      min_settle_amount: 'amount',
      min_usd: 'number',
    });
    expect(count).toBe(min_amounts.length);
  });
}
