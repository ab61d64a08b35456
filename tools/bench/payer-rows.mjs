// The checkout of a payer: all payment options together, with providers of a known response time.

const coins = [
  'btc:BTC',
  'near:NEAR',
  'stellar:XLM',
  'starknet:STRK',
  'cardano:ADA',
  'aleo:ALEO',
  'xrp:XRP',
  'doge:DOGE',
  'ltc:LTC',
  'bch:BCH',
  'zec:ZEC',
  'dash:DASH',
  'aptos:APT',
  'gnosis:xDAI',
  'scroll:ETH',
  'monad:MON',
  'bera:BERA',
  'ton:TON',
  'solana:SOL',
  'tron:TRX',
];
/** The indexes of limits/slow-providers.mjs return balances of these addresses. */
const indexed = {
  btc: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  ltc: 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz',
  doge: 'DLSSSUS3ex7YNDACJDxMER1ZMW579Vy8Zy',
  dash: 'XpESxaUmonkq8RaLLp46Brx2K39ggQe226',
  zec: 't1VmmGiyjVNeCjxDZzg7vZmd99WyzVby9yC',
};
export const balanceSources = (url) => ({
  sources: Object.keys(indexed).map((chain) => ({ chain, urls: [url] })),
});

const settle = { settle_chain: 'base', settle_token: 'ETH', settle_amount: '1000000000000000' };

/** One call at a time, because its latency is the figure. `send` first verifies that the replies contain quotes. */
export async function payerRows(gateway, payer, { measureHttp, send }) {
  const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) });
  const row = (name, request) => ({
    name,
    levels: [1],
    run: (inFlight, seconds) => measureHttp(gateway, () => request, inFlight, seconds),
  });
  const pay_options = coins.map((coin) => {
    const [blockchain, token] = coin.split(':');
    return { blockchain, token };
  });
  // Additional wallets without a configured source. They are not read and must add no latency.
  const unread = {
    near: '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de',
    tron: 'TPswDDCAWhJAZGdHPidFg5nEf8TkNToDX1',
    xrp: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn',
  };
  const wallets = { base: payer, arb: payer, ...indexed, ...unread };
  const batch = post('/api/v1/pay/batch-quote', { ...settle, pay_options });
  const options = post('/api/v1/pay/checkout-options', { ...settle, wallets });
  const { quotes } = JSON.parse(await send(gateway, batch));
  const failed = quotes.filter(({ result }) => !result.Ok);
  if (failed.length > 0) throw new Error(`no quote for ${JSON.stringify(failed)}`);
  const quoted = JSON.parse(await send(gateway, options)).options.filter(({ error }) => error === null);
  if (quoted.length < Object.keys(indexed).length) throw new Error('too few payment options were found');
  return [row('batch-quote, 20 options', batch), row('checkout-options, 10 wallets', options)];
}
