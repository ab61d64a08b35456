import { RpcError } from './rpc-error';
import type { EvmRpc } from './rpc-pool';

/** `unknown` means that the transaction may have reached the chain. Sending it again is safe. */
export type SendOutcome = { kind: 'sent' | 'unknown' } | { kind: 'rejected'; reason: string };

// This same transaction may have used the nonce. Its receipt decides.
const known =
  /already ?(known|imported|exists)|known transaction|nonce (is )?too low|nonce has already been used/i;
// Errors of the transaction itself. Every node returns them.
const rejections: [RegExp, string][] = [
  [/insufficient funds|insufficient balance|doesn't have enough funds/i, 'the signer cannot pay for its gas'],
  [/intrinsic gas|gas limit too low|out of gas/i, 'its gas limit is too low'],
  [
    /exceeds block gas limit|gas limit too high|exceeds transaction gas cap/i,
    'its gas limit is above the limit of a block',
  ],
  [/invalid (sender|chain|signature)|chain ?id/i, 'the chain rejects its signature'],
  [/type not supported|unsupported transaction type/i, 'the chain does not support this transaction type'],
  [/oversized|too large/i, 'it is too large for the chain'],
];

/** Sends a signed transaction to the nodes of its chain. */
export async function broadcast(rpc: EvmRpc, raw: string): Promise<SendOutcome> {
  try {
    await rpc.call('eth_sendRawTransaction', [raw]);
    return { kind: 'sent' };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const message = error.nodeMessage ?? '';
    if (known.test(message)) return { kind: 'sent' };
    // The node that did not answer may have accepted the transaction, so this node may reject it as a duplicate.
    if (error.kind !== 'rejected' || error.isAfterSilence) return { kind: 'unknown' };
    const rejection = rejections.find(([pattern]) => pattern.test(message));
    return rejection ? { kind: 'rejected', reason: rejection[1] } : { kind: 'unknown' };
  }
}
