import { Writable } from 'node:stream';
import type { ChainTransaction } from '@tollbridge/contracts';
import { BusClient } from '@tollbridge/rpc';
import { Metrics } from '@tollbridge/observability';
import { mainnet, usdt } from '@tollbridge/nanopay-protocol';
import { TonAccountReader, type AccountTransaction, type AccountTransactions } from '@tollbridge/ton';
import { Address, beginCell } from '@ton/core';
import pino from 'pino';
import { readConfig } from '../config';
import { Deployed } from '../deployment/deployed';
import { AssetWallet, Chain } from './asset-wallet';
import type { Polled } from './chain-poller';
import { DepositsWorker } from './deposits.worker';

const wallet = `0:${'b1'.repeat(32)}`;
const recipient = `0:${'c1'.repeat(32)}`;
const verifyingContract = `0:${'a1'.repeat(32)}`;

/** A transfer that bounced to the wallet of the service, because the issuer may lock any recipient's wallet. */
const bounced = {
  account: wallet,
  lt: 7n,
  hash: 'ff'.repeat(32),
  at: new Date(0),
  parsed: {
    inMessage: {
      info: {
        type: 'internal',
        bounced: true,
        src: Address.parseRaw(recipient),
        dest: Address.parseRaw(wallet),
      },
      body: beginCell().endCell(),
    },
  },
} as unknown as AccountTransaction;

class FakeReader extends TonAccountReader {
  readonly readAfter: bigint[] = [];

  override async getTransactions(_address: string, afterLt: bigint): Promise<AccountTransactions> {
    this.readAfter.push(afterLt);
    return { transactions: afterLt < bounced.lt ? [bounced] : [], hasMore: false };
  }
}

class FakeWallet extends AssetWallet {
  override async read() {
    return { address: wallet, balanceAtomic: 0n, isDeployed: true };
  }
}

class TestedWorker extends DepositsWorker {
  override poll(reader: TonAccountReader): Promise<Polled> {
    return super.poll(reader);
  }
}

describe('DepositsWorker', () => {
  let reader: FakeReader;
  let calls: { subject: string; input: unknown }[];
  let lines: Record<string, unknown>[];
  let worker: TestedWorker;

  beforeEach(() => {
    [reader, calls, lines] = [new FakeReader({ url: 'http://127.0.0.1:1' }), [], []];
    const client = Object.assign(Object.create(BusClient.prototype) as BusClient, {
      call: async ({ subject }: { subject: string }, input: ChainTransaction) => {
        calls.push({ subject, input });
        return { lt: '0' };
      },
    });
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
        done();
      },
    });
    const deployed = new Deployed({
      network: mainnet,
      verifyingContract,
      asset: usdt,
      teeEndpoint: 'https://pay.example.com',
    });
    worker = new TestedWorker(
      new Chain(reader),
      new FakeWallet(deployed),
      deployed,
      client,
      readConfig({ TOLLBRIDGE_ENV: 'sandbox', NANOPAY_NATS_URL: 'nats://127.0.0.1:4222' }),
      pino(output),
      new Metrics('nanopay'),
    );
  });

  it('credits nothing for a bounced transfer and logs the count as an error', async () => {
    expect(await worker.poll(reader)).toBe('done');
    expect(calls.map(({ subject }) => subject)).toEqual([expect.stringContaining('read-cursor')]);
    expect(lines).toEqual([expect.objectContaining({ level: 50, reason: 'bounced', count: 1 })]);
  });

  it('reads past a bounced transfer and reports it once', async () => {
    await worker.poll(reader);
    expect(await worker.poll(reader)).toBe('idle');
    expect(reader.readAfter).toEqual([0n, 7n]);
    expect(lines).toHaveLength(1);
  });
});
