import { makerOf, type CallContext } from '@tollbridge/rpc';
import { readAccount, type RawAccount } from '@tollbridge/nanopay-protocol';

/** The TON account of the authenticated caller: the wallet of its API key or session. */
export function provenAccountOf(context: Pick<CallContext, 'principal'>): RawAccount | undefined {
  const owner = makerOf(context);
  return owner === undefined ? undefined : readAccount(owner, true);
}
