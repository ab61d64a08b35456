import type { DirectOrder, PaymentFields } from '@tollbridge/chain-port';
import type { Chain } from '@tollbridge/chains';
import type { TonJetton, TonOrder } from '@tollbridge/onchain/ton';
import { isDeepStrictEqual } from 'node:util';
import { canonicalOf, noAccount, rawOf } from './addresses';
import type { ChainJetton } from './chain-jettons';

/** Converts the order to the form of the payment contract. */
export async function toTonOrder(order: DirectOrder, jetton: TonJetton | null): Promise<TonOrder> {
  const { id, token, merchantAddress, merchantAmountAtomic, feeReceiver, feeAmountAtomic, expiresAtMs } =
    order;
  return {
    orderId: id,
    deadline: BigInt(Math.floor(expiresAtMs / 1_000)),
    tokenIn: token.symbol,
    tokenOut: token.symbol,
    amountIn: merchantAmountAtomic + feeAmountAtomic,
    jetton,
    merchant: await rawOf(merchantAddress),
    merchantAmount: merchantAmountAtomic,
    feeReceiver: feeReceiver === noAccount ? null : await rawOf(feeReceiver),
    feeAmount: feeAmountAtomic,
  };
}

/** Converts the recorded order to the field names of the specification. */
export function toPaymentFields(
  order: TonOrder,
  chain: Chain,
  jettons: readonly ChainJetton[],
): PaymentFields {
  return {
    token_in: order.tokenIn,
    token_out: order.tokenOut,
    amount_in: String(order.amountIn),
    token_in_address: tokenAddressOf(order.jetton, jettons),
    merchant: canonicalOf(chain, order.merchant),
    merchant_amount: String(order.merchantAmount),
    fee_receiver: order.feeReceiver === null ? noAccount : canonicalOf(chain, order.feeReceiver),
    fee_amount: String(order.feeAmount),
    deadline: String(order.deadline),
  };
}

/** Finds a jetton by its whole description, because a payment with another wallet code transfers another token. */
function tokenAddressOf(jetton: TonJetton | null, jettons: readonly ChainJetton[]): string {
  if (jetton === null) return noAccount;
  const known = jettons.find((it) => isDeepStrictEqual(it.jetton, jetton));
  return known?.token.address ?? `unknown jetton ${jetton.master}`;
}
