import { evmToTronAddress, tronToHexAddress, type ExactJsonObject } from '@tollbridge/onchain/tron';
import { id as hashOf } from 'ethers';
import type { AnvilNode } from './anvil-node';

/** A call as `callTracer` shows it; numbers are hexadecimal texts. */
interface TracedCall {
  type: string;
  from: string;
  to?: string;
  value?: string;
  error?: string;
  calls?: TracedCall[];
}

/** What contracts called and created in an execution, as a full node lists it that stores internal transactions. */
export async function internalTransactions(node: AnvilNode, execution: string): Promise<ExactJsonObject[]> {
  const root = await node.call<TracedCall>('debug_traceTransaction', execution, { tracer: 'callTracer' });
  return callsIn(root, root.error !== undefined).map((it, at) => internalJson(it, `${execution} ${at}`));
}

type InternalCall = TracedCall & { isRejected: boolean };

/** In the order of execution. What a failed call did has no effect. */
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
