export { ContractWallets, ProofUncheckable } from './contract-wallets';
export { checkEvmDigest, checkEvmProof, type EvmDigestProof, type EvmProof } from './evm-proof';
export { NonceSeal, type IssuedNonce } from './nonce-seal';
export { signatureProblem } from './signature-form';
export { differenceFrom, signInText, type SignInText } from './sign-in-text';
export { checkSolanaProof } from './solana-proof';
export { checkTonProof, type ExpectedTonProof, type TonProof } from './ton-proof';
export { proofRejections, type ProofRejection, type ProofVerdict } from './verdict';
export { canonicalWallet, readWallet, signInSchemes, type SignInScheme, type Wallet } from './wallet';
