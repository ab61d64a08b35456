import type { Anvil } from '@tollbridge/testing';
import { type ChainUpdate, EvmRpc, knownAfter, nextUpdate, RpcError } from './index';
import type { BlockRef, EvmLog } from './evm-types';
import { anvilAccount, emitLog, logContract, logTopic, startLogNode } from './testing/log-node';

const chainId = 8453;
const word = (value: number): string => value.toString(16).padStart(64, '0');
const options = { address: logContract, topics: [logTopic], startHeight: 0, window: 16, maxRange: 2_000 };

let nodes: Anvil[] = [];

async function startNode(id = chainId): Promise<Anvil> {
  const node = await startLogNode(id);
  nodes.push(node);
  return node;
}

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  nodes = [];
});

function rpcOf(...anvils: Anvil[]): EvmRpc {
  return new EvmRpc({ chainId, urls: anvils.map((anvil) => anvil.url), maxLagBlocks: 5 });
}

/** Applies updates like a caller's database until the state is up to date. */
class Follower {
  known: BlockRef[] = [];
  logs: EvmLog[] = [];
  readonly updates: ChainUpdate[] = [];

  constructor(private readonly rpc: EvmRpc) {}

  async catchUp(): Promise<void> {
    for (;;) {
      const update = await nextUpdate(this.rpc, this.known, options);
      if (update.kind === 'idle') return;
      this.updates.push(update);
      this.known = knownAfter(this.known, update, options.window);
      if (update.kind === 'advance') this.logs.push(...update.logs);
      else this.logs = this.logs.filter((log) => log.height <= update.to.height);
    }
  }

  /** The numbers in the data of the logs, after the topic. */
  get payloads(): number[] {
    return this.logs.map((log) => Number(`0x${log.data.slice(66)}`));
  }
}

describe('EvmRpc reads from a real node', () => {
  it('returns blocks, a receipt, a transaction and a call', async () => {
    const anvil = await startNode();
    const rpc = rpcOf(anvil);
    const txHash = await emitLog(anvil, word(7));
    const head = await rpc.head();
    expect(head.height).toBe(1);
    expect((await rpc.blocks(0, 1))[1]).toEqual(head);
    expect((await rpc.blockByNumber(0))!.hash).toBe(head.parentHash);

    const receipt = await rpc.receipt(txHash);
    const [log] = await rpc.logs({ ...options, fromBlock: 0, toBlock: 1 });
    expect(receipt).toMatchObject({
      txHash,
      blockHash: head.hash,
      height: 1,
      succeeded: true,
      to: logContract,
    });
    expect(receipt!.logs).toEqual([log]);
    expect(log).toMatchObject({
      address: logContract,
      topics: [logTopic],
      data: logTopic + word(7),
      logIndex: 0,
    });
    expect(await rpc.transaction(txHash)).toMatchObject({
      hash: txHash,
      height: 1,
      nonce: 0,
      valueAtomic: 0n,
    });
    expect(await rpc.receipt(`0x${'00'.repeat(32)}`)).toBeNull();
    expect(await rpc.ethCall({ to: logContract, data: '0x' }, { blockHash: head.hash })).toBe('0x');
  });

  it('returns a pending transaction, and null for future blocks', async () => {
    const anvil = await startNode();
    const rpc = rpcOf(anvil);
    await anvil.send('evm_setAutomine', [false]);
    const transaction = {
      from: anvilAccount,
      to: logContract,
      data: logTopic,
    };
    const txHash = String(await anvil.send('eth_sendTransaction', [transaction]));
    expect(await rpc.transaction(txHash)).toMatchObject({ blockHash: null, height: null });
    expect(await rpc.receipt(txHash)).toBeNull();
    const future = { address: logContract, toBlock: '0x9', fromBlock: '0x0' };
    expect(await rpc.call('eth_getLogs', [future])).toEqual([]);
    const error = await rpc.logs({ ...options, fromBlock: 0, toBlock: 9 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ reason: 'headerNotFound' });
  });

  it('returns the revert data of a contract call', async () => {
    const anvil = await startNode();
    // Code that reverts with four bytes: 0xdeadbeef.
    await anvil.send('anvil_setCode', [logContract, '0x63deadbeef6000526004601cfd']);
    const error = await rpcOf(anvil)
      .ethCall({ to: logContract, data: '0x' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'rejected', code: 3, data: '0xdeadbeef' });
  });

  it('never uses a node of another chain', async () => {
    const rpc = rpcOf(await startNode(1), await startNode());
    expect((await rpc.head()).height).toBe(0);
    expect(rpc.health()).toMatchObject([{ state: 'unhealthy', reason: 'wrongChain' }, { state: 'healthy' }]);
  });
});

