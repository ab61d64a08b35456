import { Amount, Text, type FieldOptions, type TextOptions } from '@tollbridge/rpc';
import { MAX_TOKEN_AMOUNT } from '@tollbridge/money';

export const orderIdExample = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
export const txExample = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';

type Described = Partial<FieldOptions>;

/** A chain by its id, CAIP-2 identifier or short name. */
export const ChainName = (options: Described = {}) =>
  Text({ description: 'Chain: id, CAIP-2 or short name', example: 'eip155:8453', maxLength: 64, ...options });

export const TokenSymbol = (options: Described = {}) =>
  Text({
    description: 'Token symbol, or its contract address',
    example: 'USDC',
    maxLength: 128,
    hasNoSpaces: true,
    ...options,
  });

export const Address = (options: Partial<TextOptions> = {}) =>
  Text({
    description: 'Address',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    // Addresses of TON may hold `+`.
    hasNoSpaces: true,
    ...options,
  });

/** Amount of a quote. */
export const SettleAmount = () =>
  Amount({
    description: 'Amount that the merchant must receive, in the smallest unit of the settle token',
    max: MAX_TOKEN_AMOUNT,
    example: '1000000',
  });
