import type {
  OrderReply,
  PaymentReviewReply,
  PaymentStatusReply,
  WalletHolding,
} from '@tollbridge/contracts';
import { findChain, findToken } from '@tollbridge/chains';
import { Decimal } from '@tollbridge/money';
import { html, type Html } from './html';
import { shortAmount } from './short-amount';
import { fact } from './summary';
import { ltr, type Language } from './texts/language';

/** What the payer reads before a wallet opens: amount, rate, network fee, receiver, and what the wallet holds. */
export function reviewPart(
  status: PaymentStatusReply,
  { order, review }: { order?: OrderReply | undefined; review?: PaymentReviewReply | undefined },
  language: Language,
): Html {
  const { text } = language;
  const { fee } = review ?? {};
  const { cross_chain: deposit } = status.order;
  const receiver = deposit?.deposit_address ?? status.payment_request.receive_address;
  const rate = rateOf(status, order);
  return html`<dl class="review">
      ${review && fact(text('amount'), ltr(`${review.needed.amount} ${review.needed.symbol}`))}
      ${rate !== null && fact(text('rate'), ltr(rate))}
      ${fee && fact(text('networkFee'), ltr(`≈ ${shortAmount(fee.amount, 'up', language.groupSeparator)} ${fee.symbol}`))}
      ${fact(text('receivedBy'), html`<bdi dir="ltr" class="hash">${receiver}</bdi>`)}
    </dl>
    ${review?.wallet && holdingPart(review.wallet, review, language)}`;
}

/** `You hold 3.20 USDC; 12.50 needed`. */
function holdingPart(
  { held, is_enough, short }: WalletHolding,
  { needed, fee }: PaymentReviewReply,
  { rich, groupSeparator: group }: Language,
): Html {
  const amount = ltr(`${shortAmount(held.amount, 'down', group)} ${held.symbol}`);
  const said = is_enough
    ? rich('youHold', { amount })
    : short === 'coin'
      ? rich('youHoldNoFee', { amount, coin: ltr(fee?.symbol ?? '') })
      : rich('youHoldTooLittle', { amount, needed: ltr(shortAmount(needed.amount, 'up', group)) });
  return html`<p class="holding ${is_enough ? 'enough' : 'short'}" role="status">${said}</p>`;
}

// As exact as a price needs to be for a reader.
const rateDigits = 6;
const rateScale = 18;

/** What one pay token is worth of the merchant's token; null where both are the same. */
function rateOf(status: PaymentStatusReply, order: OrderReply | undefined): string | null {
  const { cross_chain: deposit } = status.order;
  const { currency, amount, chain } = status.payment_request;
  const [from, to] = [tokenOf(status.from_chain, status.from_token), tokenOf(chain, currency)];
  if (!deposit || !from || !to || from.symbol === to.symbol) return null;
  const paid = BigInt(order?.cross_chain?.deposit_amount ?? deposit.deposit_amount);
  if (paid <= 0n) return null;
  const received = Decimal.fromAtomic(BigInt(amount), to.decimals);
  const rate = received.dividedDown(Decimal.fromAtomic(paid, from.decimals), rateScale);
  return `1 ${from.symbol} ≈ ${rate.significantDown(rateDigits).text} ${to.symbol}`;
}

function tokenOf(chainId: string, symbol: string) {
  const chain = findChain(chainId);
  return chain && findToken(chain, symbol);
}
