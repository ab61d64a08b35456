import { getSandbox, orderGiftCard, reportPayLinkPayment, submitPayout } from '@tollbridge/sdk';
import { randomBytes } from 'node:crypto';
import type { CommandContext } from '../command';
import { CommandError } from '../exit-codes';
import { payPayLink } from '../pay/pay-link';
import { payOrder } from '../pay/pay-order';
import { halfPayOrder, misreportOrder, overpayLink, underpayLink } from './bad-payments';
import { spendBudget } from './budgets';
import { addressOf, amount, chain, label, newOrder, newPayLink, newPayment, token } from './make';
import { failPayment, refundOverpaid } from './refund';
import { reorganiseOrder, reorganisePayLink } from './reorganise';
import { swap } from './swap';

/** Causes a webhook of one type. */
export interface Recipe {
  /** Description of the effect, for the list of types. */
  does: string;
  /** Resolves to a description of the result. */
  run(context: CommandContext): Promise<string>;
}

const paidOrder: Recipe = {
  does: 'creates an order and pays it',
  run: async (context) => {
    const id = await newOrder(context);
    await payOrder(context, id);
    return `order ${id} was created and paid`;
  },
};

const expired: Recipe = {
  does: 'starts a payment and lets it expire',
  run: async (context) => {
    const { requestId, paymentId } = await newPayment(context);
    await expirePayment(context, requestId, paymentId);
    return `payment request ${requestId} was started, and its payment expired`;
  },
};

const failed: Recipe = {
  does: 'pays across chains an amount that the route provider fails to deliver',
  run: async (context) => `payment request ${await failPayment(context)} was paid, and not delivered`,
};

/** The types that the sandbox can cause. `webhook.test` needs no recipe, because its API call sends it. */
export const recipes: Readonly<Record<string, Recipe>> = {
  'order.created': {
    does: 'creates an order',
    run: async (context) => `order ${await newOrder(context)} was created`,
  },
  'order.settling': paidOrder,
  'order.settled': paidOrder,
  'order.reopened': {
    does: 'submits a transaction that does not pay an order',
    run: async (context) =>
      `a transaction was submitted for order ${await misreportOrder(context)} that does not pay it`,
  },
  'order.exception': {
    does: 'transfers a half of an order to the merchant',
    run: async (context) => `a half of order ${await halfPayOrder(context)} was transferred to the merchant`,
  },
  'order.failed': failed,
  'order.expired': expired,
  'order.reorged': {
    does: 'pays an order and reorganises the local chain below the payment',
    run: async (context) => {
      const id = await newOrder(context);
      const { transaction } = await payOrder(context, id);
      await reorganiseOrder(context, id, transaction);
      return `order ${id} was paid, and its chain reorganised; it settled again`;
    },
  },
  'order.refunded': {
    does: 'pays an order across chains with too much',
    run: async (context) => `order ${await refundOverpaid(context)} was overpaid, and the rest sent back`,
  },
  'payment.executing': {
    does: 'starts a payment',
    run: async (context) => {
      const { requestId } = await newPayment(context);
      return `payment request ${requestId} was started`;
    },
  },
  'payment.completed': {
    does: 'starts a payment and pays it',
    run: async (context) => {
      const { requestId, orderId } = await newPayment(context);
      await payOrder(context, orderId);
      return `payment request ${requestId} was started and paid`;
    },
  },
  'payment.failed': failed,
  'payment.expired': expired,
  'paylink.paid': {
    does: 'creates a PayLink and pays it',
    run: async (context) => {
      const { merchant } = await getSandbox(context.client);
      const id = await newPayLink(context, { token, network: chain, receiveAddress: merchant.wallet });
      await payPayLink(context, id);
      return `PayLink ${id} was created and paid`;
    },
  },
  'paylink.payment_unverifiable': {
    does: 'submits a transaction for a PayLink on a chain without a node',
    run: async (context) => {
      // The address is on Bitcoin, because the sandbox has no Bitcoin node to verify the payment.
      const receiveAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
      const id = await newPayLink(context, { token: 'BTC', network: 'btc', receiveAddress });
      await reportPayLinkPayment(context.client, { id, txHash: randomBytes(32).toString('hex') });
      return `a transaction was submitted for PayLink ${id}`;
    },
  },
  'paylink.payment_rejected': {
    does: 'pays a PayLink for one payment twice',
    run: async (context) => `PayLink ${await overpayLink(context)} takes one payment, and was paid twice`,
  },
  'paylink.payment_reverted': {
    does: 'pays a PayLink and reorganises the local chain below the payment',
    run: async (context) => `PayLink ${await reorganisePayLink(context)} was paid, and its chain reorganised`,
  },
  'payment.exception': {
    does: 'pays half of a PayLink',
    run: async (context) => `PayLink ${await underpayLink(context)} was paid by half`,
  },
  'transaction.completed': {
    does: 'executes a swap',
    run: async (context) => `swap ${await swap(context, { fails: false })} was executed`,
  },
  'transaction.failed': {
    does: 'executes a swap from a wallet that has lost its tokens',
    run: async (context) => `swap ${await swap(context, { fails: true })} was executed without its tokens`,
  },
  'purchase.completed': {
    does: 'buys a gift card',
    run: (context) => buyGiftCard(context, 25),
  },
  'purchase.failed': {
    does: 'buys a gift card that the provider refunds',
    // The simulator of the provider accepts this amount, and refunds it a moment later.
    run: (context) => buyGiftCard(context, 25.65),
  },
  'key.budget_warning': {
    does: 'creates a key and spends 90 % of its budget',
    run: async (context) => `key ${await spendBudget(context, '10', '9000000')} spent 90 % of its budget`,
  },
  'key.budget_reached': {
    does: 'creates a key and spends its budget',
    // The amount plus the fee of the order.
    run: async (context) => `key ${await spendBudget(context, '1.005', amount)} spent its budget`,
  },
  'payout.updated': {
    does: 'submits a payout',
    run: async ({ client }) => {
      const sandbox = await getSandbox(client);
      const recipients = [{ address: addressOf(sandbox, 'stranger'), amount: 1 }];
      const { wallet } = sandbox.merchant;
      const { payoutId } = await submitPayout(client, { wallet, chain, token, recipients });
      return `payout ${payoutId} was submitted`;
    },
  },
};

/** Expires a payment with the sandbox panel of the checkout page. */
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
