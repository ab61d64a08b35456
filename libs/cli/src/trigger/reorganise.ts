import { getOrder, listPayLinkPayments, type SandboxChain } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { CommandError } from '../exit-codes';
import { rpc } from '../pay/evm-chain';
import { payPayLink } from '../pay/pay-link';
import { localChain } from '../pay/pay-order';
import { sandboxPayer } from '../pay/sandbox-payer';
import { eventually } from './eventually';
import { chainId, newPayLink, token } from './make';

const mostTries = 20;
const quantity = (height: number): string => `0x${height.toString(16)}`;

type Ask = <T>(method: string, params: readonly unknown[]) => Promise<T>;

/**
 * Replaces all blocks from a payment on with empty blocks. The last block contains all of their transactions in order,
 * so that they settle again. The clock of the chain continues. Mining is disabled during the replacement,
 * because transactions in new blocks would be lost.
 */
export async function reorganise(chain: Pick<SandboxChain, 'rpcUrl'>, transaction: string): Promise<void> {
  const ask: Ask = (method, params) => rpc(chain.rpcUrl, method, params);
  await ask('evm_setAutomine', [false]);
  try {
    // One block may be in progress when mining stops. More blocks come only from a manual request.
    for (let tries = 0; !(await replaceFrom(ask, transaction)); tries++)
      if (tries === mostTries)
        throw new CommandError('The chain still grows although its mining is off: it is not reorganised.');
  } finally {
    await ask('evm_setAutomine', [true]);
    // Mines the transactions that were sent in the meantime.
    await ask('evm_mine', []);
  }
}

/** @returns false if the chain has grown in the meantime, and was not changed */
async function replaceFrom(ask: Ask, transaction: string): Promise<boolean> {
  const headNow = async () => Number(await ask<string>('eth_blockNumber', []));
  const { blockNumber } = await ask<{ blockNumber: string }>('eth_getTransactionByHash', [transaction]);
  const [first, head] = [Number(blockNumber), await headNow()];
  const heights = Array.from({ length: head - first + 1 }, (_, at) => quantity(first + at));
  const blocks = await Promise.all(
    heights.map((height) => ask<{ transactions: string[] }>('eth_getBlockByNumber', [height, false])),
  );
  const hashes = blocks.flatMap(({ transactions }) => transactions);
  const raw = await Promise.all(hashes.map((hash) => ask<string>('eth_getRawTransactionByHash', [hash])));
  if ((await headNow()) !== head) return false;
  const depth = heights.length;
  const before = await clockSeconds(ask);
  await ask<null>('anvil_reorg', [depth, raw.map((bytes) => [bytes, depth - 1])]);
  // The clock of the chain restarts at the newest remaining block. Without a correction the next payment would be too
  // old.
  const behind = before - (await clockSeconds(ask));
  if (behind > 0) await ask('evm_increaseTime', [behind]);
  return true;
}

/** Returns the time of the chain's next block, in Unix seconds. */
async function clockSeconds(ask: Ask): Promise<number> {
  return Number((await ask<{ timestamp: string }>('eth_getBlockByNumber', ['pending', false])).timestamp);
}

/** Reorganises the block of a settled order, and waits until the order has settled again. */
export async function reorganiseOrder(context: CommandContext, id: string, payment: string): Promise<void> {
  const { client, terminal } = context;
  const { version } = await getOrder(client, { id });
  await reorganise(localChain(await sandboxPayer(client), chainId), payment);
  // The order is in the status `settling` only for a moment, which polling may miss.
  const hasSettledAgain = async () => {
    const order = await getOrder(client, { id });
    return order.status === 'settled' && order.version > version ? true : undefined;
  };
  await eventually(hasSettledAgain, `Order ${id} has not settled again`, terminal.signal);
}

/**
 * Pays a PayLink, reorganises the block of the payment, and waits until the payment does not count. Resolves to the
 * PayLink id.
 */
export async function reorganisePayLink(context: CommandContext): Promise<string> {
  const { client, terminal } = context;
  const payer = await sandboxPayer(client);
  const { wallet: receiveAddress } = payer.sandbox.merchant;
  const id = await newPayLink(context, { token, network: chainId, receiveAddress });
  const { transaction } = await payPayLink(context, id);
  await reorganise(localChain(payer, chainId), transaction);
  const isNoticed = async () => {
    const [payment] = await listPayLinkPayments(client, { id });
    return payment!.status === 'counted' ? undefined : true;
  };
  await eventually(isNoticed, `The reorganisation below PayLink ${id} was not noticed`, terminal.signal);
  return id;
}
