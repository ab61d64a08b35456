// Swaps 100 USDT on Base for DAI on Arbitrum: quote, build, sign, execute, follow.
import {
  buildSwap,
  createClient,
  executeSwap,
  followTransaction,
  fromAtomic,
  getSandbox,
  getSwapStatus,
  quoteSwap,
  toAtomic,
} from '@tollbridge/sdk';
import { Wallet } from 'ethers';
import WebSocket from 'ws';

const sandbox = { baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000', WebSocket };
const { chains, accounts, merchant } = await getSandbox(createClient(sandbox));
const client = createClient({ ...sandbox, apiKey: merchant.key });
const wallet = new Wallet(accounts.find(({ role }) => role === 'payer').privateKey);
const token = (chainId, symbol) => ({
  chainId,
  address: chains.find((chain) => chain.chainId === chainId).tokens.find((it) => it.symbol === symbol)
    .address,
});

const pair = { inputToken: token(8453, 'USDT'), outputToken: token(42161, 'DAI') };
const quote = await quoteSwap(client, { ...pair, inputAmount: String(toAtomic('100', 6)) });
console.log(`quoted ${fromAtomic(quote.outputAmount, 18)} DAI; ${quote.reason}`);
const { quoteId } = quote;
const { transactionId, transactions } = await buildSwap(client, { quoteId, userAddress: wallet.address });
const signatures = await Promise.all(
  transactions.map((it) => wallet.signTransaction({ ...it, gasLimit: it.gas, type: 2 })),
);
await executeSwap(client, { transactionId, signatures });
for await (const update of followTransaction(client, { transactionId })) {
  const { step, status, confirmations, requiredConfirmations } = update;
  console.log(step, status, `${confirmations}/${requiredConfirmations}`);
}
console.log((await getSwapStatus(client, { transactionId })).result);
