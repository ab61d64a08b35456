import type { Clock } from '@tollbridge/database';
import type { Log } from 'ethers';
import type { Market } from '../markets/market';
import { periphery, spokePool } from './contracts';
import type { DepositsRepository, NewDeposit, RelayData } from './deposits.repository';
import { outcomeOf } from './magic-amounts';

export interface DepositFollowerParts {
  market: Market;
  deposits: DepositsRepository;
  clock: Clock;
}

const depositTopic = spokePool.getEvent('FundsDeposited')!.topicHash;
const swapTopic = periphery.getEvent('SwapBeforeBridge')!.topicHash;

/** Reads the deposits of one chain once they have enough confirmations. */
export class DepositFollower {
  constructor(private readonly parts: DepositFollowerParts) {}

  async step(): Promise<void> {
    const { market, deposits, clock } = this.parts;
    const { node, chainId, across } = market;
    const { height: head } = await node.head();
    const deepHeight = head - (node.confirmations - 1);
    const cursor = await deposits.cursor(chainId, across.spokePool);
    if (deepHeight < 0 || deepHeight === cursor) return;
    // The node has lost blocks below the cursor, so their replacements are read again.
    const found = deepHeight > cursor ? await this.read(cursor + 1, deepHeight) : [];
    await deposits.record(chainId, across.spokePool, deepHeight, found, clock.now());
  }

  private async read(fromBlock: number, toBlock: number): Promise<NewDeposit[]> {
    const { node, across } = this.parts.market;
    const logs = await node.logs({ address: across.spokePool, topics: [depositTopic], fromBlock, toBlock });
    if (logs.length === 0) return [];
    const swaps = await node.logs({ address: across.periphery, topics: [swapTopic], fromBlock, toBlock });
    return logs.map((log) => this.toDeposit(log, swapOf(log, swaps)));
  }

  private toDeposit(log: Log, swapped: bigint | undefined): NewDeposit {
    const { chainId, across } = this.parts.market;
    const event = spokePool.parseLog(log)!.args;
    const relay: RelayData = {
      depositor: String(event['depositor']),
      recipient: String(event['recipient']),
      exclusiveRelayer: String(event['exclusiveRelayer']),
      inputToken: String(event['inputToken']),
      outputToken: String(event['outputToken']),
      inputAmount: String(event['inputAmount']),
      outputAmount: String(event['outputAmount']),
      originChainId: String(chainId),
      depositId: String(event['depositId']),
      fillDeadline: Number(event['fillDeadline']),
      exclusivityDeadline: Number(event['exclusivityDeadline']),
      message: String(event['message']),
    };
    return {
      originChainId: chainId,
      spokePool: across.spokePool,
      depositId: relay.depositId,
      destinationChainId: String(event['destinationChainId']),
      txHash: log.transactionHash.toLowerCase(),
      relay,
      outcome: outcomeOf(swapped ?? BigInt(relay.inputAmount)),
    };
  }
}

/**
 * Returns the input of the swap directly before a deposit; undefined when the user deposited the bridged token itself.
 */
function swapOf({ transactionHash, index }: Log, swaps: readonly Log[]): bigint | undefined {
  const before = swaps.filter((log) => log.transactionHash === transactionHash && log.index < index).at(-1);
  return before && (periphery.parseLog(before)!.args['swapTokenAmount'] as bigint);
}
