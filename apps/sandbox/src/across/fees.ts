import { scaled, usdText, type Priced } from '../oneclick/quote-maths';
import { wireAddress, type MarketToken } from '../markets/market';
import type { Price } from '../prices/price-table';
import { pricedAs, wholeWad, type SwapPlan } from './plan-swap';
import type { BridgeFees, FeeComponent, TotalFees, WireToken } from './wire';

export function wireToken(token: MarketToken): WireToken {
  const { symbol, decimals, chain } = token;
  return { address: wireAddress(token), symbol, decimals, chainId: chain.chainId! };
}

interface FeeBase {
  token: MarketToken;
  /** The amount that the percentage refers to. */
  ofAtomic: bigint;
  prices: ReadonlyMap<string, Price>;
}

function component(amountAtomic: bigint, { token, ofAtomic, prices }: FeeBase): FeeComponent {
  return {
    amount: String(amountAtomic),
    amountUsd: usdText(amountAtomic, pricedAs(token, prices)),
    pct: String(ofAtomic === 0n ? 0n : (amountAtomic * wholeWad) / ofAtomic),
    token: wireToken(token),
  };
}

export function bridgeFees({ bridge, prices }: SwapPlan): BridgeFees {
  const { tokenIn, amountInAtomic, fee } = bridge;
  const base = { token: tokenIn, ofAtomic: amountInAtomic, prices };
  return {
    ...component(fee.totalAtomic, base),
    details: {
      type: 'across',
      lp: component(0n, base),
      relayerCapital: component(fee.capitalAtomic, base),
      destinationGas: component(fee.gasAtomic, base),
    },
  };
}

/** Total fees of the route in the input token, and the part of them that does not belong to the bridge. */
export function totalFees(plan: SwapPlan, kind: 'expected' | 'most'): TotalFees {
  const { input, output, amountInAtomic, amountOutAtomic, minAmountOutAtomic, prices, bridge } = plan;
  const base = { token: input, ofAtomic: amountInAtomic, prices };
  const priced = pricedAs(input, prices);
  const delivered = kind === 'expected' ? amountOutAtomic : minAmountOutAtomic;
  const back = convert(delivered, pricedAs(output, prices), priced);
  const total = amountInAtomic > back ? amountInAtomic - back : 0n;
  const bridged = convert(bridge.fee.totalAtomic, pricedAs(bridge.tokenIn, prices), priced);
  const impact = component(total > bridged ? total - bridged : 0n, base);
  const shared = { app: component(0n, base), bridge: bridgeFees(plan) };
  return {
    ...component(total, base),
    details:
      kind === 'expected'
        ? { type: 'total-breakdown', swapImpact: impact, ...shared }
        : { type: 'max-total-breakdown', maxSwapImpact: impact, ...shared },
  };
}

/** Amount of another token with the same dollar value. */
export function convert(amountAtomic: bigint, from: Priced, to: Priced): bigint {
  const [fromUsd, toUsd] = [scaled(from.usd), scaled(to.usd)];
  if (toUsd === 0n) return 0n;
  return (amountAtomic * fromUsd * 10n ** BigInt(to.decimals)) / (toUsd * 10n ** BigInt(from.decimals));
}
