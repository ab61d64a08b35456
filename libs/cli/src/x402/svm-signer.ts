// Loaded by the first payment on Solana: the rest of the program starts faster without it.
export { ExactSvmScheme } from '@x402/svm/exact/client';
export { solanaSigner } from '../pay/solana-wallet';
