// Loaded at the first payment on Solana, so that other commands start faster.
export { ExactSvmScheme } from '@x402/svm/exact/client';
export { solanaSigner } from '../pay/solana-wallet';
