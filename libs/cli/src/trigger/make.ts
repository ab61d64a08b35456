import {
  createOrder,
  createPaymentRequest,
  createPayLink,
  getSandbox,
  startPayment,
  type SandboxReply,
} from '@tollbridge/sdk';
import type { CommandContext } from '../command';

export const token = 'USDC';
export const chain = 'base';
export const chainId = 'eip155:8453';
export const amount = '1000000';
export const label = 'tollbridge trigger';

/** Returns the address of a sandbox account. */
export const addressOf = ({ accounts }: SandboxReply, role: string): string =>
  accounts.find((each) => each.role === role)!.address;

/** Creates an order of the demo merchant. Resolves to the order id. */
export async function newOrder(
  { client }: Pick<CommandContext, 'client'>,
  merchantAmount = amount,
): Promise<string> {
  const sandbox = await getSandbox(client);
  const { order_id: id } = await createOrder(client, {
    pay_blockchain: chain,
    pay_token: token,
    settle_chain: chain,
    settle_token: token,
    merchant_address: sandbox.merchant.wallet,
    merchant_amount: merchantAmount,
    fee_receiver: addressOf(sandbox, 'fee_receiver'),
    fee_amount: '5000',
    merchant_id: label,
    payer_address: addressOf(sandbox, 'payer'),
  });
  return id;
}

/** Creates a payment request and starts its direct payment. */
export async function newPayment({ client }: CommandContext) {
  const request = await createPaymentRequest(client, { amount, currency: token, chain, description: label });
  const option = { from_token: token, from_chain: chainId };
  const started = await startPayment(client, { id: request.id, selected_option: option });
  return { requestId: request.id, paymentId: started.payment_id, orderId: started.order.order_id };
}

/** Creates a PayLink. Resolves to the PayLink id. */
export async function newPayLink(
  { client }: CommandContext,
  where: { token: string; network: string; receiveAddress: string; maxPayments?: number },
): Promise<string> {
  const { id } = await createPayLink(client, { name: label, description: label, amount, ...where });
  return id;
}
