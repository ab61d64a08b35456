import { paymentUri } from '@tollbridge/chains';
import type { PaymentInstructions } from '@tollbridge/contracts';
import { walletCalls } from '@tollbridge/evm';
import type { FromToken } from './payment-options';
import type { OrderToPay } from './placed-order';

/** How to pay an order, as calls and links for wallets. */
export function instructionsFor(
  { direct, cross_chain: deposit }: OrderToPay,
  { chain, token }: FromToken,
): PaymentInstructions {
  const { chainId } = chain;
  // The reply's `approve` and `pay` are EVM transactions: a further family needs fields of its own there.
  if (direct)
    return { chain_id: chainId, ...walletCalls(direct.contract_address, direct.payment_order, chainId) };
  const uri =
    deposit &&
    paymentUri({
      chain,
      token,
      address: deposit.deposit_address,
      amountAtomic: BigInt(deposit.deposit_amount),
      memo: deposit.deposit_memo,
    });
  return { chain_id: chainId, approve: null, pay: null, uri };
}
