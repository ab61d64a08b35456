import { setTimeout as sleep } from 'node:timers/promises';
import { Contract, JsonRpcProvider, Network, Wallet } from 'ethers';
import { Problem } from './problem.mjs';

/**
 * @typedef {object} Chain a chain in the reply of GET /sandbox
 * @property {string} caip2
 * @property {number} chainId
 * @property {string} rpcUrl
 * @property {string} payContract
 * @property {any[]} payAbi
 * @property {{ symbol: string, address: string | null, decimals: number }[]} tokens
 */

class RejectedRequest extends Problem {
  /** @param {number} status @param {string} sentence @param {{ details: string }} more */
  constructor(status, sentence, more) {
    super(sentence, more);
    this.status = status;
  }
}

const tokenAbi = ['function approve(address spender, uint256 amount) returns (bool)'];
const pollMs = 100;
// Three block confirmations take three seconds. After one minute, something is stuck.
const settleTimeoutMs = 60_000;

/**
 * Pays one order on the first local chain, with the steps of a shop and a payer: create, approve, pay, report, wait.
 * @param {string} gateway
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the order's id
 */
export async function makePayment(gateway, say) {
  const startedMs = performance.now();
  const print = (/** @type {string} */ text) =>
    say(`${`+${((performance.now() - startedMs) / 1000).toFixed(2)} s`.padStart(9)}  ${text}`);
  const sandbox = await ask(gateway, 'GET', '/sandbox');
  /** @type {Chain} */
  const chain = sandbox.chains[0];
  const payer = sandbox.accounts.find((/** @type {{ role: string }} */ { role }) => role === 'payer');
  const created = await ask(gateway, 'POST', '/api/v1/pay/create-order', orderOf(sandbox, chain, payer));
  const { payment_order: order } = created.direct;
  print(`order ${order.order_id} created: 1.005 USDC on ${chain.caip2}`);

  const hash = await payOnChain(chain, payer.privateKey, order, print);
  print(await report(gateway, order.order_id, hash));
  await untilSettled(gateway, order.order_id, print);
  return order.order_id;
}

/** @param {any} sandbox @param {Chain} chain @param {{ address: string }} payer */
function orderOf(sandbox, chain, payer) {
  const feeReceiver =
    sandbox.accounts.find((/** @type {{ role: string }} */ { role }) => /fee/i.test(role)) ??
    sandbox.accounts.at(-1);
  return {
    pay_blockchain: chain.caip2,
    pay_token: 'USDC',
    settle_chain: chain.caip2,
    settle_token: 'USDC',
    merchant_address: sandbox.merchant.wallet,
    merchant_amount: '1000000',
    fee_receiver: feeReceiver.address,
    fee_amount: '5000',
    // The dashboard shows this name, so that demo payments can be distinguished.
    merchant_id: `${sandbox.merchant.merchantId} ${secondOf(new Date())}`,
    payer_address: payer.address,
  };
}

/** Returns a text such as `2026-11-28 14:50:12 UTC`. @param {Date} time */
const secondOf = (time) => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** @param {Chain} chain @param {string} privateKey @param {any} order @param {(text: string) => void} print */
async function payOnChain(chain, privateKey, order, print) {
  const network = Network.from(chain.chainId);
  // A local node replies within a millisecond, so poll often and without a cache.
  const options = { staticNetwork: network, pollingInterval: 100, cacheTimeout: -1 };
  const provider = new JsonRpcProvider(chain.rpcUrl, network, options);
  try {
    const wallet = new Wallet(privateKey, provider);
    const token = new Contract(order.token_in_address, tokenAbi, wallet);
    await (await token.approve(chain.payContract, order.amount_in)).wait();
    print('token approved');
    const contract = new Contract(chain.payContract, chain.payAbi, wallet);
    const paid = await contract.pay({ ...order, order_id: `0x${order.order_id.replaceAll('-', '')}` });
    const receipt = await paid.wait();
    print(`paid in block ${receipt.blockNumber}: ${paid.hash}`);
    return paid.hash;
  } finally {
    provider.destroy();
  }
}

/** @param {string} gateway @param {string} id @param {string} hash */
async function report(gateway, id, hash) {
  try {
    await ask(gateway, 'POST', `/api/v1/pay/order/${id}/tx`, { tx_hash: hash });
    return 'transaction reported';
  } catch (error) {
    // The watcher may detect the payment before the payer reports it.
    if (error instanceof RejectedRequest && error.status === 409)
      return 'transaction reported; it was seen on the chain before';
    throw error;
  }
}

/** @param {string} gateway @param {string} id @param {(text: string) => void} print */
async function untilSettled(gateway, id, print) {
  let last = '';
  for (const end = Date.now() + settleTimeoutMs; Date.now() < end; await sleep(pollMs)) {
    const { status, failure_reason: reason } = await ask(gateway, 'GET', `/api/v1/pay/order/${id}`);
    if (status !== last) print(`the order is ${status}`);
    last = status;
    if (status === 'settled') return;
    if (status === 'failed' || status === 'expired')
      throw new Problem(`The payment of order ${id} ${status}: ${reason ?? 'no reason given'}.`);
  }
  throw new Problem(
    `Order ${id} is still ${last} after ${settleTimeoutMs / 1000} s. The logs of pay-orders say what it waits for.`,
  );
}

/** @param {string} gateway @param {string} method @param {string} path @param {unknown} [body] */
async function ask(gateway, method, path, body) {
  const response = await fetch(`${gateway}${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    signal: AbortSignal.timeout(30_000),
  }).catch((cause) => {
    throw new Problem(`The gateway at ${gateway} does not answer. Start it first: npm start`, { cause });
  });
  const text = await response.text();
  if (!response.ok)
    throw new RejectedRequest(response.status, `${method} ${path} answered ${response.status}:`, {
      details: text,
    });
  return JSON.parse(text);
}
