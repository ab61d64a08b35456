import type { EvmRpc } from './rpc-pool';
import { RpcError } from './rpc-error';

/** A call of a contract, or a transfer of coins, to simulate. */
export interface Call {
  to: string;
  data: string;
  valueAtomic: bigint;
}

/** A log from `eth_simulateV1`. */
export interface SimulatedLog {
  address: string;
  topics: readonly string[];
  data: string;
}

export interface SimulatedCall {
  succeeded: boolean;
  gasUnits: bigint;
  /** The result of the call, or the data of its revert. */
  returnData: string;
  /** Includes transfers of coins, in the form of a token's logs. */
  logs: readonly SimulatedLog[];
}

const methodNotFound = -32601;
const invalidParams = -32602;

/**
 * Simulates calls one after the other on top of the newest block, each on the state after the previous ones. For
 * example, an approval is effective when the swap runs. The chain stays unchanged.
 * @param gasLimit limit of each call; by default the maximum of the node
 * @returns undefined when the node cannot simulate (`eth_simulateV1`, in geth since 1.14.9)
 */
export async function simulateCalls(
  rpc: EvmRpc,
  from: string,
  calls: readonly Call[],
  gasLimit?: bigint,
): Promise<SimulatedCall[] | undefined> {
  const asked = calls.map(({ to, data, valueAtomic }) => ({
    from,
    to,
    input: data,
    value: `0x${valueAtomic.toString(16)}`,
    ...(gasLimit !== undefined && { gas: `0x${gasLimit.toString(16)}` }),
  }));
  const params = [{ blockStateCalls: [{ calls: asked }], validation: false, traceTransfers: true }, 'latest'];
  try {
    return readSimulation(await rpc.call('eth_simulateV1', params), calls.length);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const isUnknown = error.code === methodNotFound || error.code === invalidParams;
    if (isUnknown || /method.*(not|un)|not supported|does not exist/i.test(error.nodeMessage ?? ''))
      return undefined;
    throw error;
  }
}

function readSimulation(answer: unknown, count: number): SimulatedCall[] {
  const calls = (answer as { calls?: unknown }[] | null)?.[0]?.calls;
  if (!Array.isArray(calls) || calls.length !== count) throw unreadable('a simulation is of other calls');
  return calls.map((call: Record<string, unknown>) => {
    const { status, gasUsed, returnData, error, logs } = call;
    const revert = (error as { data?: unknown } | undefined)?.data;
    const data = [returnData, revert].find((it) => typeof it === 'string' && /^0x[0-9a-f]+$/i.test(it));
    if (typeof gasUsed !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(gasUsed))
      throw unreadable('a simulation says no gas');
    if (!Array.isArray(logs) || !logs.every(isLog)) throw unreadable('a simulation says no logs');
    return {
      succeeded: status === '0x1',
      gasUnits: BigInt(gasUsed),
      returnData: typeof data === 'string' ? data : '0x',
      logs,
    };
  });
}

function isLog(value: unknown): value is SimulatedLog {
  const { address, topics, data } = (value ?? {}) as Record<string, unknown>;
  const isHex = (it: unknown) => typeof it === 'string' && /^0x[0-9a-f]*$/i.test(it);
  return isHex(address) && isHex(data) && Array.isArray(topics) && topics.every(isHex);
}

/** Creates the error for an invalid reply, which is handled like a missing reply. */
function unreadable(text: string): RpcError {
  return new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: 'node', text });
}
