import { createPaymentRequest, getOrder, startPayment } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { CommandError } from '../exit-codes';
import { sendCalls } from '../pay/evm-chain';
import { localChain, tokenTransfer } from '../pay/pay-order';
import { sandboxPayer } from '../pay/sandbox-payer';
import { eventually } from './eventually';
import { chain as merchantsChain, label, token } from './make';

// Above the smallest amount of the route provider.
const asked = '25000000';

/** Pays twice the deposit of a payment without a payer: the rest is forwarded to its sender. Resolves to the order. */
export async function refundOverpaid(context: CommandContext): Promise<string> {
  const { client, terminal } = context;
  const payer = await sandboxPayer(client);
  const request = { amount: asked, currency: token, chain: merchantsChain, description: label };
  const { id } = await createPaymentRequest(client, request);
  const selected_option = { from_token: token, from_chain: 'eip155:42161' };
  const { order } = await startPayment(client, { id, selected_option });
  const deposit = order.cross_chain;
  if (!deposit) throw new CommandError('The payment has no deposit address.');
  const chain = localChain(payer, deposit.deposit_blockchain);
  const twice = BigInt(deposit.deposit_amount) * 2n;
  const transfer = await tokenTransfer(chain, deposit.deposit_token, deposit.deposit_address, twice);
  await sendCalls(chain, payer.privateKey, [transfer]);
  const isSent = async () => {
    const { cross_chain: found } = await getOrder(client, { id: order.order_id });
    return found?.forwarded_refunds.some(({ state }) => state === 'sent') ? true : undefined;
  };
  await eventually(isSent, `The refund of order ${order.order_id} is not forwarded`, terminal.signal);
  return order.order_id;
}
