import {
  createOrder,
  createPaymentRequest,
  createPayLink,
  getSandbox,
  orderGiftCard,
  reportPayLinkPayment,
  startPayment,
  submitPayout,
} from '@tollbridge/sdk';
import { randomBytes } from 'node:crypto';
import type { CommandContext } from '../command';
import { CommandError } from '../exit-codes';
import { payPayLink } from '../pay/pay-link';
import { payOrder } from '../pay/pay-order';

/** Does what causes a type. Resolves to what was done. */
type Recipe = (context: CommandContext) => Promise<string>;

const token = 'USDC';
const chain = 'base';
const amount = '1000000';
const label = 'tollbridge trigger';

const paidOrder: Recipe = async (context) => {
  const id = await newOrder(context);
  await payOrder(context, id);
  return `order ${id} was created and paid`;
};

const expired: Recipe = async (context) => {
  const { requestId, paymentId } = await newPayment(context);
  await expirePayment(context, requestId, paymentId);
  return `payment request ${requestId} was started, and its payment expired`;
};

/** The types that the sandbox makes happen. */
export const recipes: Readonly<Record<string, Recipe>> = {
  'order.created': async (context) => `order ${await newOrder(context)} was created`,
  'order.settling': paidOrder,
  'order.settled': paidOrder,
  'order.expired': expired,
  'payment.executing': async (context) => {
    const { requestId } = await newPayment(context);
    return `payment request ${requestId} was started`;
  },
  'payment.completed': async (context) => {
    const { requestId, orderId } = await newPayment(context);
    await payOrder(context, orderId);
    return `payment request ${requestId} was started and paid`;
  },
  'payment.expired': expired,
  'paylink.paid': async (context) => {
    const { merchant } = await getSandbox(context.client);
    const id = await newPayLink(context, { token, network: chain, receiveAddress: merchant.wallet });
    await payPayLink(context, id);
    return `PayLink ${id} was created and paid`;
  },
  'paylink.payment_unverifiable': async (context) => {
    // The sandbox has no node of Bitcoin.
    const receiveAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    const id = await newPayLink(context, { token: 'BTC', network: 'btc', receiveAddress });
    await reportPayLinkPayment(context.client, { id, txHash: randomBytes(32).toString('hex') });
    return `a transaction was submitted for PayLink ${id}`;
  },
  'purchase.completed': (context) => buyGiftCard(context, 25),
  // The simulator of the provider accepts it and refunds it a moment later.
  'purchase.failed': (context) => buyGiftCard(context, 25.65),
  'payout.updated': async ({ client }) => {
    const { merchant, accounts } = await getSandbox(client);
    const { address } = accounts.find(({ role }) => role === 'stranger')!;
    const recipients = [{ address, amount: 1 }];
    const { payoutId } = await submitPayout(client, { wallet: merchant.wallet, chain, token, recipients });
    return `payout ${payoutId} was submitted`;
  },
};

async function newOrder({ client }: CommandContext): Promise<string> {
  const { accounts, merchant } = await getSandbox(client);
  const addressOf = (role: string): string => accounts.find((each) => each.role === role)!.address;
  const { order_id: id } = await createOrder(client, {
    pay_blockchain: chain,
    pay_token: token,
    settle_chain: chain,
    settle_token: token,
    merchant_address: merchant.wallet,
    merchant_amount: amount,
    fee_receiver: addressOf('fee_receiver'),
    fee_amount: '5000',
    merchant_id: label,
    payer_address: addressOf('payer'),
  });
  return id;
}

async function newPayment({ client }: CommandContext) {
  const request = await createPaymentRequest(client, { amount, currency: token, chain, description: label });
  const option = { from_token: token, from_chain: 'eip155:8453' };
  const started = await startPayment(client, { id: request.id, selected_option: option });
  return { requestId: request.id, paymentId: started.payment_id, orderId: started.order.order_id };
}

async function newPayLink(
  { client }: CommandContext,
  where: { token: string; network: string; receiveAddress: string },
): Promise<string> {
  const { id } = await createPayLink(client, { name: label, description: label, amount, ...where });
  return id;
}

/** By the panel of the checkout page, which the sandbox has. */
async function expirePayment(
  { client }: CommandContext,
  requestId: string,
  paymentId: string,
): Promise<void> {
  const reply = await fetch(`${client.baseUrl}/checkout/${requestId}/${paymentId}/sandbox`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'action=expire',
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  await reply.body?.cancel();
  if (reply.status !== 303)
    throw new CommandError(`The sandbox answers ${reply.status}: the payment did not expire.`);
}

async function buyGiftCard({ client }: CommandContext, unitPrice: number): Promise<string> {
  const customIdentifier = `trigger-${randomBytes(8).toString('hex')}`;
  const order = { productId: 1001, quantity: 1, unitPrice, senderName: label, customIdentifier };
  const { transactionId } = await orderGiftCard(client, order);
  return `gift card ${transactionId} was ordered`;
}
