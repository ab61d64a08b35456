// What the logs of a transaction say of a batch. Pure.
import type { EvmLog } from '@tollbridge/evm';
import { payoutsInterface, payoutWord, witnessOf, type BatchTerms } from './typed-data';

export interface BatchOutcome {
  txHash: string;
  paidAtomic: bigint;
  feePaidAtomic: bigint;
  /** Places within the batch of those that were refused. */
  refused: number[];
}

const paidTopic = payoutsInterface.getEvent('BatchPaid')!.topicHash;

/** The topics of the event that tells that a batch was paid. */
export function topicsOf({ payoutId, index }: BatchTerms, owner: string): string[] {
  const word = (value: string) => `0x${value.slice(2).toLowerCase().padStart(64, '0')}`;
  return [paidTopic, payoutWord(payoutId), word(`0x${index.toString(16)}`), word(owner)];
}

/**
 * How a batch was paid; undefined when these logs do not tell of it. Only what was signed counts: the event must be of the
 * contract and of the owner, and hold the hash of the same list. What stands between it and the event of the batch before
 * is about it: the contract pays one batch at a time.
 */
export function outcomeIn(
  logs: readonly EvmLog[],
  terms: BatchTerms,
  owner: string,
): BatchOutcome | undefined {
  const own = logs.filter(({ address }) => address === terms.contract.toLowerCase());
  const wanted = topicsOf(terms, owner);
  const witness = witnessOf(terms);
  let refused: number[] = [];
  for (const { topics, data, txHash } of own) {
    const event = payoutsInterface.parseLog({ topics, data });
    if (event?.name === 'RecipientRefused') refused.push(Number(event.args['place']));
    if (event?.name !== 'BatchPaid') continue;
    if (topics.every((topic, at) => topic === wanted[at]) && event.args['witness'] === witness)
      return {
        txHash,
        paidAtomic: event.args['paid'] as bigint,
        feePaidAtomic: event.args['fee'] as bigint,
        refused,
      };
    refused = [];
  }
  return undefined;
}
