// Time from the last confirmation of a payment until its order is settled, which is Tollbridge's part of the total
// time.
import { Contract, JsonRpcProvider, Network, Wallet } from 'ethers';
import { sendOnce } from './http-load.mjs';
import { summary } from './measure.mjs';

const tokenAbi = ['function approve(address spender, uint256 amount) returns (bool)'];
// The confirmations of the local chains, including the payment's own block.
const confirmations = 3;
const settleTimeoutMs = 30_000;
const fewest = 5;

/**
 * One payment at a time on a local chain. Its confirmations are mined immediately, and the time starts with them.
 * @param {string} gateway
 * @param parts `nats` of the operator for events, `sandbox` of GET /sandbox, `key` of the merchant
 */
export function settleRows(gateway, { nats, sandbox, key }) {
  const [chain] = sandbox.chains;
  const payer = sandbox.accounts.find(({ role }) => role === 'payer');
  const createOrder = async () => {
    const request = {
      method: 'POST',
      path: '/api/v1/pay/create-order',
      body: JSON.stringify(orderOf(sandbox, chain, payer)),
    };
    return JSON.parse(await sendOnce(gateway, request, key)).direct.payment_order;
  };
  const run = async (_inFlight, seconds) => {
    const settled = settlements(nats);
    const wallet = openWallet(chain, payer.privateKey);
    const latencies = [];
    const startedMs = performance.now();
    const endMs = startedMs + seconds * 1_000;
    try {
      while (latencies.length < fewest || performance.now() < endMs) {
        const order = await createOrder();
        const isSettled = settled.next(order.order_id);
        // The failing payment reports this error.
        isSettled.catch(() => undefined);
        await payOnChain(chain, wallet, order);
        const minedMs = performance.now();
        await wallet.provider.send('anvil_mine', [`0x${confirmations.toString(16)}`]);
        latencies.push((await isSettled) - minedMs);
      }
      return summary(latencies, (performance.now() - startedMs) / 1_000, 0);
    } finally {
      settled.close();
      wallet.provider.destroy();
    }
  };
  return [{ name: 'payment mined to settled', levels: [1], run }];
}

/** Waits for the event of a settled order, which is published after the commit. */
function settlements(nats) {
  const waiting = new Map();
  const subscription = nats.subscribe('events.pay-orders.order-settled.>', {
    callback: (_error, message) => waiting.get(message.json().aggregateId)?.(performance.now()),
  });
  const next = (orderId) =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`order ${orderId} was not settled within ${settleTimeoutMs} ms`));
      const timer = setTimeout(fail, settleTimeoutMs);
      waiting.set(orderId, (atMs) => {
        clearTimeout(timer);
        waiting.delete(orderId);
        resolve(atMs);
      });
    });
  return { next, close: () => subscription.unsubscribe() };
}

function orderOf(sandbox, chain, payer) {
  return {
    pay_blockchain: chain.caip2,
    pay_token: 'USDC',
    settle_chain: chain.caip2,
    settle_token: 'USDC',
    merchant_address: sandbox.merchant.wallet,
    merchant_amount: '1000000',
    fee_receiver: sandbox.accounts.at(-1).address,
    fee_amount: '5000',
    merchant_id: sandbox.merchant.merchantId,
    payer_address: payer.address,
  };
}

function openWallet(chain, privateKey) {
  const network = Network.from(chain.chainId);
  const options = { staticNetwork: network, pollingInterval: 20, cacheTimeout: -1 };
  return new Wallet(privateKey, new JsonRpcProvider(chain.rpcUrl, network, options));
}

/** Resolves when the payment is mined. */
async function payOnChain(chain, wallet, order) {
  const token = new Contract(order.token_in_address, tokenAbi, wallet);
  await (await token.approve(chain.payContract, order.amount_in)).wait();
  const contract = new Contract(chain.payContract, chain.payAbi, wallet);
  const paid = await contract.pay({ ...order, order_id: `0x${order.order_id.replaceAll('-', '')}` });
  await paid.wait();
}
