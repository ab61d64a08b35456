import {
  isPayment,
  maxAmountAtomic,
  maxDialogSkewS,
  maxHoldS,
  paymentOffsets,
  flags as paymentFlags,
  problemOfWindow,
  readPayment,
  type ChargeItem,
  type PaymentTerms,
  type Refusal,
} from '@tollbridge/nanopay-protocol';
import type { Scope } from '../enclave/scope';

const knownFlags = Object.values(paymentFlags).reduce((all, flag) => all | flag, 0);

/** What can be said against a payment before anybody looks at its signature; or its terms. */
export function inspect(item: ChargeItem, scope: Scope, nowS: number): PaymentTerms | Refusal {
  const { payment, amountAtomic, kind, holdS, chain } = item;
  // That of a chain is of its grant, and may be long ago.
  const dialog = chain ? undefined : item.dialog;
  if (!isPayment(payment)) return 'invalid_payload';
  const difference = differenceFrom(payment, scope);
  if (difference) return difference;
  const terms = readPayment(payment);
  // What they would mean, nobody here could keep to.
  if ((terms.flags & ~knownFlags) !== 0) return 'invalid_payload';
  if (terms.to === terms.from || !terms.to.startsWith('0:') || !terms.from.startsWith('0:'))
    return 'invalid_ton_nanopay_recipient_mismatch';
  const isUpTo = (terms.flags & paymentFlags.upTo) !== 0;
  const isCharge = isUpTo
    ? amountAtomic <= terms.amountAtomic && (amountAtomic > 0n || kind === 'charge')
    : amountAtomic === terms.amountAtomic;
  if (terms.amountAtomic < 1n || terms.amountAtomic > maxAmountAtomic || !isCharge)
    return 'invalid_ton_nanopay_amount_mismatch';
  if (kind === 'hold' && (holdS < 1 || holdS > maxHoldS)) return 'invalid_payload';
  if (dialog && Math.abs(dialog.timestampS - nowS) > maxDialogSkewS) return 'invalid_ton_nanopay_signature';
  return problemOfWindow(terms, nowS) ?? terms;
}

/** Compared as bytes: nearly all payments are for this deployment, and are not taken apart for it. */
function differenceFrom(payment: Buffer, scope: Scope): Refusal | undefined {
  const { networkId, verifyingContract, asset, from } = paymentOffsets;
  const same = (start: number, end: number): boolean =>
    payment.compare(scope.bytes, start - networkId, end - networkId, start, end) === 0;
  if (same(networkId, from)) return undefined;
  if (!same(networkId, verifyingContract)) return 'invalid_network';
  return same(verifyingContract, asset)
    ? 'invalid_ton_nanopay_asset_mismatch'
    : 'invalid_ton_nanopay_contract_mismatch';
}
