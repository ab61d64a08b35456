import type { OutboxWorker, WorkHints } from '@tollbridge/bootstrap';
import { ChainAdapters, type ChainAdapter, type TransferRead } from '@tollbridge/chain-port';
import { minedTransfers } from '@tollbridge/chain-port/testing';
import { findChain } from '@tollbridge/chains';
import { createLogger } from '@tollbridge/observability';
import { ManualClock } from '@tollbridge/testing';
import { anOrder } from '../orders/testing/order.builder';
import type { TokenPrices } from '../prices/token-prices';

import type { PaymentsRepository } from './payments.repository';
import { ReportedTransfers } from './reported-transfers';
import { ReportsWorker } from './reports.worker';

const minute = 60_000;
const sinceMs = Date.UTC(2026, 10, 20, 12);
const txHash = `0x${'ab'.repeat(32)}`;
const unmined: TransferRead = { kind: 'unmined', chainTimeMs: sinceMs };
const received = minedTransfers({ block: { height: 1, hash: '0x1', timeMs: sinceMs }, confirmations: 100 });

const other = (id: string, read: () => TransferRead | Error) =>
  ({
    chain: findChain(id)!,
    pollIntervalMs: 1_000,
    readTransfers: async () => {
      const found = read();
      if (found instanceof Error) throw found;
      return [found];
    },
  }) as unknown as ChainAdapter;

/** A report that the chain of its order does not have, and the resulting calls. */
function reported(...others: ChainAdapter[]) {
  const clock = new ManualClock(sinceMs + 11 * minute);
  const done: string[] = [];
  const payments = {
    positionOf: async () => ({ height: 1, timeMs: clock.now() }),
    unverifiedReports: async () => [{ ...anOrder(), payTx: txHash, payTxSinceMs: sinceMs }],
    postponeVerification: async () => undefined,
    takeTransfers: async (_: unknown, { chain }: { chain: { id: string } }) =>
      done.push(`taken on ${chain.id}`),
    reject: async (_: unknown, reason: string) => done.push(reason.split(':')[0]!),
  };
  const adapter = {
    chain: findChain('eip155:8453')!,
    pollIntervalMs: 1_000,
    readReport: async () => ({ state: 'notFound' }),
  } as unknown as ChainAdapter;
  const logger = createLogger('test', 'silent');
  const prices = { valuesOf: () => () => null } as unknown as TokenPrices;
  const outbox = { wake: () => undefined } as OutboxWorker;
  const transfers = new ReportedTransfers(new ChainAdapters([adapter, ...others]), prices, logger);
  const repository = payments as unknown as PaymentsRepository;
  const worker = new ReportsWorker(repository, transfers, {} as WorkHints, outbox, clock, logger);
  return { step: () => worker.step(adapter), clock, done };
}

describe('a report that the chain of its order does not have', () => {
  it.each<[string, TransferRead | Error]>([
    ['does not answer', new Error('no node answers')],
    ['contradicts itself', { kind: 'unavailable' }],
  ])('waits while the node of another chain %s, then records the transfer on it', async (_, silence) => {
    let read: TransferRead | Error = silence;
    const { step, done } = reported(
      other('eip155:42161', () => read),
      other('eip155:10', () => unmined),
    );
    await step();
    expect(done).toEqual([]);
    read = received;
    await step();
    expect(done).toEqual(['taken on eip155:42161']);
  });

  it('records the transfer on one chain while another chain does not answer', async () => {
    const { step, done } = reported(
      other('eip155:10', () => new Error('no node answers')),
      other('eip155:42161', () => received),
    );
    await step();
    expect(done).toEqual(['taken on eip155:42161']);
  });

  it('rejects the report when all other chains lack it, or after an hour when one does not answer', async () => {
    const lacking = reported(other('eip155:10', () => unmined));
    await lacking.step();
    expect(lacking.done).toEqual(['TX_NOT_FOUND']);

    const silent = reported(other('eip155:10', () => new Error('no node answers')));
    silent.clock.advance(48 * minute);
    await silent.step();
    expect(silent.done).toEqual([]);
    silent.clock.advance(minute);
    await silent.step();
    expect(silent.done).toEqual(['TX_NOT_FOUND']);
  });
});
