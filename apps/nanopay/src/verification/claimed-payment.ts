import type { PaymentTerms, PresentedPayment } from '@tollbridge/nanopay-protocol';

/** A payment that matches the requirements. Signature and balance are not verified yet. */
export interface ClaimedPayment {
  presented: PresentedPayment;
  /** The terms that the payer must have signed. */
  terms: PaymentTerms;
  /** The amount to charge. */
  amountAtomic: bigint;
}
