import type { Chain, ChainFamily } from '../registry/chain';

// "tbpl" in ASCII. Other data that wallets append does not begin with it.
const mark = '7462706c';
const referenceForm = new RegExp(
  `${mark}([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$`,
);

// The same mark as text, for chains with text in transfers.
const memoMark = 'tbpl:';
const memoForm = new RegExp(`^${memoMark}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`);

const memoFamilies: readonly ChainFamily[] = ['solana', 'ton', 'tron'];

/**
 * Returns the reference that a payer attaches to a transfer to identify an order or PayLink by its UUID. On EVM chains
 * it is appended to the transaction data, as hex. On Solana, TON and Tron it is the text of a memo or comment. Null on
 * other chains.
 */
export function transferReference({ family }: Pick<Chain, 'family'>, id: string): string | null {
  if (family === 'evm') return `0x${mark}${id.replaceAll('-', '').toLowerCase()}`;
  return canCarryMemo({ family }) ? `${memoMark}${id.toLowerCase()}` : null;
}

/** Whether transfers of wallets can contain a text: a memo, a comment, or transaction data. */
export const canCarryMemo = ({ family }: Pick<Chain, 'family'>): boolean => memoFamilies.includes(family);

/** Returns the id in the text of a memo; undefined without a reference. */
export function idNamedInMemo(text: string): string | undefined {
  return memoForm.exec(text)?.[1];
}

/** Returns the id at the end of the data of an EVM transaction (lower-case hex); undefined without a reference. */
export function idNamedAtEnd(data: string): string | undefined {
  return referenceForm.exec(data)?.slice(1).join('-');
}
