import { eventually, openTcpLink } from '@tollbridge/testing';
import type { HDNodeWallet } from 'ethers';
import { NodeTap } from '../../testing/node-tap';
import { signAll, TxEngine } from '../../testing/tx-engine';
import { SetsRepository } from '../storage/sets.repository';

const confirmations = 3;
const usd = 10n ** 6n;
const amount = 100n * usd;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let node: NodeTap;
let harness: TxEngine;

beforeAll(async () => {
  harness = await TxEngine.start({
    confirmations,
    rpcUrls: async ({ anvil }) => {
      node = await NodeTap.to(anvil.url);
      return [node.url];
    },
  });
});
afterAll(async () => {
  await harness?.close();
  await node?.close();
});
afterEach(async () => {
  jest.restoreAllMocks();
  node.passThrough();
  await harness.chain.anvil.setAutomine(true);
});

interface Ready {
  id: string;
  user: HDNodeWallet;
  signatures: string[];
}

async function ready(): Promise<Ready> {
  const user = await harness.newUser({ USDT: amount });
  const built = await harness.built({ from: 'USDT', to: 'USDC', amount }, user);
  return { id: built.transactionId, user, signatures: await signAll(built, user) };
}

async function executed(): Promise<Ready> {
  const set = await ready();
  await harness.execute(set.id, set.signatures);
  return set;
}

/** Expects one full delivery, one event per change, and no claimed nonce. */
async function completes({ id, user }: Ready): Promise<void> {
  const done = await harness.mining(id, { status: 'completed' }, 30_000);
  expect(await harness.balance('USDT', user.address)).toBe(0n);
  expect(await harness.balance('USDC', user.address)).toBe(BigInt(done.result!.finalAmountOut!));
  expect(await harness.chain.anvil.provider.getTransactionCount(user.address)).toBe(2);
  const claims = 'SELECT FROM tx_engine.nonce_claims WHERE set_id = $1';
  expect(await harness.database.query(claims, [id])).toEqual([]);
  const version = (await harness.snapshot(id)).version;
  await eventually(() => expect(harness.events.of(id).at(-1)?.envelope.aggregateVersion).toBe(version));
  const versions = harness.events.of(id).map(({ envelope }) => envelope.aggregateVersion);
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
}

describe('node outages', () => {
  it('broadcast a set afterwards when the node was down at its execution', async () => {
    const set = await ready();
    node.mode = 'down';
    expect((await harness.execute(set.id, set.signatures)).status).toBe('signing');
    await pause(1_000);
    expect(await harness.status(set.id)).toMatchObject({ status: 'signing', failure: null });
    node.mode = 'up';
    await completes(set);
  });

  it.each(['eth_sendRawTransaction', 'eth_getTransactionReceipt', 'eth_getTransactionCount'])(
    'complete a set when the node does not answer %s for a while',
    async (silent) => {
      const set = await ready();
      node.rewrite = (result, method) => {
        if (method === silent) throw new Error('down');
        return result as unknown;
      };
      await harness.execute(set.id, set.signatures);
      await pause(1_500);
      expect(await harness.status(set.id)).toMatchObject({ failure: null });
      node.passThrough();
      await completes(set);
    },
  );

  it('complete a set once if the node accepts a transaction without a reply', async () => {
    const set = await ready();
    let lost = 0;
    node.rewrite = (result, method) => {
      if (method === 'eth_sendRawTransaction' && lost++ < 2) throw new Error('broken off');
      return result as unknown;
    };
    await harness.execute(set.id, set.signatures);
    await completes(set);
  });

  it.each(['submitted', 'confirming'] as const)(
    'complete a set that was %s during the outage',
    async (status) => {
      const set = await ready();
      if (status === 'submitted') await harness.chain.anvil.setAutomine(false);
      await harness.execute(set.id, set.signatures);
      await harness.until(set.id, { status });
      node.mode = 'down';
      await harness.chain.anvil.mine(5);
      await pause(2_000);
      expect(await harness.status(set.id)).toMatchObject({ status, failure: null });
      node.mode = 'up';
      await completes(set);
    },
  );

  it('do not undo a set while the node is behind', async () => {
    const behind = await harness.chain.anvil.height();
    const set = await executed();
    await harness.until(set.id, { status: 'confirming' });
    const old = await harness.chain.anvil.send('eth_getBlockByNumber', [`0x${behind.toString(16)}`, false]);
    node.rewrite = (result, method, [first]) => {
      if (method === 'eth_getBlockByNumber' && first === 'latest') return old;
      if (method === 'eth_getTransactionReceipt') return null;
      return result as unknown;
    };
    await pause(500);
    expect(await harness.status(set.id)).toMatchObject({ status: 'confirming' });
    node.passThrough();
    await completes(set);
    const published = harness.events.of(set.id).map(({ envelope }) => envelope.data['status']);
    expect(published.lastIndexOf('submitted')).toBeLessThan(published.indexOf('confirming'));
  });

  it('do not complete a set by receipts of a block outside the canonical chain', async () => {
    node.rewrite = (result, method) => {
      if (method !== 'eth_getTransactionReceipt' || result === null) return result as unknown;
      const place = { blockNumber: '0x1', blockHash: `0x${'ef'.repeat(32)}` };
      return { ...result, ...place, logs: result.logs.map((log: object) => ({ ...log, ...place })) };
    };
    const set = await executed();
    await harness.chain.anvil.mine(confirmations);
    await pause(1_000);
    expect(await harness.status(set.id)).toMatchObject({ status: 'submitted', result: null });
    node.passThrough();
    await completes(set);
  });
});

