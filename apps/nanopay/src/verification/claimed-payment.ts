import type { PaymentTerms, PresentedPayment } from '@tollbridge/nanopay-protocol';

/** A payment that fits what is asked, as far as that can be told without its signature and the ledger. */
export interface ClaimedPayment {
  presented: PresentedPayment;
  /** What the payer must have signed. */
  terms: PaymentTerms;
  /** What is to be charged. */
  amountAtomic: bigint;
}
