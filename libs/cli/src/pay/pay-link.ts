import {
  getPayablePaymentRequest,
  getPaymentStatus,
  getPublicPayLink,
  reportPayLinkPayment,
  startPayment,
  type PublicPayLink,
} from '@tollbridge/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '../command';
import { CommandError } from '../exit-codes';
import { sendCalls } from './evm-chain';
import { networkOf, networkToken, openWallet, payerOf } from './sandbox-networks';
import { localChain, payOrder, tokenTransfer, type PaidOrder } from './pay-order';
import { sandboxPayer, type SandboxPayer } from './sandbox-payer';
import { confirmSpending } from './spending';

/** Pays a payment request with its direct option, or pays a payment that was started. */
export async function payCheckout(
  context: CommandContext,
  requestId: string,
  paymentId: string | undefined,
): Promise<PaidOrder> {
  const { client } = context;
  if (paymentId !== undefined)
    return payOrder(context, (await getPaymentStatus(client, { id: paymentId })).order_id);
  const { address, sandbox } = await sandboxPayer(client);
  const { payment_options: options } = await getPayablePaymentRequest(client, {
    id: requestId,
    payer_address: address,
  });
  const option = options.find(
    ({ execution_strategy: way, from_chain: chain }) =>
      way === 'direct' && (chain.startsWith('eip155:') || networkOf(sandbox, chain) !== undefined),
  );
  if (!option) throw new CommandError('The payment request has no direct option on a local network.');
  const { from_token, from_chain } = option;
  const network = networkOf(sandbox, from_chain);
  const started = await startPayment(client, {
    id: requestId,
    selected_option: { from_token, from_chain },
    payer_address: network ? payerOf(network).address : address,
  });
  return payOrder(context, started.order.order_id);
}

export interface PaidLink {
  paylink_id: string;
  status: string;
  transaction: string;
}

const verifyTimeoutMs = 120_000;

/** Transfers the amount of a PayLink to its address, and submits the transaction until it is verified. */
export async function payPayLink(context: CommandContext, id: string): Promise<PaidLink> {
  const { client, terminal } = context;
  const payer = await sandboxPayer(client);
  const link = await getPublicPayLink(client, { id });
  const { network, token: symbol, decimals, name } = link;
  const amountAtomic = BigInt(link.openAmount ? (link.minAmount ?? link.amount) : link.amount);
  if (amountAtomic === 0n)
    throw new CommandError('The payer chooses the amount of this PayLink: open its page.');
  const cost = { amountAtomic, decimals, symbol, fees: 'and gas on the local chain' };
  await confirmSpending(context, { ...cost, purpose: `PayLink ${name} on ${network}` });
  const transaction = await transferTo(link, payer, amountAtomic);
  terminal.note(`paid by ${transaction}`);
  await untilVerified(context, id, transaction);
  return { paylink_id: id, status: 'verified', transaction };
}

type Session = Pick<CommandContext, 'client'> & { terminal: Pick<CommandContext['terminal'], 'signal'> };

/**
 * Submits the transaction until it is verified.
 * @throws CommandError when it does not pay the PayLink, or the verification takes too long
 */
export async function untilVerified(session: Session, id: string, transaction: string): Promise<void> {
  // A reply without a status means that the transaction does not pay this PayLink and is not stored.
  const { success, status = 'rejected', error } = await decidedPayment(session, id, transaction);
  if (!success) throw new CommandError(`The payment is ${status}: ${error ?? 'no reason'}`);
}

/** Submits the transaction until its status is final. @throws CommandError when that takes too long */
export async function decidedPayment({ client, terminal: { signal } }: Session, id: string, txHash: string) {
  for (
    const end = performance.now() + verifyTimeoutMs;
    performance.now() < end;
    await sleep(500, undefined, { signal })
  ) {
    const reply = await reportPayLinkPayment(client, { id, txHash });
    if (reply.success || reply.status !== 'pending') return reply;
  }
  throw new CommandError(`The payment ${txHash} is not verified yet. Submit it later.`);
}

/** Transfers an amount to the address of a PayLink. Resolves to the transaction hash. */
async function transferTo(
  { network: name, token: symbol, receiveAddress, reference }: PublicPayLink,
  payer: SandboxPayer,
  amountAtomic: bigint,
): Promise<string> {
  const network = networkOf(payer.sandbox, name);
  if (network) {
    const token = networkToken(network, symbol);
    return (await openWallet(network)).transfer(token, receiveAddress, amountAtomic);
  }
  const chain = localChain(payer, name);
  const transfer = await tokenTransfer(chain, symbol, receiveAddress, amountAtomic);
  // The reference identifies this PayLink. It is omitted for coins, because a contract may reject a coin transfer with
  // data.
  const named = transfer.data === '0x' ? undefined : reference?.slice(2);
  return sendCalls(chain, payer.privateKey, [{ ...transfer, data: transfer.data + (named ?? '') }]);
}
