// Creates an order, advances the sandbox clock by 40 minutes, and waits until the order has expired.
import { advanceSandboxClock, createClient, createOrder, followOrder } from '@tollbridge/sdk';

const client = createClient({ baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000' });
const { order_id } = await createOrder(client, {
  pay_blockchain: 'base',
  pay_token: 'USDC',
  settle_chain: 'base',
  settle_token: 'USDC',
  merchant_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  merchant_amount: '1000000',
  fee_receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  fee_amount: '5000',
  merchant_id: 'demo-merchant',
  payer_address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
});
const { now } = await advanceSandboxClock(client, { by: '40m' });
console.log(`it is ${now}`);
for await (const { data } of followOrder(client, { id: order_id })) {
  console.log(`order ${order_id} is ${data.status}`);
  if (data.status === 'expired') break;
}
