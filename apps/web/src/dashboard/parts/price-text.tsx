import type * as sdk from '@tollbridge/sdk';
import type { ReactNode } from 'react';
import { formatTime } from '../format/times';

/** For example `49.90 EUR`. */
export const priceText = ({ amount, currency }: sdk.Price): string => `${amount} ${currency}`;

/** The rate of an amount, with its time and its sources. */
export function RateText({ rate }: { rate: sdk.ExchangeRate }) {
  const [token, currency] = rate.pair.split('/');
  const spread = rate.spread_bps > 0 ? `, spread ${rate.spread_bps / 100} %` : '';
  return (
    <>
      1 {token} = {rate.value} {currency} ({rate.source}, {formatTime(rate.time)}
      {spread})
    </>
  );
}

/** The price and the rate of an object that has them, for a list of facts. */
export function priceFacts({
  price,
  rate,
}: Pick<sdk.MerchantPayment, 'price' | 'rate'>): [string, ReactNode][] {
  if (!price || !rate) return [];
  return [
    ['Price', priceText(price)],
    ['Rate', <RateText key="rate" rate={rate} />],
  ];
}
