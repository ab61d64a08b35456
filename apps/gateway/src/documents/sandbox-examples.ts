import type { SandboxReply } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';

/** Replaces the token addresses of the main networks in examples by those of the sandbox. */
export function withSandboxContracts<T>(document: T, { chains }: Pick<SandboxReply, 'chains'>): T {
  const addresses = chains.flatMap(({ caip2, tokens }) =>
    (findChain(caip2)?.tokens ?? []).flatMap(({ symbol, address }) => {
      const local = tokens.find((token) => token.symbol === symbol)?.address;
      return address && local ? [[address, local] as const] : [];
    }),
  );
  let text = JSON.stringify(document);
  for (const [main, local] of addresses) text = text.replaceAll(main, local);
  return JSON.parse(text) as T;
}
