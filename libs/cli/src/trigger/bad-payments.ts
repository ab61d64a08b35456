import { getOrder, reportOrderTransaction } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { sendCalls } from '../pay/evm-chain';
import { decidedPayment, payPayLink } from '../pay/pay-link';
import { localChain, tokenTransfer } from '../pay/pay-order';
import { sandboxPayer, type SandboxPayer } from '../pay/sandbox-payer';
import { eventually } from './eventually';
import { chainId, newOrder, newPayLink, token } from './make';

/**
 * Submits a transaction for a new order that does not pay it: one cent to the payer itself. Resolves to the order id.
 */
export async function misreportOrder(context: CommandContext): Promise<string> {
  const { client, terminal } = context;
  const id = await newOrder(context);
  const payer = await sandboxPayer(client);
  const hash = await sendTransfer(payer, payer.address, 10_000n);
  await reportOrderTransaction(client, { id, tx_hash: hash });
  const isRejected = async () =>
    (await getOrder(client, { id })).last_report?.outcome === 'rejected' ? true : undefined;
  await eventually(isRejected, `The report for order ${id} is not rejected`, terminal.signal);
  return id;
}

/** Transfers half of a new order's amount to the merchant without the payment contract. Resolves to the order id. */
export async function halfPayOrder(context: CommandContext): Promise<string> {
  const { client, terminal } = context;
  const id = await newOrder(context);
  const payer = await sandboxPayer(client);
  const hash = await sendTransfer(payer, payer.sandbox.merchant.wallet, 500_000n);
  await reportOrderTransaction(client, { id, tx_hash: hash });
  const isFound = async () => ((await getOrder(client, { id })).exceptions.length > 0 ? true : undefined);
  await eventually(isFound, `The transfer for order ${id} is not found`, terminal.signal);
  return id;
}

async function sendTransfer(payer: SandboxPayer, to: string, amountAtomic: bigint): Promise<string> {
  const chain = localChain(payer, chainId);
  return sendCalls(chain, payer.privateKey, [await tokenTransfer(chain, token, to, amountAtomic)]);
}

/** Pays half of a PayLink. Resolves to the PayLink id. */
export async function underpayLink(context: CommandContext): Promise<string> {
  const payer = await sandboxPayer(context.client);
  const { wallet: receiveAddress } = payer.sandbox.merchant;
  const id = await newPayLink(context, { token, network: chainId, receiveAddress });
  const txHash = await sendTransfer(payer, receiveAddress, 500_000n);
  await decidedPayment(context, id, txHash);
  return id;
}

/** Pays a single-payment PayLink twice. Resolves to the PayLink id. */
export async function overpayLink(context: CommandContext): Promise<string> {
  const payer = await sandboxPayer(context.client);
  const { wallet: receiveAddress } = payer.sandbox.merchant;
  const id = await newPayLink(context, { token, network: chainId, receiveAddress, maxPayments: 1 });
  await payPayLink(context, id);
  const txHash = await sendTransfer(payer, receiveAddress, 1_000_000n);
  await decidedPayment(context, id, txHash);
  return id;
}
