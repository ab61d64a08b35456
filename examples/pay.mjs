// Creates an order, pays it on the local chain, and watches it settle.
import { Contract, JsonRpcProvider, Wallet } from 'ethers';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const send = async (path, body) => {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const reply = await fetch(api + path, init);
  if (!reply.ok) throw new Error(await reply.text());
  return reply.json();
};
const {
  chains: [chain],
  accounts,
  merchant,
} = await send('/sandbox');
const [payer, , feeReceiver] = accounts;
const provider = new JsonRpcProvider(chain.rpcUrl, chain.chainId, { pollingInterval: 200, cacheTimeout: -1 });
const wallet = new Wallet(payer.privateKey, provider);

const { order_id, direct } = await send('/api/v1/pay/create-order', {
  pay_blockchain: chain.caip2,
  pay_token: 'USDC',
  settle_chain: chain.caip2,
  settle_token: 'USDC',
  merchant_address: merchant.wallet,
  merchant_amount: '1000000',
  fee_receiver: feeReceiver.address,
  fee_amount: '5000',
  merchant_id: merchant.merchantId,
  payer_address: payer.address,
});
const order = { ...direct.payment_order, order_id: `0x${order_id.replaceAll('-', '')}` };
const token = new Contract(order.token_in_address, ['function approve(address, uint256)'], wallet);
await (await token.approve(direct.contract_address, order.amount_in)).wait();
const payment = await new Contract(direct.contract_address, chain.payAbi, wallet).pay(order);
await payment.wait();
await send(`/api/v1/pay/order/${order_id}/tx`, { tx_hash: payment.hash });

for (let status; status !== 'settled'; await new Promise((resolve) => setTimeout(resolve, 500))) {
  ({ status } = await send(`/api/v1/pay/order/${order_id}`));
  console.log(order_id, status);
}
provider.destroy();
