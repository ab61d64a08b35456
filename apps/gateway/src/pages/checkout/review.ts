import type {
  OrderReply,
  PaymentReviewReply,
  PaymentStatusReply,
  WalletHolding,
} from '@tollbridge/contracts';
import { findChain, findToken } from '@tollbridge/chains';
import { Decimal } from '@tollbridge/money';
import { html, type Html } from '../parts/html';
import type { PaymentTerms } from './payment-terms';
import { shortAmount } from '../parts/short-amount';
import { fact, unreadPart } from '../parts/summary';
import { ltr, type Language } from '../texts/language';

/** The review before a wallet opens: amount, rate, network fee, receiver, and the balance of the wallet. */
export function reviewPart(
  status: PaymentStatusReply,
  { order, review, payers = {} }: Pick<PaymentTerms, 'order' | 'review' | 'payers'>,
  language: Language,
): Html {
  const { text } = language;
  const { fee } = review ?? {};
  const isUnread = isReviewUnread(review);
  const hasPayer = payers[findChain(status.from_chain)?.family ?? ''] !== undefined;
  const { cross_chain: deposit } = status.order;
  const receiver = deposit?.deposit_address ?? status.payment_request.receive_address;
  const rate = rateOf(status, order, language);
  return html`<dl class="review">
      ${review && fact(text('amount'), ltr(`${language.amount(review.needed.amount)} ${review.needed.symbol}`))}
      ${rate !== null && fact(text('rate'), ltr(rate))}
      ${fee ? fact(text('networkFee'), ltr(`≈ ${language.amount(shortAmount(fee.amount, 'up'))} ${fee.symbol}`)) : isUnread && fact(text('networkFee'), ltr('…'))}
      ${fact(text('receivedBy'), html`<bdi dir="ltr" class="hash">${receiver}</bdi>`)}
    </dl>
    ${review?.wallet ? holdingPart(review.wallet, review, language) : hasPayer && isUnread && unreadPart(language)}`;
}

/** Whether a repeated request may return data that this review lacks. */
export const isReviewUnread = (review: PaymentReviewReply | undefined): boolean =>
  review === undefined || review.is_unread === true;

/** For example `You hold 3.20 USDC; 12.50 needed`. */
function holdingPart(
  { held, is_enough, short }: WalletHolding,
  { needed, fee }: PaymentReviewReply,
  language: Language,
): Html {
  const { rich } = language;
  const amount = ltr(`${language.amount(shortAmount(held.amount, 'down'))} ${held.symbol}`);
  const sentence = is_enough
    ? rich('youHold', { amount })
    : short === 'coin'
      ? rich('youHoldNoFee', { amount, coin: ltr(fee?.symbol ?? '') })
      : rich('youHoldTooLittle', { amount, needed: ltr(language.amount(shortAmount(needed.amount, 'up'))) });
  return html`<p class="holding ${is_enough ? 'enough' : 'short'}" role="status">${sentence}</p>`;
}

// The significant digits that a reader needs in a price.
const rateDigits = 6;
const rateScale = 18;

/** The value of one pay token in the merchant's token; null when both tokens are the same. */
function rateOf(
  status: PaymentStatusReply,
  order: OrderReply | undefined,
  language: Language,
): string | null {
  const { cross_chain: deposit } = status.order;
  const { currency, amount, chain } = status.payment_request;
  const [from, to] = [tokenOf(status.from_chain, status.from_token), tokenOf(chain, currency)];
  if (!deposit || !from || !to || from.symbol === to.symbol) return null;
  const paid = BigInt(order?.cross_chain?.deposit_amount ?? deposit.deposit_amount);
  if (paid <= 0n) return null;
  const received = Decimal.fromAtomic(BigInt(amount), to.decimals);
  const rate = received.dividedDown(Decimal.fromAtomic(paid, from.decimals), rateScale);
  return `1 ${from.symbol} ≈ ${language.amount(rate.significantDown(rateDigits).text)} ${to.symbol}`;
}

function tokenOf(chainId: string, symbol: string) {
  const chain = findChain(chainId);
  return chain && findToken(chain, symbol);
}
