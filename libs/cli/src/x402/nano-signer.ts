// Loaded at the first nano-payment, so that other commands start faster.
export { payerAddress, signerOfSeed, TonNanopayClient } from '@tollbridge/paywall/x402';
