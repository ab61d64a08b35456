// Measures requests of pay-orders to the node of each chain, without and with open orders.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JsonRpcProvider, Wallet } from 'ethers';
import { until } from '../../local/until.mjs';
import { KilledDeployment } from '../kill-orders/deployment.mjs';
import { networksOf, allFamilies } from '../kill-orders/families.mjs';
import { evmNetwork } from '../kill-orders/holdings.mjs';
import { orderBody } from '../kill-orders/network-payment.mjs';
import { postOrder } from '../kill-orders/post-order.mjs';
import { blocksOf } from './chain-heads.mjs';
import { CountingProxy } from './counting-proxy.mjs';

const clients = 8;
// The sandbox polls its EVM chains ten times per block, because they mine transactions immediately. Deployments poll
// once per block.
const evmBlockMs = 1_000;
const backWithinMs = 60_000;
const settleMs = 5_000;

/**
 * @param {{ orders: number, seconds: number, print: (line: string) => void }} options `orders` is the number of open
 * orders on each chain
 * @returns {Promise<object[]>} figures per minute: for each chain a row without open orders, with one, and with all
 */
export async function measurePolls({ orders, seconds, print }) {
  const deployment = await KilledDeployment.start({ SANDBOX_NETWORKS: networksOf(allFamilies) });
  const proxies = new Map();
  try {
    const sandbox = await (await fetch(`${deployment.gateway}/sandbox`)).json();
    const networks = [
      ...sandbox.chains.map((chain) => evmNetwork({ ...sandbox, chains: [chain] })),
      ...sandbox.networks,
    ];
    await placeProxies(deployment, networks, proxies);
    const rows = [];
    let open = 0;
    for (const wanted of [0, 1, orders]) {
      await createOrders(deployment, sandbox, networks, wanted - open);
      open = wanted;
      print(`measuring ${seconds} s with ${open} open orders on each of ${networks.length} chains …`);
      const figures = await measure(networks, proxies, seconds);
      await requireOpen(deployment, networks, open);
      rows.push(
        ...figures.map((each) => ({ orders: open, ...each, pollsPerBlock: each.polls / each.blocks })),
      );
    }
    return rows;
  } finally {
    await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    await deployment.stop();
  }
}

/** Replaces the node URLs. Only pay-orders reads the changed file, because the other apps have read it before. */
async function placeProxies(deployment, networks, proxies) {
  const file = join(deployment.directory, 'chains.json');
  const content = JSON.parse(readFileSync(file, 'utf8'));
  for (const { chain, family } of networks) {
    const entry = content.chains.find((each) => each.chain === chain);
    const proxy = await CountingProxy.open(family, entry.rpcUrls[0]);
    proxies.set(chain, proxy);
    entry.rpcUrls = [proxy.url];
    if (family === 'evm') entry.pollIntervalMs = evmBlockMs;
  }
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  const before = deployment.pids['pay-orders'];
  process.kill(before, 'SIGKILL');
  await deployment.untilReplaced('pay-orders', before, backWithinMs);
  await until('readiness of pay-orders', backWithinMs, () => deployment.isReady());
}

async function measure(networks, proxies, seconds) {
  await keepBusy(networks);
  await sleep(settleMs);
  const before = await readAll(networks, proxies);
  const startedMs = performance.now();
  await sleep(seconds * 1_000);
  const after = await readAll(networks, proxies);
  const minutes = (performance.now() - startedMs) / 60_000;
  return after.map(({ chain, ...counts }, at) => {
    const perMinute = (name) => (counts[name] - before[at][name]) / minutes;
    return { chain, requests: perMinute('requests'), polls: perMinute('polls'), blocks: perMinute('blocks') };
  });
}

const readAll = (networks, proxies) =>
  Promise.all(
    networks.map(async ({ chain, family, rpcUrl }) => {
      return { chain, ...proxies.get(chain).counts, blocks: await blocksOf(family, rpcUrl) };
    }),
  );

/** A transaction makes the local EVM chains and Tron mine a block per second for two minutes, like busy chains. */
async function keepBusy(networks) {
  for (const { family, rpcUrl, accounts } of networks) {
    const [payer, merchant] = ['payer', 'merchant'].map((role) =>
      accounts.find((each) => each.role === role),
    );
    if (family === 'evm') {
      const provider = new JsonRpcProvider(rpcUrl, undefined, { cacheTimeout: -1 });
      await new Wallet(payer.privateKey, provider).sendTransaction({ to: merchant.address, value: 1n });
      provider.destroy();
    }
    if (family === 'tron') {
      const { TronWeb } = await import('tronweb');
      const client = new TronWeb({ fullHost: rpcUrl, privateKey: payer.privateKey });
      await client.trx.sendTransaction(merchant.address, 1);
    }
  }
}

async function createOrders({ gateway }, sandbox, networks, orders) {
  const waiting = networks.flatMap((network) => {
    const token = network.tokens.find(({ symbol }) => symbol === 'USDT');
    return Array.from({ length: orders }, () => orderBody(sandbox, network, token));
  });
  const create = async () => {
    for (let body = waiting.pop(); body; body = waiting.pop())
      await postOrder(gateway, sandbox.merchant.secret, body);
  };
  await Promise.all(Array.from({ length: clients }, create));
}

/** Verifies that all orders are open, because expired orders would improve the figures. */
async function requireOpen(deployment, networks, orders) {
  for (const { chain } of networks) {
    const [{ count }] = await deployment.query(
      `SELECT count(*)::int AS count FROM pay_orders.orders WHERE pay_chain = $1 AND status = 'waiting_payment'`,
      [chain],
    );
    if (count < orders) throw new Error(`${count} orders are open on ${chain}, expected ${orders}`);
  }
}
