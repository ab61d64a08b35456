export { payerAddress, signerOfSeed, UnpayableOfferError, type PaymentSigner } from '../payer';
export {
  createBuyer,
  SpendingLimitError,
  UntrustedReceiptError,
  type Buyer,
  type BuyerOptions,
} from './buyer';
export type { Allowed } from './offers';
