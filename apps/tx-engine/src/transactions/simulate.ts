import { RpcError, type EvmRpc } from '@tollbridge/chains';

export interface Call {
  to: string;
  data: string;
  valueAtomic: bigint;
}

export interface SimulatedCall {
  succeeded: boolean;
  gasUnits: bigint;
  /** What the call returned, or the data of its revert. */
  returnData: string;
}

const methodNotFound = -32601;
const invalidParams = -32602;

/**
 * Runs calls one after the other on top of the newest block, each on what the ones before it left: an approval is in
 * force when the swap runs. Nothing of it stays.
 * @returns undefined when none of the nodes can (`eth_simulateV1`, in geth since 1.14.9)
 */
export async function simulate(
  rpc: EvmRpc,
  from: string,
  calls: readonly Call[],
): Promise<SimulatedCall[] | undefined> {
  const asked = calls.map(({ to, data, valueAtomic }) => ({
    from,
    to,
    input: data,
    value: `0x${valueAtomic.toString(16)}`,
  }));
  const params = [
    { blockStateCalls: [{ calls: asked }], validation: false, traceTransfers: false },
    'latest',
  ];
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
  if (!Array.isArray(calls) || calls.length !== count)
    throw new Error('a simulation answered something else');
  return calls.map((call: Record<string, unknown>) => {
    const { status, gasUsed, returnData, error } = call;
    const revert = (error as { data?: unknown } | undefined)?.data;
    const data = [returnData, revert].find((it) => typeof it === 'string' && /^0x[0-9a-f]+$/i.test(it));
    if (typeof gasUsed !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(gasUsed))
      throw new Error('a simulation answered no gas');
    return {
      succeeded: status === '0x1',
      gasUnits: BigInt(gasUsed),
      returnData: typeof data === 'string' ? data : '0x',
    };
  });
}

/** What a single call needs, on nodes that cannot simulate; undefined when it reverts. */
export async function estimateGas(rpc: EvmRpc, from: string, call: Call): Promise<bigint | undefined> {
  const { to, data, valueAtomic } = call;
  try {
    const gas = await rpc.call('eth_estimateGas', [
      { from, to, data, value: `0x${valueAtomic.toString(16)}` },
    ]);
    return BigInt(String(gas));
  } catch (error) {
    if (error instanceof RpcError && error.kind === 'rejected') return undefined;
    throw error;
  }
}
