// Runs the official SDK in a separate process, because it is an ES module only. Reads a task from stdin, and writes the
// result to stdout.
import {
  executeSwapQuote,
  getFillByDepositTx,
  getSwapChains,
  getSwapQuote,
  getSwapTokens,
} from '@across-protocol/app-sdk';
import { text } from 'node:stream/consumers';
import { createPublicClient, createWalletClient, defineChain, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const pollingInterval = 50;

function clientsOf({ chainId, rpcUrl }) {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const rpcUrls = { default: { http: [rpcUrl] } };
  const chain = defineChain({ id: chainId, name: `chain ${chainId}`, nativeCurrency, rpcUrls });
  return { chain, client: createPublicClient({ chain, transport: http(), pollingInterval }) };
}

const actions = {
  chains: ({ apiUrl }) => getSwapChains({ apiUrl }),
  tokens: ({ apiUrl }) => getSwapTokens({ apiUrl }),
  quote: ({ apiUrl, request }) => getSwapQuote({ apiUrl, ...request }),
  /** Executes all steps of an integrator: quotes, approves, sends, and waits for the fill. */
  async swap({ apiUrl, request, origin, destination, privateKey }) {
    const [from, to] = [clientsOf(origin), clientsOf(destination)];
    const account = privateKeyToAccount(privateKey);
    const walletClient = createWalletClient({ account, chain: from.chain, transport: http() });
    const swapQuote = await getSwapQuote({ apiUrl, ...request });
    const progress = [];
    const { depositId, swapTxReceipt, fillTxReceipt } = await executeSwapQuote({
      swapQuote,
      walletClient,
      originClient: from.client,
      destinationClient: to.client,
      destinationSpokePoolAddress: destination.spokePool,
      onProgress: ({ step, status }) => progress.push(`${step} ${status}`),
    });
    const depositTx = swapTxReceipt.transactionHash;
    return { swapQuote, progress, depositId, depositTx, fillTx: fillTxReceipt.transactionHash };
  },
  /** Queries the indexer for a fill, without events of the chain. */
  async fill({ apiUrl, origin, destination, depositId, depositTx }) {
    const { fillTxReceipt, actionSuccess } = await getFillByDepositTx({
      indexerUrl: apiUrl,
      deposit: {
        depositId,
        originChainId: origin.chainId,
        destinationChainId: destination.chainId,
        destinationSpokePoolAddress: destination.spokePool,
        depositTxHash: depositTx,
        // The SDK only requires that the message exists.
        message: '0x00',
      },
      destinationChainClient: clientsOf(destination).client,
      // A block above the head of the chain.
      fromBlock: 2n ** 40n,
    });
    return { fillTx: fillTxReceipt.transactionHash, actionSuccess };
  },
};

const { action, ...input } = JSON.parse(await text(process.stdin));
const outcome = await actions[action](input).then(
  (answer) => ({ answer }),
  ({ name, message, status }) => ({ error: { name, message, status } }),
);
const plain = (_, value) => (typeof value === 'bigint' ? String(value) : value);
// The result is the last line, because the SDK itself writes other lines.
process.stdout.write(`\n${JSON.stringify(outcome, plain)}`);
