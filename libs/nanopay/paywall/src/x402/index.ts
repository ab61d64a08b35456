export { UnpayableOfferError } from '../payable';
export { payerAddress, signerOfSeed, type PaymentSigner } from '../payment-signer';
export { TonNanopayClient, type TonNanopayClientOptions } from './client';
export { TonNanopayFacilitator, type TonNanopayFacilitatorOptions } from './facilitator';
export { TonNanopayServer, type TonNanopayServerOptions } from './server';
