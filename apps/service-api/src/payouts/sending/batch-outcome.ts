// Reads the outcome of a batch from the logs of a transaction. Pure functions.
import type { EvmLog } from '@tollbridge/evm';
import { payoutsInterface, payoutWord, witnessOf, type BatchTerms } from './typed-data';

export interface BatchOutcome {
  txHash: string;
  paidAtomic: bigint;
  feePaidAtomic: bigint;
  /** Positions within the batch of recipients that the token rejected. */
  rejected: number[];
}

const paidTopic = payoutsInterface.getEvent('BatchPaid')!.topicHash;

/** Returns the topics of the event for a paid batch. */
export function topicsOf({ payoutId, index }: BatchTerms, owner: string): string[] {
  const word = (value: string) => `0x${value.slice(2).toLowerCase().padStart(64, '0')}`;
  return [paidTopic, payoutWord(payoutId), word(`0x${index.toString(16)}`), word(owner)];
}

/**
 * Returns the outcome of a batch; undefined when these logs contain no matching event. The event must come from the
 * contract, and must match the owner and the hash of the signed list. Events since the previous batch belong to this
 * batch: the contract pays one batch at a time.
 */
export function outcomeIn(
  logs: readonly EvmLog[],
  terms: BatchTerms,
  owner: string,
): BatchOutcome | undefined {
  const own = logs.filter(({ address }) => address === terms.contract.toLowerCase());
  const wanted = topicsOf(terms, owner);
  const witness = witnessOf(terms);
  let rejected: number[] = [];
  for (const { topics, data, txHash } of own) {
    const event = payoutsInterface.parseLog({ topics, data });
    if (event?.name === 'RecipientRefused') rejected.push(Number(event.args['place']));
    if (event?.name !== 'BatchPaid') continue;
    if (topics.every((topic, at) => topic === wanted[at]) && event.args['witness'] === witness)
      return {
        txHash,
        paidAtomic: event.args['paid'] as bigint,
        feePaidAtomic: event.args['fee'] as bigint,
        rejected,
      };
    rejected = [];
  }
  return undefined;
}
