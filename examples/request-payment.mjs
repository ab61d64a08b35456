// Requests a payment as the merchant, chooses an option as the payer, and prints the payment instructions.
import { createClient, createPaymentRequest, getSandbox, startPayment, toAtomic } from '@tollbridge/sdk';

const baseUrl = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const { merchant } = await getSandbox(createClient({ baseUrl }));
const shop = createClient({ baseUrl, apiKey: merchant.secret });
const request = await createPaymentRequest(shop, {
  amount: String(toAtomic('12.5', 6)),
  currency: 'USDC',
  chain: 'base',
  description: 'Two pounds of tea',
});

const payer = createClient({ baseUrl });
const payment = await startPayment(payer, {
  id: request.id,
  selected_option: { from_token: 'USDC', from_chain: 'base' },
});
console.log(JSON.stringify(payment));
