import type { Chain, ChainFamily } from '../registry/chain';

// "tbpl": no other data that wallets append begins with it.
const mark = '7462706c';
const referenceForm = new RegExp(
  `${mark}([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$`,
);

// The same mark as text, for chains with texts in transfers.
const memoMark = 'tbpl:';
const memoForm = new RegExp(`^${memoMark}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`);

const memoFamilies: readonly ChainFamily[] = ['solana', 'ton', 'tron'];

/**
 * What a payer attaches to a transfer to name an id (a UUID). On EVM chains, bytes at the end of the transaction's
 * data, as hex. On Solana, TON and Tron, the text of a memo or comment. Null on chains where no reference is read.
 */
export function transferReference({ family }: Pick<Chain, 'family'>, id: string): string | null {
  if (family === 'evm') return `0x${mark}${id.replaceAll('-', '').toLowerCase()}`;
  return canCarryMemo({ family }) ? `${memoMark}${id.toLowerCase()}` : null;
}

/** Whether transfers of wallets carry a text: a memo, a comment, the data of a transaction. */
export const canCarryMemo = ({ family }: Pick<Chain, 'family'>): boolean => memoFamilies.includes(family);

/** The id that the text of a memo names. */
export function idNamedInMemo(text: string): string | undefined {
  return memoForm.exec(text)?.[1];
}

/** The id that the data of an EVM transaction (lower-case hex) names at its end. */
export function idNamedAtEnd(data: string): string | undefined {
  return referenceForm.exec(data)?.slice(1).join('-');
}
