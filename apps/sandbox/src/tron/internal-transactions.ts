import { evmToTronAddress, tronToHexAddress, type ExactJsonObject } from '@tollbridge/onchain/tron';
import { id as hashOf } from 'ethers';
import type { AnvilNode } from './anvil-node';

/** A call in the format of `callTracer`. Numbers are hexadecimal text. */
interface TracedCall {
  type: string;
  from: string;
  to?: string;
  value?: string;
  error?: string;
  calls?: TracedCall[];
}

/**
 * Returns the calls and creations by contracts in an execution, as a full node with internal transactions lists them.
 */
export async function internalTransactions(node: AnvilNode, execution: string): Promise<ExactJsonObject[]> {
  const root = await node.call<TracedCall>('debug_traceTransaction', execution, { tracer: 'callTracer' });
  return callsIn(root, root.error !== undefined).map((it, at) => internalJson(it, `${execution} ${at}`));
}

type InternalCall = TracedCall & { isRejected: boolean };

/** Returns calls in the order of execution. All calls within a failed call have no effect. */
function callsIn({ calls = [] }: TracedCall, isRejected: boolean): InternalCall[] {
  return calls.flatMap((call) => {
    const isFailed = isRejected || call.error !== undefined;
    return [{ ...call, isRejected: isFailed }, ...callsIn(call, isFailed)];
  });
}

function internalJson(
  { type, from, to, value = '0x0', isRejected }: InternalCall,
  at: string,
): ExactJsonObject {
  const coins = BigInt(value);
  const hex = (address: string): string => tronToHexAddress(evmToTronAddress(address));
  return {
    hash: hashOf(at).slice(2),
    caller_address: hex(from),
    transferTo_address: to === undefined ? undefined : hex(to),
    callValueInfo: [coins === 0n ? {} : { callValue: coins }],
    note: Buffer.from(type.startsWith('CREATE') ? 'create' : 'call').toString('hex'),
    rejected: isRejected || undefined,
  };
}
