export {
  createBuyer,
  SpendingLimitError,
  UntrustedReceiptError,
  type Buyer,
  type BuyerOptions,
} from './buyer';
export type { DialogSignature, GrantingWallet } from '../granting';
export { createHashChain, type HashChain, type HashChainGrant, type HashChainOptions } from '../hash-chain';
export { UnpayableOfferError } from '../payable';
export {
  hashChainSigner,
  payerAddress,
  sessionSigner,
  signerOfSeed,
  type PaymentSigner,
} from '../payment-signer';
export { createSessionGrant, type SessionGrant, type SessionGrantOptions } from '../session';
export type { Allowed } from './offers';
export type { BuyerChannelState } from './channel';
export type { BuyerChannelOptions } from './channels';
