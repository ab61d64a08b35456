import type { Chain, ChainFamily } from '../registry/chain';

const zeros: Readonly<Partial<Record<ChainFamily, RegExp>>> = {
  evm: /^0x0{40}$/,
  sui: /^0x0{64}$/,
  aptos: /^0x0{64}$/,
  starknet: /^0x0{1,64}$/,
  solana: /^1{32}$/,
  // The bounceable and the non-bounceable form, and the raw one.
  ton: /^(?:EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c|UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ|0:0{64})$/,
  tron: /^T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb$/,
};

/** Whether a text is what a chain writes for no address at all. */
export function isZeroAddress({ family }: Pick<Chain, 'family'>, text: string): boolean {
  return zeros[family]?.test(text) ?? false;
}