describe('process crashes', () => {
  // A set that is confirmed at its first poll is saved three times.
  it.each([1, 2, 3])('complete the set once after a crash before save number %i', async (number) => {
    const set = await ready();
    const { save } = SetsRepository.prototype;
    let saves = 0;
    jest.spyOn(SetsRepository.prototype, 'save').mockImplementation(function (this: SetsRepository, change) {
      saves += change.before.id === set.id ? 1 : 0;
      if (saves === number && change.before.id === set.id) throw new Error('killed');
      return save.call(this, change);
    });
    // The caller repeats the call, whether it gets the reply or not.
    await harness.execute(set.id, set.signatures).catch(() => undefined);
    await harness.execute(set.id, set.signatures);
    await completes(set);
    expect(saves).toBeGreaterThan(number);
  });
});

describe('database outages', () => {
  it('do not prevent the completion of any set when connections break repeatedly', async () => {
    const link = await openTcpLink(harness.database.runtimeUrl);
    await harness.stopApps();
    await harness.startApp({ TX_ENGINE_DATABASE_URL: link.url });
    try {
      const set = await executed();
      for (let round = 0; round < 4; round++) {
        await link.cut();
        await harness.chain.anvil.mine();
        await pause(150);
        await link.mend();
        await pause(300);
        await harness.database.breakConnections();
      }
      await completes(set);
    } finally {
      await harness.stopApps();
      await link.close();
      await harness.startApp();
    }
  });
});

describe('two instances of the app', () => {
  it('share the work, and one continues after the other stops', async () => {
    await harness.startApp();
    const sets = [await ready(), await ready(), await ready()];
    await Promise.all(sets.map(({ id, signatures }) => harness.execute(id, signatures)));
    // Transactions of the other sets are mined in later blocks, so this set may already be confirming.
    await eventually(async () =>
      expect((await harness.status(sets[0]!.id)).status).toMatch(/confirming|completed/),
    );
    await harness.apps.shift()!.close();
    for (const set of sets) await completes(set);
  });

  it('broadcast a set once under concurrent calls', async () => {
    await harness.startApp();
    const set = await ready();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => harness.execute(set.id, set.signatures)));
    expect(new Set(answers.map(({ transactionId }) => transactionId)).size).toBe(1);
    await completes(set);
    await harness.apps.pop()!.close();
  });
});

it('assigns the nonces after the first set to the second set of a user', async () => {
  const user = await harness.newUser({ USDT: 2n * amount });
  for (const nonces of [
    [0, 1],
    [2, 3],
  ]) {
    const built = await harness.built({ from: 'USDT', to: 'USDC', amount }, user);
    expect(built.transactions.map(({ nonce }) => nonce)).toEqual(nonces);
    await harness.executed(built, user);
    await harness.mining(built.transactionId, { status: 'completed' });
  }
  expect(await harness.balance('USDT', user.address)).toBe(0n);
});
