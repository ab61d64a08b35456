import { getOrder, type SandboxChain } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { rpc } from '../pay/evm-chain';
import { localChain } from '../pay/pay-order';
import { sandboxPayer } from '../pay/sandbox-payer';
import { eventually } from './eventually';
import { chainId } from './make';

const quantity = (height: number): string => `0x${height.toString(16)}`;

/**
 * Replaces the blocks from a payment on by empty ones; the last has their transactions, in their order. So nothing is
 * lost, and what they paid settles again.
 */
export async function reorganise(chain: Pick<SandboxChain, 'rpcUrl'>, transaction: string): Promise<void> {
  const ask = <T>(method: string, params: readonly unknown[]) => rpc<T>(chain.rpcUrl, method, params);
  const { blockNumber } = await ask<{ blockNumber: string }>('eth_getTransactionByHash', [transaction]);
  const [first, head] = [Number(blockNumber), Number(await ask<string>('eth_blockNumber', []))];
  const heights = Array.from({ length: head - first + 1 }, (_, at) => quantity(first + at));
  const blocks = await Promise.all(
    heights.map((height) => ask<{ transactions: string[] }>('eth_getBlockByNumber', [height, false])),
  );
  const hashes = blocks.flatMap(({ transactions }) => transactions);
  const raw = await Promise.all(hashes.map((hash) => ask<string>('eth_getRawTransactionByHash', [hash])));
  const depth = heights.length;
  await ask<null>('anvil_reorg', [depth, raw.map((bytes) => [bytes, depth - 1])]);
}

/** Reorganises the chain below a settled order, and waits until it has settled again. */
export async function reorganiseOrder(context: CommandContext, id: string, payment: string): Promise<void> {
  const { client, terminal } = context;
  await reorganise(localChain(await sandboxPayer(client), chainId), payment);
  const statusIs = (wanted: string) => async () =>
    (await getOrder(client, { id })).status === wanted ? true : undefined;
  await eventually(statusIs('settling'), `Order ${id} is not settling again`, terminal.signal);
  await eventually(statusIs('settled'), `Order ${id} has not settled again`, terminal.signal);
}
