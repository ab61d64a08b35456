import { createPaymentRequest, getOrder, startPayment } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { CommandError } from '../exit-codes';
import { sendCalls } from '../pay/evm-chain';
import { localChain, tokenTransfer } from '../pay/pay-order';
import { sandboxPayer } from '../pay/sandbox-payer';
import { eventually } from './eventually';
import { chain as merchantsChain, label, token } from './make';

// Above the minimum amount of the route provider.
const asked = '25000000';
// The simulator of the route provider fails amounts with this ending.
const failing = '25006411';

/**
 * Pays twice the deposit of a payment without a payer. The excess is forwarded to its sender. Resolves to the order id.
 */
export async function refundOverpaid(context: CommandContext): Promise<string> {
  const { client, terminal } = context;
  const { order_id: id } = await payDeposit(context, { amount: asked, times: 2n });
  const isSent = async () => {
    const { cross_chain: found } = await getOrder(client, { id });
    return found?.forwarded_refunds.some(({ state }) => state === 'sent') ? true : undefined;
  };
  await eventually(isSent, `The refund of order ${id} is not forwarded`, terminal.signal);
  return id;
}

/** Pays an amount that the simulated route provider fails to deliver. Resolves to the payment request id. */
export async function failPayment(context: CommandContext): Promise<string> {
  const { client, terminal } = context;
  const { requestId, order_id: id } = await payDeposit(context, { amount: failing, times: 1n });
  const isFailed = async () => ((await getOrder(client, { id })).status === 'failed' ? true : undefined);
  await eventually(isFailed, `Order ${id} has not failed`, terminal.signal);
  return requestId;
}

/** Starts a payment without a payer from another chain, and pays a multiple of its deposit. */
async function payDeposit(
  { client }: CommandContext,
  { amount, times }: { amount: string; times: bigint },
): Promise<{ requestId: string; order_id: string }> {
  const payer = await sandboxPayer(client);
  const request = { amount, currency: token, chain: merchantsChain, description: label };
  const { id } = await createPaymentRequest(client, request);
  const selected_option = { from_token: token, from_chain: 'eip155:42161' };
  const { order } = await startPayment(client, { id, selected_option });
  const deposit = order.cross_chain;
  if (!deposit) throw new CommandError('The payment has no deposit address.');
  const chain = localChain(payer, deposit.deposit_blockchain);
  const paid = BigInt(deposit.deposit_amount) * times;
  const transfer = await tokenTransfer(chain, deposit.deposit_token, deposit.deposit_address, paid);
  await sendCalls(chain, payer.privateKey, [transfer]);
  return { requestId: id, order_id: order.order_id };
}
