import { systemClock } from '@tollbridge/database';
import { jettonWalletOf, sandboxKey } from '@tollbridge/ton';
import { Address, beginCell, Cell, external, storeMessage } from '@ton/core';
import { randomBytes } from 'node:crypto';
import { openTonHarness, type TonHarness } from './testing/open-ton-harness';
import { TonRepository } from './ton.repository';

let harness: TonHarness;
beforeAll(async () => {
  harness = await openTonHarness(systemClock);
});
afterAll(() => harness?.close());
afterEach(() => expect(harness.problems.splice(0)).toEqual([]));

const json = { 'content-type': 'application/json' };
const base = () => harness.rpcUrl.replace(/jsonRPC$/, '');

async function answered(reply: Promise<Response>): Promise<{ status: number; body: any }> {
  const { status, ...rest } = await reply.then(async (it) => ({ status: it.status, body: await it.json() }));
  return { status, ...rest };
}
const get = (path: string) => answered(fetch(base() + path));
const post = (path: string, body: unknown) =>
  answered(fetch(base() + path, { method: 'POST', headers: json, body: JSON.stringify(body) }));
const rpc = (method: unknown, params: unknown = {}) =>
  post('jsonRPC', { id: '7', jsonrpc: '2.0', method, params });
const random = () => new Address(0, randomBytes(32));
/** Expects an amount within a tolerance, because storage costs some nanotons per second. */
function expectAbout(actual: bigint, expected: bigint): void {
  expect(actual).toBeLessThanOrEqual(expected);
  expect(actual).toBeGreaterThan(expected - 1_000n);
}
const minter = () => harness.genesis.usdt.address;

describe('Request forms of toncenter', () => {
  it('returns the same by GET with a query, POST with fields, and JSON-RPC', async () => {
    const address = minter().toString();
    const [queried, posted, called] = await Promise.all([
      get(`getAddressBalance?address=${encodeURIComponent(address)}`),
      post('getAddressBalance', { address }),
      rpc('getAddressBalance', { address }),
    ]);
    expect(queried).toEqual({ status: 200, body: { ok: true, result: expect.stringMatching(/^\d+$/) } });
    expect(posted).toEqual(queried);
    expect(called).toEqual({ status: 200, body: { ...queried.body, jsonrpc: '2.0', id: '7' } });
  });

  it('accepts each form of an address', async () => {
    const address = minter();
    const spellings = [
      address.toRawString(),
      address.toRawString().toUpperCase(),
      address.toString({ bounceable: false }),
      address.toString({ urlSafe: false }),
      address.toString({ testOnly: true }),
    ];
    for (const spelling of spellings) {
      const { body } = await get(`getAddressState?address=${encodeURIComponent(spelling)}`);
      expect(body).toEqual({ ok: true, result: 'active' });
    }
    expect((await get(`getAddressState?address=${random().toString()}`)).body.result).toBe('uninitialized');
  });

  it('runs get methods by name and by id, over POST', async () => {
    const address = minter().toString();
    const named = await post('runGetMethod', { address, method: 'get_jetton_data', stack: [] });
    expect(named.body.result).toMatchObject({ '@type': 'smc.runResult', exit_code: 0 });
    expect(named.body.result.gas_used).toBeGreaterThan(100);
    expect(named.body.result.stack.map(([type]: [string]) => type)).toEqual([
      'num',
      'num',
      'cell',
      'cell',
      'cell',
    ]);
    // -1 means true: the minter can still mint.
    expect(named.body.result.stack[1]).toEqual(['num', '-0x1']);
    const numbered = await post('runGetMethod', { address, method: 106_029, stack: [] });
    expect(numbered.body.result.stack).toEqual(named.body.result.stack);
  });

  it('returns an exit code for an unknown method, and for an account without code', async () => {
    const exitCode = async (address: Address, method: string) =>
      (await rpc('runGetMethod', { address: address.toString(), method, stack: [] })).body.result;
    expect(await exitCode(minter(), 'no_such_method')).toMatchObject({ exit_code: 11, stack: [] });
    expect(await exitCode(random(), 'seqno')).toMatchObject({ exit_code: -13, stack: [] });
  });

  it('identifies blocks by their numbers only', async () => {
    const { result: info } = (await get('getMasterchainInfo')).body;
    const { result: consensus } = (await get('getConsensusBlock')).body;
    expect(consensus.consensus_block).toBeGreaterThanOrEqual(info.last.seqno);
    const header = await get(`getBlockHeader?workchain=-1&shard=${info.last.shard}&seqno=${info.last.seqno}`);
    expect(header.body.result).toMatchObject({ id: info.last });
    expect(Math.abs(header.body.result.gen_utime - Date.now() / 1_000)).toBeLessThan(10);
    const future = await get(`getBlockHeader?workchain=-1&shard=${info.last.shard}&seqno=2000000000`);
    expect(future).toMatchObject({ status: 500, body: { ok: false, code: 500 } });
  });
});

