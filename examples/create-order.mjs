// Creates an order of 1 USDC and prints it.
import { createClient, createOrder, toAtomic } from '@tollbridge/sdk';

const client = createClient({ baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000' });
const order = await createOrder(client, {
  pay_blockchain: 'base',
  pay_token: 'USDC',
  settle_chain: 'base',
  settle_token: 'USDC',
  merchant_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  merchant_amount: String(toAtomic('1', 6)),
  fee_receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  fee_amount: String(toAtomic('0.005', 6)),
  merchant_id: 'demo-merchant',
  payer_address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
});
console.log(JSON.stringify(order));
