import type { Chain, ChainFamily } from '../registry/chain';

const zeros: Readonly<Partial<Record<ChainFamily, RegExp>>> = {
  evm: /^0x0{40}$/,
  sui: /^0x0{64}$/,
  aptos: /^0x0{64}$/,
  starknet: /^0x0{1,64}$/,
  solana: /^1{32}$/,
  // The bounceable, the non-bounceable and the raw form.
  ton: /^(?:EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c|UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ|0:0{64})$/,
  tron: /^T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb$/,
};

/** Whether a text is the zero address of a chain. */
export function isZeroAddress({ family }: Pick<Chain, 'family'>, text: string): boolean {
  return zeros[family]?.test(text) ?? false;
}

/**
 * Returns the address that means "no receiver" on this chain; empty for a chain where orders without a fee store no
 * address.
 */
export function zeroAddressOf({ family }: Pick<Chain, 'family'>): string {
  return family === 'evm' ? '0x0000000000000000000000000000000000000000' : '';
}
