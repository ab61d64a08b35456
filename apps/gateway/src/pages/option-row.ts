import { findChain } from '@tollbridge/chains';
import type { PaymentOption } from '@tollbridge/contracts';
import { html, type Html } from './html';
import type { HeldOption } from './held-options';
import { shortAmount } from './short-amount';
import { dollars } from './summary';

/**
 * One way to pay. A row is a button, or opens a form where the route provider may have to refund and no wallet is
 * connected: the payer says where to.
 * @param payers family to address
 */
export function optionRow(
  requestId: string,
  option: HeldOption,
  payers: Readonly<Record<string, string>>,
): Html {
  const { from_token: token, from_chain_name: chainName } = option;
  const payer = payers[findChain(option.from_chain)?.family ?? ''];
  const button = html`<button class="row">${content(option)}</button>`;
  if (option.execution_strategy === 'direct') return form(requestId, option, button);
  if (payer !== undefined) {
    const refundTo = html`<input type="hidden" name="payer_address" value="${payer}" />`;
    return form(requestId, option, html`${refundTo} ${button}`);
  }
  const fields = html`${addressField(option)} <button>Pay with ${token} on ${chainName}</button>`;
  return html`<details class="option-form">
    <summary class="row">${content(option)}</summary>
    ${form(requestId, option, fields)}
  </details>`;
}

function form(
  requestId: string,
  { from_token: token, from_chain: chain }: PaymentOption,
  fields: Html,
): Html {
  return html`<form
    class="option"
    method="post"
    action="/checkout/${requestId}/pay"
    data-token="${token}"
    data-chain="${chain}"
  >
    <input type="hidden" name="from_token" value="${token}" />
    <input type="hidden" name="from_chain" value="${chain}" />
    ${fields}
  </form>`;
}

function addressField(option: PaymentOption): Html {
  const { from_token: token, from_chain: chain, needs_payer_address: isNeeded } = option;
  const field = `payer-${chain}-${token}`.replace(/[^\w-]/g, '-');
  return html`<label for="${field}"
      >Your address on ${option.from_chain_name}, for
      refunds${!isNeeded && html` (required only when you pay from an exchange)`}</label
    >
    <input
      id="${field}"
      name="payer_address"
      ${isNeeded && html`required`}
      maxlength="256"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />`;
}

function content(option: HeldOption): Html {
  const { from_amount_usd: usd, held } = option;
  return html`<img src="${option.logo}" alt="" width="36" height="36" />
    <span class="grow"
      ><strong>${option.from_token}</strong>
      <span class="soft">on ${option.from_chain_name}, about ${option.estimated_time}</span>
      ${
        held &&
        html`<span class="soft ${held.isEnough ? 'enough' : 'short'}"
          >You hold ${shortAmount(held.balance, 'down')}
          ${option.from_token}${!held.isEnough && html`: not enough`}</span
        >`
      }</span
    >
    <span class="amount"
      ><strong>${shortAmount(option.from_amount_formatted, 'up')}</strong>
      ${usd !== null && html`<span class="soft">$${dollars(usd)}</span>`}</span
    >`;
}