describe('nextUpdate on a real node', () => {
  it('catches up with 5,000 blocks in three ranges without a missing log', async () => {
    const anvil = await startNode();
    for (let payload = 1; payload <= 5; payload += 1) {
      await emitLog(anvil, word(payload));
      await anvil.mine(999);
    }
    const follower = new Follower(rpcOf(anvil));
    await follower.catchUp();
    expect(follower.payloads).toEqual([1, 2, 3, 4, 5]);
    expect(follower.updates.map((update) => update.kind)).toEqual(['advance', 'advance', 'advance']);
    expect(follower.known).toHaveLength(options.window);
    expect(follower.known.at(-1)!.height).toBe(5_000);
  });

  it.each([1, 10])('follows a reorganisation of depth %i', async (depth) => {
    const anvil = await startNode();
    await anvil.mine(20);
    await emitLog(anvil, word(1));
    await anvil.mine(9);
    await emitLog(anvil, word(2));
    const follower = new Follower(rpcOf(anvil));
    await follower.catchUp();
    expect(follower.payloads).toEqual([1, 2]);

    await anvil.send('anvil_reorg', [depth, []]);
    await follower.catchUp();
    // A reorganisation of depth 1 removes the newest block with payload 2. Depth 10 removes all blocks but block 21
    // with payload 1.
    expect(follower.payloads).toEqual([1]);
    expect(follower.updates.at(-2)).toMatchObject({ kind: 'rollback', to: { height: 31 - depth } });
    await emitLog(anvil, word(3));
    await follower.catchUp();
    expect(follower.payloads).toEqual([1, 3]);
  });

  it('reads everything again after a reorganisation deeper than its window', async () => {
    const anvil = await startNode();
    await emitLog(anvil, word(1));
    await anvil.mine(20);
    await emitLog(anvil, word(2));
    await anvil.mine(20);
    const follower = new Follower(rpcOf(anvil));
    await follower.catchUp();
    expect(follower.payloads).toEqual([1, 2]);

    await anvil.send('anvil_reorg', [30, []]);
    await emitLog(anvil, word(3));
    await follower.catchUp();
    expect(follower.payloads).toEqual([1, 3]);
    expect(follower.updates.at(-2)).toMatchObject({ kind: 'rollback', to: { height: -1 } });
  });

  it('waits when the chain shrinks, and rolls back once it has grown differently', async () => {
    const anvil = await startNode();
    await anvil.mine(10);
    await emitLog(anvil, word(1));
    const follower = new Follower(rpcOf(anvil));
    await follower.catchUp();
    await anvil.send('anvil_rollback', [3]);
    await follower.catchUp();
    expect(follower.payloads).toEqual([1]);
    await anvil.send('evm_increaseTime', [100]);
    await emitLog(anvil, word(2));
    await follower.catchUp();
    expect(follower.payloads).toEqual([2]);
  });
});

describe('EvmRpc with two real nodes', () => {
  it('continues when the first node is killed', async () => {
    const [first, second] = [await startNode(), await startNode()];
    await first.mine(10);
    await second.mine(12);
    const rpc = rpcOf(first, second);
    expect((await rpc.head()).height).toBe(10);
    await first.stop('SIGKILL');
    expect((await rpc.head()).height).toBe(12);
    expect(rpc.health()).toMatchObject([{ state: 'unhealthy', reason: 'unavailable' }, { state: 'healthy' }]);
  });

  it('repeats an update on the second node when the first is killed during the update', async () => {
    const [first, second] = [await startNode(), await startNode()];
    await emitLog(second, word(9));
    await first.mine(1);
    let killed = false;
    const rpc = new EvmRpc({
      chainId,
      urls: [first.url, second.url],
      maxLagBlocks: 5,
      fetch: async (url, init) => {
        if (!killed && String(init.body).includes('eth_getLogs')) {
          killed = true;
          await first.stop('SIGKILL');
        }
        return fetch(url, init);
      },
    });
    const update = await nextUpdate(rpc, [], options);
    expect(update).toMatchObject({ kind: 'advance', logs: [{ data: logTopic + word(9) }] });
    expect(rpc.health()[0]).toMatchObject({ state: 'unhealthy', reason: 'unavailable' });
  });

  it('follows one chain while the first node dies and the second lags', async () => {
    const [first, second] = [await startNode(), await startNode()];
    // With fixed block times, the same transactions produce the same hashes on both nodes.
    const extend = async (node: Anvil, payload: number): Promise<void> => {
      await node.send('anvil_setBlockTimestampInterval', [2]);
      await emitLog(node, word(payload));
      await node.mine(4);
    };
    for (const payload of [1, 2, 3]) await extend(first, payload);
    for (const payload of [1, 2]) await extend(second, payload);
    const follower = new Follower(rpcOf(first, second));
    await follower.catchUp();
    expect(follower.payloads).toEqual([1, 2, 3]);

    await first.stop('SIGKILL');
    await follower.catchUp();
    expect(follower.known.at(-1)!.height).toBe(15);
    for (const payload of [3, 4]) await extend(second, payload);
    await follower.catchUp();
    expect(follower.payloads).toEqual([1, 2, 3, 4]);
    expect(follower.updates.map((update) => update.kind)).toEqual(['advance', 'advance']);
  });

  it('reads from the node that is up to date', async () => {
    const [lagging, current] = [await startNode(), await startNode()];
    await lagging.mine(10);
    await current.mine(100);
    const rpc = rpcOf(lagging, current);
    expect((await rpc.head()).height).toBe(100);
    expect(rpc.health()).toMatchObject([
      { state: 'unhealthy', reason: 'lagging', headHeight: 10 },
      { state: 'healthy', headHeight: 100 },
    ]);
  });

  it('uses lagging nodes when no other node is available', async () => {
    const [lagging, current] = [await startNode(), await startNode()];
    await lagging.mine(10);
    await current.mine(100);
    const rpc = rpcOf(lagging, current);
    await rpc.head();
    await current.stop('SIGKILL');
    expect((await rpc.head()).height).toBe(10);
  });
});
