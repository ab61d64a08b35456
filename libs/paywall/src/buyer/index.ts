export { payerAddress, signerOfSeed, UnpayableOfferError, type PaymentSigner } from '../payer';
export {
  createBuyer,
  SpendingLimitError,
  UntrustedReceiptError,
  type Buyer,
  type BuyerOptions,
} from './buyer';
export {
  createSessionGrant,
  sessionSigner,
  type DialogSignature,
  type GrantingWallet,
  type SessionGrant,
  type SessionGrantOptions,
} from '../session';
export type { Allowed } from './offers';
