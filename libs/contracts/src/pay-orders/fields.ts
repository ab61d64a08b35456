import { type FieldOptions, type TextOptions, type Undescribed } from '@tollbridge/rpc';
import { maxTokenAmount } from '@tollbridge/money';
import { Amount, Text } from '../decorators';
import { idExample } from '../shared-fields';

export const orderIdExample = idExample;
export const walletExample = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const payerExample = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const usdcExample = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const txExample = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';

type Options = Undescribed<FieldOptions>;

/** A chain by its id, CAIP-2 identifier or short name. */
export const ChainName = (description = 'Chain: id, CAIP-2 or short name', options: Options = {}) =>
  Text(description, { example: 'eip155:8453', maxLength: 64, ...options });

export const TokenSymbol = (description = 'Token symbol, or its contract address', options: Options = {}) =>
  Text(description, { example: 'USDC', maxLength: 128, hasNoSpaces: true, ...options });

export const Address = (description = 'Address', options: Undescribed<TextOptions> = {}) =>
  Text(description, {
    example: walletExample,
    // TON addresses may contain `+`.
    hasNoSpaces: true,
    ...options,
  });

/** Amount of a quote. */
export const SettleAmount = () =>
  Amount('Amount that the merchant must receive, in the smallest unit of the settle token', {
    max: maxTokenAmount,
    example: '1000000',
  });

export const TxHash = (description = 'Transaction hash', options: Undescribed<TextOptions> = {}) =>
  Text(description, { example: txExample, ...options });
