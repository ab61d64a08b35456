export type { Answer, Headers } from './answers';
export type { ChannelsOptions } from './channels/channels';
export type { AbandonedLog, ChannelStore } from './channels/channel-store';
export { FileChannelStore, type FileChannelStoreOptions } from './channels/file-channel-store';
export { Batcher, type BatcherOptions } from './batcher';
export {
  jwsIssuer,
  type JwsIssuerOptions,
  type OfferInput,
  type OfferReceiptIssuer,
} from './extensions/offer-receipt-issuer';
export type { OfferReceiptOptions } from './extensions/offer-receipts';
export type { SignInOptions } from './extensions/sign-in-options';
export { MemorySignIns, type MemorySignInsOptions, type SignInStore } from './extensions/sign-in-store';
export { Grant, type Payment } from './grant';
export type { FacilitatorOptions } from './official/facilitator-client';
export { HeldGrant } from './official/held-grant';
export type { Stablecoin } from './official/known-assets';
export { MemoryClaims, type MemoryClaimsOptions } from './official/memory-claims';
export type { MppOptions } from './official/mpp';
export type { AcceptedWay } from './official/offers';
export type { OnSettledElsewhere, SettledElsewhere } from './official/official-sales';
export type { PaymentClaim, PaymentClaims, Taken, Unsettled } from './official/payment-claims';
export { FileVoucherStore } from './official/vouchers/file-voucher-store';
export type {
  StoredChannel,
  VoucherAccount,
  VoucherAuthorizer,
  VoucherOptions,
  VoucherStore,
} from './official/vouchers/voucher-options';
export { httpTransport, type HttpTransportOptions } from './http-transport';
export {
  natsTransport,
  type NatsReply,
  type NatsRequester,
  type NatsTransportOptions,
} from './nats-transport';
export type { Amount, PaidOptions, PaidRequest, Verdict } from './paid-options';
export { PaidRoute } from './paid-route';
export { paymentHeaderOf } from './payment-header-of';
export { Paywall, type PaywallOptions } from './paywall';
export {
  MemoryResponses,
  type Claim,
  type MemoryResponsesOptions,
  type ResponseStore,
  type StoredResponse,
} from './response-store';
export { watchResponse } from './response-watch';
export { tcpTransport, type TcpTransportOptions } from './tcp-transport';
export type { Transport } from './transport';
export {
  isReceipt,
  mainnet,
  testnet,
  usdt,
  type Asset,
  type Deployment,
  type Network,
  type Receipt,
} from '@tollbridge/nanopay-protocol';