describe('Rejections of toncenter', () => {
  const message = (body: Cell, to = random()) =>
    beginCell()
      .store(storeMessage(external({ to, body })))
      .endCell()
      .toBoc()
      .toString('base64');
  const cases: [string, number, () => Promise<{ status: number; body: any }>][] = [
    ['an unknown method', 404, () => rpc('getEverything')],
    ['a method name that every object has', 404, () => rpc('constructor')],
    ['a method that is not text', 404, () => rpc(['getAddressState'])],
    ['an unknown path', 404, () => get('nothing')],
    ['a missing address', 416, () => get('getAddressBalance')],
    [
      'an address with a wrong checksum',
      416,
      () => get(`getAddressBalance?address=${minter().toString().slice(0, -1)}A`),
    ],
    ['an address of another format', 416, () => rpc('getAddressBalance', { address: ['0:00'] })],
    ['a limit above 100', 422, () => rpc('getTransactions', { address: minter().toString(), limit: 101 })],
    ['a limit of zero', 422, () => rpc('getTransactions', { address: minter().toString(), limit: 0 })],
    ['lt without hash', 422, () => rpc('getTransactions', { address: minter().toString(), lt: '5' })],
    [
      'an unknown transaction',
      500,
      () => rpc('getTransactions', { address: minter().toString(), lt: '5', hash: '00'.repeat(32) }),
    ],
    ['a missing message', 422, () => rpc('sendBoc')],
    ['a message that is not base64', 422, () => rpc('sendBoc', { boc: '{}' })],
    ['bytes that are not cells', 500, () => rpc('sendBoc', { boc: 'AAAA' })],
    [
      'cells that are not a message',
      500,
      () => rpc('sendBoc', { boc: beginCell().endCell().toBoc().toString('base64') }),
    ],
    ['a message to an account without code', 500, () => rpc('sendBoc', { boc: message(Cell.EMPTY) })],
    ['a message that the account rejects', 500, () => rpc('sendBoc', { boc: message(Cell.EMPTY, minter()) })],
    ['a message that is too large', 422, () => rpc('sendBoc', { boc: 'A'.repeat(88_000) })],
    ['a body that is too large', 413, () => rpc('sendBoc', { boc: 'A'.repeat(140_000) })],
    ['a body that is a list', 422, () => post('jsonRPC', [])],
    ['invalid params', 422, () => rpc('getMasterchainInfo', 7)],
    [
      'a stack with an unsupported type',
      422,
      () => rpc('runGetMethod', { address: minter().toString(), method: 'a', stack: [['tuple', []]] }),
    ],
    [
      'too long a stack',
      422,
      () =>
        rpc('runGetMethod', { address: minter().toString(), method: 'a', stack: Array(65).fill(['num', 1]) }),
    ],
  ];

  it.each(cases)('rejects %s', async (_name, status, ask) => {
    const reply = await ask();
    expect(reply).toMatchObject({ status, body: { ok: false, error: expect.any(String), code: status } });
    // The error exposes no internals.
    expect(reply.body.error).not.toMatch(/\.ts|node_modules|Internal server error/);
  });

  it('rejects internal messages, which would create coins', async () => {
    const { genesisMessages } = await import('./genesis');
    const [coins] = await genesisMessages(async () => false);
    const path = `getTransactions?address=${harness.genesis.admin.address.toString()}`;
    const before = await get(path);
    const reply = await rpc('sendBoc', { boc: coins!.toBoc().toString('base64') });
    expect(reply).toMatchObject({ status: 500, body: { ok: false } });
    expect((await get(path)).body.result).toHaveLength(before.body.result.length);
  });
});

