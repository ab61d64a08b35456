import type { Chain } from '../registry/chain';

// "tbpl": no other data that wallets append begins with it.
const mark = '7462706c';
const referenceForm = new RegExp(
  `${mark}([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$`,
);

const memoForm = /^tbpl:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/**
 * What a payer attaches to a transfer to name an id (a UUID): on EVM chains, bytes at the end of the transaction's data, as
 * hex; on Tron, the text of the memo. Null on chains where no reference is read.
 */
export function transferReference({ family }: Pick<Chain, 'family'>, id: string): string | null {
  if (family === 'tron') return `tbpl:${id.toLowerCase()}`;
  return family === 'evm' ? `0x${mark}${id.replaceAll('-', '').toLowerCase()}` : null;
}

/** The id that the data of an EVM transaction (lower-case hex) names at its end. */
export function idNamedAtEnd(data: string): string | undefined {
  return referenceForm.exec(data)?.slice(1).join('-');
}

/** The id that the text of a memo names. */
export const idNamedInMemo = (memo: string): string | undefined => memoForm.exec(memo)?.[1];
