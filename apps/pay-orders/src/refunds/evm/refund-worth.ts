import { Injectable } from '@nestjs/common';
import { unitsWorth } from '@tollbridge/prices';
import { TokenPrices } from '../../prices/token-prices';
import type { RefundPlace } from './refund-places';

/** The decimals of the native coin of every EVM chain. */
const coinDecimals = 18;

/** Converts values of refunds to the coin that pays for gas. */
@Injectable()
export class RefundWorth {
  constructor(private readonly prices: TokenPrices) {}

  /** In wei; undefined without recent prices of both. */
  weiOf({ chain, token }: RefundPlace, amountAtomic: bigint): bigint | undefined {
    const usd = this.prices.value(chain.id, token, amountAtomic);
    const coin = this.prices.usd(chain.id, null);
    return usd === null || coin === undefined ? undefined : unitsWorth(usd, coinDecimals, coin);
  }
}
