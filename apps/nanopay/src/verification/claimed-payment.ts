import type { PaymentTerms, PresentedPayment } from '@tollbridge/nanopay-protocol';

/** A payment that fits the requirements. Signature and balance are not checked yet. */
export interface ClaimedPayment {
  presented: PresentedPayment;
  /** The terms that the payer must have signed. */
  terms: PaymentTerms;
  /** The amount to charge. */
  amountAtomic: bigint;
}
