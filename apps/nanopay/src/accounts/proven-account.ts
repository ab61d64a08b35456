import { makerOf, type CallContext } from '@tollbridge/rpc';
import { readAccount, type RawAccount } from '@tollbridge/nanopay-protocol';

/** The account of TON that the caller certainly owns: by the secret of a key of this wallet, or by its session. */
export function provenAccountOf(context: Pick<CallContext, 'principal'>): RawAccount | undefined {
  const owner = makerOf(context);
  return owner === undefined ? undefined : readAccount(owner, true);
}
