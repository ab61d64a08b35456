import type { OrderReply, PaymentStatusReply, WalletCall } from '@tollbridge/contracts';
import { html, type Html } from '../parts/html';
import type { Page } from '../parts/layout';
import { isPayable } from './pay-state';
import { english } from '../texts/languages';

/** The actions of the panel on a sandbox payment. */
export const sandboxActions = ['pay', 'underpay', 'late', 'expire'] as const;
export type SandboxAction = (typeof sandboxActions)[number];

const labels = {
  pay: 'sandboxPay',
  underpay: 'sandboxUnderpay',
  late: 'sandboxLate',
  expire: 'sandboxExpire',
} as const;

/**
 * The actions that are possible for this kind of payment. A contract accepts neither a part of an amount nor a payment
 * after its deadline.
 */
export function sandboxActionsOf(status: PaymentStatusReply, order: OrderReply | undefined): SandboxAction[] {
  if (!isPayable(status, order)) return [];
  const canSend = status.instructions?.pay || status.instructions?.transfer || isOnLedger(status);
  if (!canSend) return ['expire'];
  return status.order.direct ? ['pay', 'expire'] : [...sandboxActions];
}

/** Whether the deposit is on a chain without a local node, so that the simulator of the route provider holds it. */
export const isOnLedger = ({ order, instructions }: PaymentStatusReply): boolean =>
  order.cross_chain !== null &&
  !instructions?.transfer &&
  ledgerChains.test(order.cross_chain.deposit_blockchain);

// The local networks of the other families accept real transfers only.
const ledgerChains = /^(?!eip155:|ton$|solana$|tron$|sui$)/;

/** Adds the panel to the page. It uses plain forms, so that it works without a script. */
export function withSandboxPanel(
  page: Page,
  status: PaymentStatusReply,
  order: OrderReply | undefined,
): Page {
  const actions = sandboxActionsOf(status, order);
  if (actions.length === 0) return page;
  const path = `/checkout/${status.payment_request_id}/${status.payment_id}/sandbox`;
  const action = page.language?.href(path) ?? path;
  const language = page.language ?? english;
  const form = (name: SandboxAction): Html =>
    html`<form method="post" action="${action}">
      <input type="hidden" name="action" value="${name}" />
      <button class="button quiet">${language.text(labels[name])}</button>
    </form>`;
  const body = html`${page.body}
    <section class="sandbox" aria-labelledby="sandbox-title">
      <h2 id="sandbox-title">${language.text('sandboxTitle')}</h2>
      <p class="soft">${language.text('sandboxAbout')}</p>
      <div class="actions">${actions.map(form)}</div>
    </section>`;
  return { ...page, body };
}

/** The transactions that pay the exact amount, or the missing amount. */
export function callsToPay(status: PaymentStatusReply, order: OrderReply | undefined): WalletCall[] {
  const { approve = null, pay = null, transfer = null } = status.instructions ?? {};
  if (pay) return [...(approve ? [approve] : []), pay];
  return transfer ? [transferOf(transfer, amountDue(status, order))] : [];
}

/** The transfer with another amount. The amount is the last word of its data, or its value for the native coin. */
export function transferOf(transfer: WalletCall, amountAtomic: bigint): WalletCall {
  if (transfer.value !== '0') return { ...transfer, value: String(amountAtomic) };
  const word = amountAtomic.toString(16).padStart(64, '0');
  return { ...transfer, data: `${transfer.data.slice(0, -64)}${word}` };
}

/** The missing amount of a deposit, in the smallest unit. */
export function amountDue({ order }: PaymentStatusReply, read: OrderReply | undefined): bigint {
  const arrived = BigInt(read?.cross_chain?.deposited_amount ?? 0);
  const due = BigInt(order.cross_chain?.deposit_amount ?? 0) - arrived;
  return due > 0n ? due : 0n;
}
