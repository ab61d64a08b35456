export { payerAddress, signerOfSeed, UnpayableOfferError, type PaymentSigner } from '../payer';
export { TonNanopayClient, type TonNanopayClientOptions } from './client';
export { TonNanopayFacilitator, type TonNanopayFacilitatorOptions } from './facilitator';
export { TonNanopayServer, type TonNanopayServerOptions } from './server';
