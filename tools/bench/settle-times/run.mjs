// Measures the time from a chain's finality until a payment is settled, on the local network of each family.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../local/until.mjs';
import { KilledDeployment } from '../kill-orders/deployment.mjs';
import { allFamilies, networksOf } from '../kill-orders/families.mjs';
import { evmNetwork } from '../kill-orders/holdings.mjs';
import { orderBody, payByExample } from '../kill-orders/network-payment.mjs';
import { postOrder } from '../kill-orders/post-order.mjs';
import { blocksOf } from '../polls/chain-heads.mjs';

const everyMs = 25;
const settledWithinMs = 60_000;

/**
 * @param {{ payments: number, print: (line: string) => void }} options `payments` on each network; the hash of every
 * second payment is not submitted, so that the watcher has to find it
 * @returns {Promise<{ family: string, token: string, isReported: boolean, finalMs: number, settledMs: number }[]>}
 * times since the payment was on the chain: `finalMs` until its block was final, `settledMs` until the API returned it
 * as settled
 */
export async function measureSettleTimes({ payments, print }) {
  const deployment = await KilledDeployment.start({ SANDBOX_NETWORKS: networksOf(allFamilies) });
  try {
    const sandbox = await (await fetch(`${deployment.gateway}/sandbox`)).json();
    const rows = [];
    for (const network of [evmNetwork(sandbox), ...sandbox.networks]) {
      print(`${payments} payments on ${network.chain} …`);
      for (let at = 0; at < payments; at++) rows.push(await measurePayment(deployment, sandbox, network, at));
    }
    return rows;
  } finally {
    await deployment.stop();
  }
}

async function measurePayment(deployment, sandbox, network, at) {
  const { family, tokens } = network;
  const { gateway } = deployment;
  // The example of EVM chains pays only tokens.
  const choice = family === 'evm' ? tokens.filter(({ address }) => address !== null) : tokens;
  const [token, isReported] = [choice[(at >> 1) % choice.length], at % 2 === 0];
  const order = await postOrder(gateway, sandbox.merchant.secret, orderBody(sandbox, network, token));
  let times;
  const onPaid = () => (times = timesOf(deployment, network, order.order_id));
  const { isPaid, output } = await payByExample({ family, gateway, order, isReported, onPaid });
  if (!isPaid) throw new Error(`${family}: not paid: ${output}`);
  return { family, token: token.symbol, isReported, ...(await times) };
}

async function timesOf(deployment, network, orderId) {
  const startMs = performance.now();
  const since = () => performance.now() - startMs;
  // Only chains where blocks are not final immediately have this setting.
  const { confirmations = 1 } = settingsOf(deployment, network.chain);
  const paidAt = await blocksOf(network.family, network.rpcUrl);
  const isFinal = async () => (await blocksOf(network.family, network.rpcUrl)) >= paidAt + confirmations - 1;
  const isSettled = async () => {
    const reply = await fetch(`${deployment.gateway}/api/v1/pay/order/${orderId}`);
    return (await reply.json()).status === 'settled';
  };
  const [finalMs, settledMs] = await Promise.all(
    [isFinal, isSettled].map(async (condition) => {
      await until(`settlement on ${network.chain}`, settledWithinMs, condition, { everyMs });
      return since();
    }),
  );
  return { finalMs, settledMs };
}

function settingsOf(deployment, chain) {
  const { chains } = JSON.parse(readFileSync(join(deployment.directory, 'chains.json'), 'utf8'));
  return chains.find((each) => each.chain === chain);
}
