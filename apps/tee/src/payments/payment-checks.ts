import {
  isChannelOf,
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
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import type { Scope } from '../signing/scope';

const knownFlags = Object.values(paymentFlags).reduce((all, flag) => all | flag, 0);

/** Returns the terms of a payment, or the reason of its rejection. Needs neither the signature nor the ledger. */
export function validatePayment(item: ChargeItem, scope: Scope, nowS: number): PaymentTerms | Rejection {
  const { payment, amountAtomic, kind, holdS, chain, channel } = item;
  // The dialog of a hash chain is part of its grant, which may be older.
  const dialog = chain ? undefined : item.dialog;
  if (!isPayment(payment)) return 'invalid_payload';
  const wrongScope = checkScope(payment, scope);
  if (wrongScope) return wrongScope;
  const terms = readPayment(payment);
  // A payment with unknown flags is rejected, because this version cannot apply them.
  if ((terms.flags & ~knownFlags) !== 0) return 'invalid_payload';
  if (terms.to === terms.from || !terms.to.startsWith('0:') || !terms.from.startsWith('0:'))
    return 'invalid_ton_nanopay_recipient_mismatch';
  const isUpTo = (terms.flags & paymentFlags.upTo) !== 0;
  const isCharge = isUpTo
    ? amountAtomic <= terms.amountAtomic && (amountAtomic > 0n || kind === 'charge')
    : amountAtomic === terms.amountAtomic;
  if (terms.amountAtomic < 1n || terms.amountAtomic > maxAmountAtomic || !isCharge)
    return 'invalid_ton_nanopay_amount_mismatch';
  // Without a channel check, the whole reservation could be charged without a link.
  if (channel || (terms.flags & paymentFlags.channel) !== 0) return checkChannel(item, terms, nowS);
  if (kind === 'hold' && (holdS < 1 || holdS > maxHoldS)) return 'invalid_payload';
  if (dialog && Math.abs(dialog.timestampS - nowS) > maxDialogSkewS) return 'invalid_ton_nanopay_signature';
  return problemOfWindow(terms, nowS) ?? terms;
}

/** Validates a payment that opens a channel. It reserves its whole amount and cannot be charged itself. */
function checkChannel(
  { channel, kind, holdS, amountAtomic, dialog }: ChargeItem,
  terms: PaymentTerms,
  nowS: number,
): PaymentTerms | Rejection {
  if (!channel || kind !== 'hold' || holdS !== 0 || amountAtomic !== terms.amountAtomic)
    return 'invalid_ton_nanopay_channel';
  const window = problemOfWindow(terms, nowS);
  if (window) return window;
  if (!isChannelOf(channel, terms, nowS)) return 'invalid_ton_nanopay_channel';
  const isOldDialog = dialog && Math.abs(dialog.timestampS - nowS) > maxDialogSkewS;
  return isOldDialog ? 'invalid_ton_nanopay_signature' : terms;
}

/** Compares bytes, because nearly all payments match and then need no parsing (row `tollbridge: paid`). */
function checkScope(payment: Buffer, scope: Scope): Rejection | undefined {
  const { networkId, verifyingContract, asset, from } = paymentOffsets;
  const same = (start: number, end: number): boolean =>
    payment.compare(scope.bytes, start - networkId, end - networkId, start, end) === 0;
  if (same(networkId, from)) return undefined;
  if (!same(networkId, verifyingContract)) return 'invalid_network';
  return same(verifyingContract, asset)
    ? 'invalid_ton_nanopay_asset_mismatch'
    : 'invalid_ton_nanopay_contract_mismatch';
}