it('simulates an outage', async () => {
  harness.simulator.outage.mode = 'down';
  expect((await fetch(`${base()}getMasterchainInfo`)).status).toBe(503);
  harness.simulator.outage.mode = 'up';
  expect((await get('getMasterchainInfo')).status).toBe(200);
});

describe('Restart of the TON simulator', () => {
  it('restores all state, and continues', async () => {
    const owner = random().toRawString();
    const { usdt_master: master } = await harness.simulator.fund({
      address: owner,
      nano: 7_000_000n,
      usdtAtomic: 25n,
    });
    const before = await get(`getTransactions?address=${owner}`);
    expect(before.body.result).toHaveLength(1);
    const { result: height } = (await get('getMasterchainInfo')).body;

    await harness.restart();

    expect((await get(`getTransactions?address=${owner}`)).body).toEqual(before.body);
    expect((await get('getMasterchainInfo')).body.result.last.seqno).toBeGreaterThanOrEqual(
      height.last.seqno,
    );
    expectAbout(await harness.reader.getBalance(owner), 7_000_000n);
    expect(await jettonWalletOf(harness.reader, { master, owner })).toMatchObject({ balanceAtomic: 25n });
    // The faucet's wallet continues its sequence numbers, and times increase.
    await harness.simulator.fund({ address: owner, nano: 1_000_000n, usdtAtomic: 1n });
    expectAbout(await harness.reader.getBalance(owner), 8_000_000n);
    expect(await jettonWalletOf(harness.reader, { master, owner })).toMatchObject({ balanceAtomic: 26n });
    const { transactions } = await harness.reader.getTransactions(owner, 0n, 10);
    expect(transactions).toHaveLength(2);
    expect(transactions[1]!.lt).toBeGreaterThan(transactions[0]!.lt);
  });

  it.each(['stored', 'lost'])(
    'continues from the stored state after a commit without a reply that was %s',
    async (outcome) => {
      const owner = random().toRawString();
      const fund = () => harness.simulator.fund({ address: owner, nano: 2_000_000n, usdtAtomic: 3n });
      await fund();
      const { commit } = TonRepository.prototype;
      const spy = jest.spyOn(TonRepository.prototype, 'commit').mockImplementationOnce(async function (
        this: TonRepository,
        change,
      ) {
        if (outcome === 'stored') await commit.call(this, change);
        throw new Error('connection lost');
      });
      await expect(fund()).rejects.toThrow('connection lost');
      spy.mockRestore();
      await fund();
      expectAbout(await harness.reader.getBalance(owner), outcome === 'stored' ? 6_000_000n : 4_000_000n);
    },
  );

  it('keeps the same addresses in every sandbox', () => {
    const { admin, usdt, deposits } = harness.genesis;
    expect([admin, usdt, deposits].map(({ address }) => address.toRawString())).toMatchInlineSnapshot(`
     [
       "0:2a3208c533846be6c257b73f35903320bd12966d35ebcb0332dc6194bb93719c",
       "0:bf01e7207c69fd0ddf3549aa38e27c2e74d3c3006e7fac4827fdffb57e4e07c7",
       "0:1e411a978149c21f93c8dd3be2cb8f45e6cc7330af6068fc6367ad83975e02c1",
     ]
    `);
    expect(sandboxKey('TON admin').publicKey).toEqual(admin.key.publicKey);
  });
});

it('executes concurrent messages one after another', async () => {
  const owner = random().toRawString();
  await Promise.all(
    Array.from({ length: 12 }, () =>
      harness.simulator.fund({ address: owner, nano: 3_000_000n, usdtAtomic: 2n }),
    ),
  );
  expectAbout(await harness.reader.getBalance(owner), 36_000_000n);
  const { address: master } = harness.genesis.usdt;
  const wallet = await jettonWalletOf(harness.reader, { master: master.toRawString(), owner });
  expect(wallet.balanceAtomic).toBe(24n);
  const { transactions } = await harness.reader.getTransactions(owner, 0n, 100);
  expect(new Set(transactions.map(({ lt }) => lt)).size).toBe(12);
});
