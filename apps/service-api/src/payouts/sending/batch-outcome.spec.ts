import type { EvmLog } from '@tollbridge/evm';
import { getAddress } from 'ethers';
import { outcomeIn } from './batch-outcome';
import { asPermit2Takes, payoutsInterface, payoutWord, witnessOf, type BatchTerms } from './typed-data';

const account = (digit: string): string => getAddress(`0x${digit.repeat(40)}`);
const [owner, other, contract] = [account('1'), account('2'), account('3')];
const terms: BatchTerms = {
  payoutId: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  index: 1,
  chainId: 8453,
  contract,
  tokenAddress: account('4'),
  lines: [
    { address: account('5'), amountAtomic: 5n },
    { address: account('6'), amountAtomic: 6n },
  ],
  totalAtomic: 11n,
  feeAtomic: 2n,
  deadline: 1_800_000_000,
};
const id = payoutWord(terms.payoutId);

function log(name: string, values: unknown[], address = contract): EvmLog {
  const { topics, data } = payoutsInterface.encodeEventLog(name, values);
  return {
    address: address.toLowerCase(),
    topics: [...topics] as string[],
    data,
    txHash: '0xab',
    blockHash: '0x00',
    height: 1,
    logIndex: 0,
  };
}

const recipientRejected = (place: number) => log('RecipientRefused', [id, 1, place, account('5'), 5n]);
const batchPaid = (changes: { owner?: string; witness?: string; batch?: number; address?: string } = {}) =>
  log(
    'BatchPaid',
    [
      id,
      changes.batch ?? 1,
      changes.owner ?? owner,
      terms.tokenAddress,
      changes.witness ?? witnessOf(terms),
      6n,
      5n,
      1n,
    ],
    changes.address,
  );

it('outcomeIn reads the event of the contract', () => {
  expect(outcomeIn([recipientRejected(0), batchPaid()], terms, owner)).toEqual({
    txHash: '0xab',
    paidAtomic: 6n,
    feePaidAtomic: 1n,
    rejected: [0],
  });
});

it('outcomeIn distinguishes batches of one transaction', () => {
  const logs = [recipientRejected(1), batchPaid({ owner: other }), recipientRejected(0), batchPaid()];
  expect(outcomeIn(logs, terms, owner)?.rejected).toEqual([0]);
});

it.each([
  ['another owner', { owner: other }],
  ['another list, which the owner has signed too', { witness: `0x${'7'.repeat(64)}` }],
  ['another batch', { batch: 0 }],
  ['another contract', { address: other }],
])('outcomeIn ignores the event of %s', (_name, changes) => {
  expect(outcomeIn([recipientRejected(0), batchPaid(changes)], terms, owner)).toBeUndefined();
});

it('normalizes key signatures, and leaves others unchanged', () => {
  const [r, s] = ['1'.repeat(64), '2'.repeat(64)];
  expect(asPermit2Takes(`0x${r}${s}00`)).toBe(`0x${r}${s}1b`);
  expect(asPermit2Takes(`0x${r}${s}01`)).toBe(`0x${r}${s}1c`);
  expect(asPermit2Takes(`0x${r}${s}1c`)).toBe(`0x${r}${s}1c`);
  expect(asPermit2Takes('0xabcdef')).toBe('0xabcdef');
});
