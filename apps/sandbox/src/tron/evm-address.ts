import { tronToEvmAddress } from '@tollbridge/onchain/tron';

/** The 20 bytes of a base58 address as the EVM node writes them: `0x` and lower case. */
export const evmAddress = (address: string): string => tronToEvmAddress(address).toLowerCase();
