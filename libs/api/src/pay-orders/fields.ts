import { Text, type FieldOptions } from '@tollbridge/bus';

type Described = Partial<FieldOptions>;

/** A chain by its id, CAIP-2 identifier or short name. */
export const ChainName = (options: Described = {}) =>
  Text({ description: 'Chain: id, CAIP-2 or short name', example: 'eip155:8453', maxLength: 64, ...options });

export const TokenSymbol = (options: Described = {}) =>
  Text({ description: 'Token symbol, or its contract address', example: 'USDC', maxLength: 128, ...options });

export const Address = (options: Described = {}) =>
  Text({ description: 'Address', example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', ...options });
