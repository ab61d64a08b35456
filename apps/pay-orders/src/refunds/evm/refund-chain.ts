// Chain reads and contract calls for refunds.
import { RpcError, tokenBalance, type EvmRpc } from '@tollbridge/evm';
import { ProviderError } from '@tollbridge/http';
import { dataLength, Interface } from 'ethers';
import type { Attempt } from './refund-places';

const erc20 = new Interface(['function transfer(address to, uint256 amount) returns (bool)']);
// The contract of OP Stack chains that returns the data fee of a transaction.
const gasPriceOracle = '0x420000000000000000000000000000000000000F';
const oracle = new Interface(['function getL1Fee(bytes transaction) view returns (uint256)']);
// The data fee may rise until the transaction is mined.
const dataFeeRoom = 2n;
// A signed transfer of a token has about 180 bytes.
const sampleTransaction = `0x${'ff'.repeat(220)}`;

export const transferCall = (to: string, amountAtomic: bigint): string =>
  erc20.encodeFunctionData('transfer', [to, amountAtomic]);

/**
 * The wei that a rollup charges for the data of a transfer in addition to its gas; 0 on other chains. @throws RpcError
 */
export async function dataFeeOf(rpc: EvmRpc): Promise<bigint> {
  const data = oracle.encodeFunctionData('getL1Fee', [sampleTransaction]);
  const [fee] = await rpc.ethCalls([{ to: gasPriceOracle, data }]);
  return fee && dataLength(fee) === 32 ? BigInt(fee) * dataFeeRoom : 0n;
}

/** The final balance at the address of a refund; 0 if it is only a remainder of gas. @throws RpcError */
export async function arrivedAmount({ refund, place }: Attempt): Promise<bigint> {
  const { rpc, chain, token } = place;
  const { height } = await rpc.head();
  const final = Math.max(0, height - chain.confirmations + 1);
  if (final < refund.settledHeight) return 0n;
  const held = await tokenBalance(rpc, refund.address, token.address, final);
  return held > refund.leftoverAtomic ? held : 0n;
}

/** Whether the nodes of the chain or the route provider failed. */
export const isOutage = (error: unknown): boolean =>
  error instanceof RpcError || error instanceof ProviderError;
