// A route provider that returns every quote after 100 ms, and balance indexes that respond after 50 ms. The rest of a
// call's time is then spent in Tollbridge. They implement the wire formats of the real providers only for quotes and
// balances.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const { chains } = createRequire(import.meta.url)('@tollbridge/chains');
const quoteMs = 100;
const balanceMs = 50;
/** Native coins of the pay chains, with the provider's chain names. */
const coins = chains
  .filter(({ isTestnet }) => !isTestnet)
  .map(({ id, shortName, tokens }) => ({
    blockchain: id === 'solana' ? 'sol' : shortName,
    ...tokens.find(({ address }) => address === null),
  }));

function tokens() {
  const priceUpdatedAt = new Date().toISOString();
  return coins.map(({ blockchain, symbol, decimals }) => ({
    assetId: `nep141:${blockchain}.example`,
    blockchain,
    symbol,
    decimals,
    price: 1,
    priceUpdatedAt,
  }));
}

async function quote(body) {
  await sleep(quoteMs);
  const { amount } = JSON.parse(body);
  return { quote: { amountIn: amount, minAmountIn: amount, amountOut: amount, timeEstimate: 10 } };
}

/** Returns the reply of an Esplora or Blockbook index for an address. */
async function balance(address) {
  await sleep(balanceMs);
  const stats = { funded_txo_sum: 100_000_000, spent_txo_sum: 0 };
  return {
    address,
    balance: '100000000',
    unconfirmedBalance: '0',
    chain_stats: stats,
    mempool_stats: { funded_txo_sum: 0, spent_txo_sum: 0 },
  };
}

async function answer({ method, url }, body) {
  const { pathname } = new URL(url, 'http://server');
  if (pathname === '/v0/tokens') return tokens();
  if (method === 'POST' && pathname === '/v0/quote') return quote(body);
  return balance(decodeURIComponent(pathname.split('/').at(-1)));
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const reply = JSON.stringify(await answer(request, body));
  response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
