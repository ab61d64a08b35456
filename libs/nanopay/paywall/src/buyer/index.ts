export { payerAddress, signerOfSeed, UnpayableOfferError, type PaymentSigner } from '../payer';
export {
  createBuyer,
  SpendingLimitError,
  UntrustedReceiptError,
  type Buyer,
  type BuyerOptions,
} from './buyer';
export type { DialogSignature, GrantingWallet } from '../granting';
export {
  createHashChain,
  hashChainSigner,
  type HashChain,
  type HashChainGrant,
  type HashChainOptions,
} from '../hash-chain';
export { createSessionGrant, sessionSigner, type SessionGrant, type SessionGrantOptions } from '../session';
export type { Allowed } from './offers';
