import {
  createOrder,
  createPaymentRequest,
  createPayLink,
  getSandbox,
  sendTestWebhook,
  startPayment,
  toResult,
} from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { CommandError, exitCodes, UsageError } from '../exit-codes';
import { webhookTypes } from '../generated/webhook-types';
import { renderTable } from '../output';
import { payPayLink } from '../pay/pay-link';
import { payOrder } from '../pay/pay-order';
import { didYouMean } from '../suggestion';

/** What really causes a type: a sentence for people. */
type Recipe = (context: CommandContext) => Promise<string>;

const token = 'USDC';
const chain = 'base';
const amount = '1000000';

async function newOrder(context: CommandContext): Promise<string> {
  const { accounts, merchant } = await getSandbox(context.client);
  const addressOf = (role: string): string => accounts.find((each) => each.role === role)!.address;
  const { order_id: id } = await createOrder(context.client, {
    pay_blockchain: chain,
    pay_token: token,
    settle_chain: chain,
    settle_token: token,
    merchant_address: merchant.wallet,
    merchant_amount: amount,
    fee_receiver: addressOf('fee_receiver'),
    fee_amount: '5000',
    merchant_id: 'tollbridge trigger',
    payer_address: addressOf('payer'),
  });
  return id;
}

async function newPayment({ client }: CommandContext): Promise<{ requestId: string; orderId: string }> {
  const description = 'tollbridge trigger';
  const request = await createPaymentRequest(client, { amount, currency: token, chain, description });
  const option = { from_token: token, from_chain: 'eip155:8453' };
  const started = await startPayment(client, { id: request.id, selected_option: option });
  return { requestId: request.id, orderId: started.order.order_id };
}

const paidOrder: Recipe = async (context) => {
  const id = await newOrder(context);
  await payOrder(context, id);
  return `order ${id} was created and paid`;
};

const recipes: Readonly<Record<string, Recipe>> = {
  'order.created': async (context) => `order ${await newOrder(context)} was created`,
  'order.settling': paidOrder,
  'order.settled': paidOrder,
  'payment.executing': async (context) =>
    `payment request ${(await newPayment(context)).requestId} was started`,
  'payment.completed': async (context) => {
    const { requestId, orderId } = await newPayment(context);
    await payOrder(context, orderId);
    return `payment request ${requestId} was started and paid`;
  },
  'paylink.paid': async (context) => {
    const { merchant } = await getSandbox(context.client);
    const { id } = await createPayLink(context.client, {
      name: 'tollbridge trigger',
      description: 'A link of the command line',
      amount,
      token,
      network: chain,
      receiveAddress: merchant.wallet,
    });
    await payPayLink(context, id);
    return `PayLink ${id} was created and paid`;
  },
};

/** Makes a webhook happen, or sends the example of its type. */
export async function run(context: CommandContext): Promise<number | void> {
  const { terminal, positionals, has, isJson } = context;
  if (has('list'))
    return terminal.out(isJson ? JSON.stringify(typeRows(), null, 2) : renderTable(typeRows()));
  const [type] = positionals;
  const known = Object.keys(webhookTypes);
  if (type === undefined) throw new UsageError('trigger needs a type.', 'Run: tollbridge trigger --list');
  if (!known.includes(type))
    throw new UsageError(
      `There is no webhook type ${type}.`,
      didYouMean(type, known, 'Run: tollbridge trigger --list'),
    );
  const recipe = has('example') ? undefined : recipes[type];
  const spending = { ...context, has: (name: string) => name === 'yes' || has(name) };
  const made = recipe ? { type, made: await recipe(spending) } : await sendExample(context, type);
  terminal.out(isJson ? JSON.stringify(made) : `${type}: ${made.made}`);
}

const typeRows = () =>
  Object.entries(webhookTypes).map(([type, when]) => ({
    type,
    trigger: type in recipes ? 'really happens' : 'example',
    when,
  }));

async function sendExample({ client }: CommandContext, type: string) {
  const result = await toResult(sendTestWebhook(client, { type: type as 'webhook.test' }));
  if (result.ok) {
    const { id, delivered, status, error } = result.value;
    // Without an endpoint there is no attempt.
    const isRecorded = status === null && error?.startsWith('Recorded');
    const failure = isRecorded ? 'was recorded for tollbridge listen' : `was not delivered: ${error}`;
    return { type, id, made: delivered ? `${id} was delivered, ${status}` : `${id} ${failure}` };
  }
  if (result.error.code !== 'CONFLICT') throw result.error;
  throw new CommandError(
    result.error.message,
    exitCodes.failed,
    'Run tollbridge listen in another terminal, or set webhookUrl.',
  );
}
