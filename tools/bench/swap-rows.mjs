// The transaction API: a swap on a local chain, quoted and built with the real contracts, executed without a broadcast.
import { randomInt, randomUUID } from 'node:crypto';
import { Wallet } from 'ethers';
import { sendOnce, measureHttp } from './http-load.mjs';
import { lazily } from './lazily.mjs';

const usdt = 100_000_000n;
// Each call verifies and stores the signatures of a set. Two concurrent calls rarely use the same set.
const preparedSets = 192;
const batchSize = 48;
// Number of sets in the table that swaps are read from.
const filledSets = 100_000;
// Enough that concurrent builds seldom replace the same set.
const builtQuotes = 64;
// A built set is valid for 20 minutes, and all rounds together take longer.
const setLifeMs = 10 * 60_000;
// A quote is valid for a minute.
const quoteLifeMs = 20_000;

const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) });
const statusPath = (id) => `/v1/transaction/${id}/status`;

/** Returns HTTP calls for swaps of the sandbox's payer. @param sandbox the reply of `GET /sandbox` */
export function swapCalls(gateway, sandbox, key) {
  const { chainId, tokens } = sandbox.chains[0];
  const token = (symbol) => ({ chainId, address: tokens.find((it) => it.symbol === symbol).address });
  const wallet = new Wallet(sandbox.accounts.find(({ role }) => role === 'payer').privateKey);
  const call = async (request) => JSON.parse(await sendOnce(gateway, request, key)).data;
  const wish = { inputToken: token('USDT'), outputToken: token('USDC'), inputAmount: String(usdt) };
  const quote = post('/v1/quote', wish);
  const newQuoteId = async () => (await call(quote)).quoteId;
  const build = (quoteId, terms) =>
    post('/v1/transaction/build', { quoteId, userAddress: wallet.address, ...terms });
  const buildSet = async () => (await call(build(await newQuoteId()))).transactionId;
  return { call, quote, newQuoteId, build, buildSet, wallet };
}

/** @param parts `calls` of `swapCalls`; `copySets` of `setCopier`; `key` of the merchant */
export function swapRows(gateway, { calls, copySets, key }) {
  const { quote } = calls;
  const run = (next) => (inFlight, seconds) => measureHttp(gateway, next, inFlight, seconds, key);
  let executions = { requests: [], madeAtMs: -Infinity };
  const freshExecutions = async () => {
    if (performance.now() - executions.madeAtMs > setLifeMs)
      executions = { requests: await prepareExecutions(calls), madeAtMs: performance.now() };
    return executions.requests;
  };
  const filled = lazily(() => copySets(filledSets));
  const inserts = ['raw pg insert', 'raw pg insert, batched'];
  let [turn, built] = [0, 0];
  return [
    { name: 'quote a swap', of: 'raw Fastify GET', sustained: { limit: inserts }, run: run(() => quote) },
    {
      name: 'build a swap',
      of: inserts,
      sustained: {},
      run: async (inFlight, seconds) => {
        const newQuoteIds = () => Promise.all(Array.from({ length: builtQuotes }, calls.newQuoteId));
        let quoteIds = await newQuoteIds();
        const renew = async () => (quoteIds = await newQuoteIds());
        const timer = setInterval(() => void renew().catch(() => undefined), quoteLifeMs);
        // Equal terms would return the existing set, so each build has other terms, which replace it.
        const next = () => {
          const deadline = Math.floor(Date.now() / 1000) + 600 + (built++ % 60_000);
          return calls.build(quoteIds[built % builtQuotes], { deadline });
        };
        try {
          return await run(next)(inFlight, seconds);
        } finally {
          clearInterval(timer);
        }
      },
    },
    {
      name: 'execute a swap, not sent',
      of: inserts,
      sustained: {},
      run: async (inFlight, seconds) => {
        const requests = await freshExecutions();
        return run(() => requests[turn++ % requests.length])(inFlight, seconds);
      },
    },
    {
      name: 'read a swap',
      of: 'raw Fastify GET',
      table: `${filledSets.toLocaleString('en')} sets of transactions, random ids`,
      run: async (inFlight, seconds) => {
        const ids = await filled();
        return run(() => ({ path: statusPath(ids[randomInt(ids.length)]) }))(inFlight, seconds);
      },
    },
  ];
}

async function prepareExecutions({ call, newQuoteId, wallet }) {
  const executions = [];
  while (executions.length < preparedSets) {
    const quoteIds = await Promise.all(Array.from({ length: batchSize }, newQuoteId));
    const transactions = quoteIds.map((quoteId, at) => {
      return { id: String(at), quoteId, userAddress: wallet.address };
    });
    const batch = await call(post('/v1/transaction/batch', { transactions }));
    for (const { transactionId } of batch.transactions) {
      const { details } = await call({ path: `${statusPath(transactionId)}?includeDetails=true` });
      const sign = ({ gas, ...built }) => wallet.signTransaction({ ...built, gasLimit: gas, type: 2 });
      const signatures = await Promise.all(details.built.map(sign));
      executions.push(post('/v1/transaction/execute', { transactionId, signatures, broadcast: false }));
    }
  }
  return executions;
}

/**
 * @param admin a superuser of the database
 * @param buildSet builds one set and returns its id
 * @returns a function that copies a built set without signatures, and returns the ids of the copies
 */
export function setCopier(admin, buildSet) {
  const template = lazily(buildSet);
  return async (count) => {
    const ids = Array.from({ length: count }, () => randomUUID());
    await admin.query(
      `INSERT INTO tx_engine.transaction_sets
       SELECT copy.* FROM (SELECT to_jsonb(t) AS built FROM tx_engine.transaction_sets t WHERE id = $1) one,
         unnest($2::uuid[]) id,
         jsonb_populate_record(NULL::tx_engine.transaction_sets,
           built || jsonb_build_object('id', id, 'valid_until', now() + interval '1 day')) copy`,
      [await template(), ids],
    );
    await admin.query('VACUUM ANALYZE tx_engine.transaction_sets');
    return ids;
  };
}
