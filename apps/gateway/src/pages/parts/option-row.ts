import { findChain } from '@tollbridge/chains';
import type { PaymentOption } from '@tollbridge/contracts';
import { html, type Html } from './html';
import type { HeldOption } from '../wallets/held-options';
import { shortAmount } from './short-amount';
import { dollars } from './summary';
import { ltr, type Language } from '../texts/language';

/**
 * One payment option as a button. If the route provider may have to refund and no wallet is connected, the button opens
 * a form for the refund address.
 * @param payers wallet addresses by chain family
 */
export function optionRow(
  requestId: string,
  option: HeldOption,
  payers: Readonly<Record<string, string>>,
  language: Language,
): Html {
  const { from_token: token, from_chain_name: chain } = option;
  const payer = payers[findChain(option.from_chain)?.family ?? ''];
  const action = language.href(`/checkout/${requestId}/pay`);
  const button = html`<button class="row">${content(option, language)}</button>`;
  if (option.execution_strategy === 'direct') return form(action, option, button);
  if (payer !== undefined) {
    const refundTo = html`<input type="hidden" name="payer_address" value="${payer}" />`;
    return form(action, option, html`${refundTo} ${button}`);
  }
  const fields = html`${addressField(option, language)}
    <button>${language.rich('payWith', { token, chain })}</button>`;
  return html`<details class="option-form">
    <summary class="row">${content(option, language)}</summary>
    ${form(action, option, fields)}
  </details>`;
}

function form(action: string, { from_token: token, from_chain: chain }: PaymentOption, fields: Html): Html {
  return html`<form
    class="option"
    method="post"
    action="${action}"
    data-token="${token}"
    data-chain="${chain}"
  >
    <input type="hidden" name="from_token" value="${token}" />
    <input type="hidden" name="from_chain" value="${chain}" />
    ${fields}
  </form>`;
}

function addressField(option: PaymentOption, { rich }: Language): Html {
  const { from_token: token, from_chain: id, needs_payer_address: isNeeded, from_chain_name: chain } = option;
  const field = `payer-${id}-${token}`.replace(/[^\w-]/g, '-');
  return html`<label for="${field}"
      >${rich(isNeeded ? 'refundAddress' : 'refundAddressOptional', { chain })}</label
    >
    <input
      id="${field}"
      name="payer_address"
      dir="ltr"
      ${isNeeded && html`required`}
      maxlength="256"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />`;
}

function content(option: HeldOption, language: Language): Html {
  const { from_amount_usd: usd, held, from_chain_name: chain, from_token: token } = option;
  const time = language.duration(option.estimated_seconds);
  return html`<img src="${option.logo}" alt="" width="36" height="36" fetchpriority="low" />
    <span class="grow"
      ><strong>${ltr(token)}</strong>
      <span class="soft">${language.rich('onChainAbout', { chain, time })}</span>
      ${held && heldPart(held, option, language)}</span
    >
    <span class="amount"
      ><strong>${ltr(language.amount(shortAmount(option.from_amount_formatted, 'up')))}</strong>
      ${usd !== null && html`<span class="soft">${dollars(usd, language)}</span>`}</span
    >`;
}

/** For example `You hold 3.20 USDC; 12.50 needed`, before a wallet opens. */
function heldPart(
  { balance, isEnough, lacksFee }: NonNullable<HeldOption['held']>,
  { from_token: token, from_chain, from_amount_formatted: needed }: PaymentOption,
  language: Language,
): Html {
  const { rich } = language;
  const amount = ltr(`${language.amount(shortAmount(balance, 'down'))} ${token}`);
  const coin = findChain(from_chain)?.tokens.find(({ address }) => address === null)?.symbol ?? '';
  const sentence = isEnough
    ? rich('youHold', { amount })
    : lacksFee
      ? rich('youHoldNoFee', { amount, coin: ltr(coin) })
      : rich('youHoldTooLittle', { amount, needed: ltr(language.amount(shortAmount(needed, 'up'))) });
  return html`<span class="soft ${isEnough ? 'enough' : 'short'}">${sentence}</span>`;
}
