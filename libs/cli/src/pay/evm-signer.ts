// Loaded at the first payment, so that other commands start faster.
export { encodeFunctionData, parseAbi } from 'viem';
export { privateKeyToAccount } from 'viem/accounts';
