import { canonicalAddress, chains, findChain } from '@tollbridge/chains';
import type { PaymentOption } from '@tollbridge/contracts';
import { isWalletFamily } from './wallet-panel';

/** The payer's wallet addresses by chain family. */
export type Payers = Readonly<Record<string, string>>;

// One wallet of each family.
const maxPayers = 5;

/**
 * The wallets in the query of a page, for example `?payer=evm:0x…&payer=solana:…`. They are used for balances and
 * refunds, so an address that does not match its family is omitted.
 */
export function payersIn(query: unknown): Payers {
  const given = (query as { payer?: string | string[] } | undefined)?.payer ?? [];
  const texts = (Array.isArray(given) ? given : [given]).slice(0, maxPayers);
  const pairs = texts.map((text) => payerIn(text)).filter((pair) => pair !== undefined);
  return Object.fromEntries(pairs);
}

function payerIn(text: string): [family: string, address: string] | undefined {
  const [family = '', ...rest] = text.split(':');
  // TON addresses may contain a `+`, which arrives as a space if it was not encoded.
  const address = rest.join(':').replaceAll(' ', '+');
  const chain = chains.find((it) => it.family === family && isWalletFamily(family));
  if (!chain || address.length > 128) return undefined;
  const read = canonicalAddress(chain, address);
  return read.ok ? [family, read.address] : undefined;
}

/** The wallets by chain, for every chain that an option uses. */
export function walletsFor(options: readonly PaymentOption[], payers: Payers): Record<string, string> {
  const pairs = options.flatMap(({ from_chain: chain }) => {
    const payer = payers[findChain(chain)?.family ?? ''];
    return payer === undefined ? [] : [[chain, payer] as const];
  });
  return Object.fromEntries(pairs);
}
