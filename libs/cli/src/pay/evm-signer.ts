// Loaded by the first payment: the rest of the program starts faster without it.
export { encodeFunctionData, parseAbi } from 'viem';
export { privateKeyToAccount } from 'viem/accounts';
