// Loaded by the first nano-payment: the rest of the program starts faster without it.
export { payerAddress, signerOfSeed, TonNanopayClient } from '@tollbridge/paywall/x402';
