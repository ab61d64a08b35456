import { tronToEvmAddress } from '@tollbridge/onchain/tron';

/** Returns the 20 bytes of a base58 address in the format of the EVM node: `0x` and lower case. */
export const evmAddress = (address: string): string => tronToEvmAddress(address).toLowerCase();
