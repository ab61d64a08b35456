import { sandboxApi, type SandboxReply } from '@tollbridge/contracts';
import { callContext, type BusClient } from '@tollbridge/rpc';
import { findChain } from '@tollbridge/chains';

/** Examples name contracts of the main networks; in a sandbox the same tokens are at other addresses. */
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

/** The document with examples of the sandbox, as soon as the sandbox app answers; until then the given one. */
export function sandboxDocument<T>(document: T, bus: Pick<BusClient, 'call'>): () => Promise<T> {
  let local: T | undefined;
  return async () => {
    try {
      return (local ??= withSandboxContracts(
        document,
        await bus.call(sandboxApi.operations.describe, {}, callContext()),
      ));
    } catch {
      return document;
    }
  };
}
