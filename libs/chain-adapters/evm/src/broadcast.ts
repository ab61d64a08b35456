import { RpcError } from './rpc-error';
import type { EvmRpc } from './rpc-pool';

/** `unknown` may have reached the chain or not: the same transaction is sent again, which harms nobody. */
export type SendOutcome = 'sent' | 'unknown' | { refused: string };

// A nonce that is used up may have been used by this very transaction: who looks for its receipt finds out.
const known =
  /already ?(known|imported|exists)|known transaction|nonce (is )?too low|nonce has already been used/i;
// Verdicts about the transaction itself, which it gets on every node.
const refusals: [RegExp, string][] = [
  [/insufficient funds|insufficient balance|doesn't have enough funds/i, 'the signer cannot pay for its gas'],
  [/intrinsic gas|gas limit too low|out of gas/i, 'its gas limit is too low'],
  [
    /exceeds block gas limit|gas limit too high|exceeds transaction gas cap/i,
    'its gas limit is above what a block takes',
  ],
  [/invalid (sender|chain|signature)|chain ?id/i, 'the chain does not take its signature'],
  [/type not supported|unsupported transaction type/i, 'the chain does not know this type of transaction'],
  [/oversized|too large/i, 'it is too large for the chain'],
];

/** Sends a signed transaction to the nodes of its chain. */
export async function broadcast(rpc: EvmRpc, raw: string): Promise<SendOutcome> {
  try {
    await rpc.call('eth_sendRawTransaction', [raw]);
    return 'sent';
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const said = error.nodeMessage ?? '';
    if (known.test(said)) return 'sent';
    // The one who did not answer may have taken it, and this one refuse it for that very reason.
    if (error.kind !== 'rejected' || error.isAfterSilence) return 'unknown';
    const refusal = refusals.find(([pattern]) => pattern.test(said));
    return refusal ? { refused: refusal[1] } : 'unknown';
  }
}
