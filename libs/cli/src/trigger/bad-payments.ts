import { getOrder, reportOrderTransaction } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { sendCalls } from '../pay/evm-chain';
import { decidedPayment, payPayLink } from '../pay/pay-link';
import { localChain, tokenTransfer } from '../pay/pay-order';
import { sandboxPayer } from '../pay/sandbox-payer';
import { eventually } from './eventually';
import { chainId, newPayLink, token } from './make';

/** Submits a transfer of one cent to the payer itself for an order, which it does not pay. */
export async function failOrder(context: CommandContext, id: string): Promise<void> {
  const { client, terminal } = context;
  const payer = await sandboxPayer(client);
  const chain = localChain(payer, chainId);
  const transfer = await tokenTransfer(chain, token, payer.address, 10_000n);
  const hash = await sendCalls(chain, payer.privateKey, [transfer]);
  await reportOrderTransaction(client, { id, tx_hash: hash });
  const isFailed = async () => ((await getOrder(client, { id })).status === 'failed' ? true : undefined);
  await eventually(isFailed, `Order ${id} has not failed`, terminal.signal);
}

/** Pays a PayLink for one payment twice. Resolves to its id. */
export async function overpayLink(context: CommandContext): Promise<string> {
  const payer = await sandboxPayer(context.client);
  const { wallet: receiveAddress } = payer.sandbox.merchant;
  const id = await newPayLink(context, { token, network: chainId, receiveAddress, maxPayments: 1 });
  await payPayLink(context, id);
  const chain = localChain(payer, chainId);
  const second = await tokenTransfer(chain, token, receiveAddress, 1_000_000n);
  const txHash = await sendCalls(chain, payer.privateKey, [second]);
  await decidedPayment(context, id, txHash);
  return id;
}
