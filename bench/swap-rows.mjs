// The transaction API: a swap on a local chain, quoted and built against the real contracts, executed without sending.
import { Wallet } from 'ethers';

const usdt = 100_000_000n;
// Of each a call checks and stores the signatures; two calls at once are rarely about the same one.
const preparedSets = 192;
const batchSize = 48;

/** @param sandbox what `GET /sandbox` answers */
export async function swapRows(gateway, sandbox, { measureHttp, send }) {
  const { chainId, tokens } = sandbox.chains[0];
  const token = (symbol) => ({ chainId, address: tokens.find((it) => it.symbol === symbol).address });
  const wallet = new Wallet(sandbox.accounts.find(({ role }) => role === 'payer').privateKey);
  const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) });
  const call = async (request) => JSON.parse(await send(gateway, request)).data;
  const wish = { inputToken: token('USDT'), outputToken: token('USDC'), inputAmount: String(usdt) };
  const quote = post('/v1/quote', wish);
  const newQuoteId = async () => (await call(quote)).quoteId;
  const sets = await prepareSets({ call, post, newQuoteId, wallet });
  let turn = 0;
  const executions = sets.map((set) => post('/v1/transaction/execute', { ...set, broadcast: false }));
  const statusPath = `/v1/transaction/${sets[0].transactionId}/status`;
  const run = (next) => (inFlight, seconds) => measureHttp(gateway, next, inFlight, seconds);
  return [
    { name: 'quote a swap', of: 'raw Fastify GET', run: run(() => quote) },
    {
      name: 'build a swap',
      of: 'raw pg insert',
      run: async (inFlight, seconds) => {
        const request = post('/v1/transaction/build', {
          ...{ quoteId: await newQuoteId(), userAddress: wallet.address },
        });
        return run(() => request)(inFlight, seconds);
      },
    },
    {
      name: 'execute a swap, not sent',
      of: 'raw pg insert',
      run: run(() => executions[turn++ % executions.length]),
    },
    { name: 'read a swap', of: 'raw Fastify GET', run: run(() => ({ path: statusPath })) },
  ];
}

async function prepareSets({ call, post, newQuoteId, wallet }) {
  const sets = [];
  while (sets.length < preparedSets) {
    const quoteId = await newQuoteId();
    const transactions = Array.from({ length: batchSize }, (_, at) => ({
      ...{ id: String(at), quoteId, userAddress: wallet.address },
    }));
    const batch = await call(post('/v1/transaction/batch', { transactions }));
    for (const { transactionId } of batch.transactions) {
      const path = `/v1/transaction/${transactionId}/status?includeDetails=true`;
      const { details } = await call({ path });
      const signatures = await Promise.all(
        details.built.map((it) => wallet.signTransaction({ ...it, gasLimit: it.gas, type: 2 })),
      );
      sets.push({ transactionId, signatures });
    }
  }
  return sets;
}
