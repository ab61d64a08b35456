import type { DirectChain } from '@tollbridge/chains';
import { startHttpServer, closedUrl, type HttpServer } from '@tollbridge/testing';
import { splTokenProgram, token2022Program } from '@tollbridge/onchain/solana';
import { VersionedTransaction } from '@solana/web3.js';
import { NodeError } from './json-rpc';
import { openSolanaAdapter } from './open';
import {
  exampleOrder,
  FakeChain,
  namedAddress,
  payerAddress,
  programAddress,
  solanaChain,
} from './testing/fake-chain';

const codes: Record<string, number> = {
  blockNotAvailable: -32_004,
  slotSkipped: -32_007,
  other: -32_016,
};
let servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** Serves a fake chain over HTTP. */
async function serve(chain: FakeChain): Promise<HttpServer> {
  const server = await startHttpServer(({ body }) => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] };
    try {
      return { body: { jsonrpc: '2.0', id, result: chain.answer(method, params) } };
    } catch (error) {
      const code = error instanceof NodeError ? codes[error.errorName] : -32_603;
      return { body: { jsonrpc: '2.0', id, error: { code, message: 'key-of-the-url' } } };
    }
  });
  servers.push(server);
  return server;
}

function open(rpcUrls: string[]) {
  const chain: DirectChain = {
    ...solanaChain,
    rpcUrls,
    pollIntervalMs: 400,
    maxLagBlocks: 20,
    contracts: [],
    payContract: programAddress,
    formerPayContracts: [],
    startHeight: 0,
  };
  const warnings: object[] = [];
  return { ...openSolanaAdapter(chain, { warn: (about) => warnings.push(about) }), warnings };
}

describe('openSolanaAdapter', () => {
  it('uses the next node when one is down', async () => {
    const chain = new FakeChain();
    chain.pay(80);
    const { adapter, rpc, warnings } = open([await closedUrl(), (await serve(chain)).url]);
    expect(await adapter.nextUpdate([])).toMatchObject({ kind: 'advance', payments: [{ height: 80 }] });
    expect(rpc.health()).toMatchObject([{ state: 'unhealthy' }, { state: 'healthy' }]);
    expect(warnings).toMatchObject([{ chain: 'solana', node: 1, reason: 'unavailable' }]);
  });

  it('skips no payment and returns none twice when a lagging node takes over', async () => {
    const [newest, lagging] = [new FakeChain(), new FakeChain()];
    for (const slot of [70, 85, 95]) {
      const payment = newest.pay(slot);
      lagging.transactions.push(payment);
    }
    [lagging.confirmed, lagging.finalized] = [90, 59];
    const { adapter } = open([(await serve(lagging)).url, (await serve(newest)).url]);
    const first = await adapter.nextUpdate([]);
    if (first.kind !== 'advance') throw new Error('nothing was found');
    expect(first.payments.map(({ height }) => height)).toEqual([70, 85]);
    expect(first.head.height).toBe(90);
    await servers[0]!.close();
    servers.shift();
    const second = await adapter.nextUpdate(first.blocks);
    expect(second).toMatchObject({ kind: 'advance', payments: [{ height: 95 }], head: { height: 100 } });
  });

  it('skips a node that lags by more than maxLagBlocks', async () => {
    const [newest, lagging] = [new FakeChain(), new FakeChain()];
    [lagging.confirmed, lagging.finalized] = [70, 39];
    const { adapter, rpc } = open([(await serve(lagging)).url, (await serve(newest)).url]);
    expect((await adapter.nextUpdate([])).head.height).toBe(100);
    expect(rpc.health()[0]).toMatchObject({ state: 'unhealthy', reason: 'lagging' });
  });

  it('never uses a node of another cluster', async () => {
    const [own, devnet] = [new FakeChain(), new FakeChain()];
    devnet.genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
    devnet.pay(80);
    const { adapter } = open([(await serve(devnet)).url, (await serve(own)).url]);
    expect(await adapter.nextUpdate([])).toMatchObject({ payments: [] });
    expect(new Set(devnet.calls)).toEqual(new Set(['getGenesisHash']));
  });

  it('sends the key of a URL as a header, and hides it in errors', async () => {
    const server = await serve(new FakeChain());
    const url = server.url.replace('http://', 'http://secret-key@');
    const { adapter } = open([`${url}/path?api-key=second-key`]);
    await adapter.nextUpdate([]);
    expect(server.requests[0]).toMatchObject({ path: '/path', headers: { 'x-api-key': 'secret-key' } });
    expect(server.requests[0]!.query.get('api-key')).toBe('second-key');
    const error: Error = await adapter.balanceAtomic(payerAddress, solanaChain.tokens[0]!).then(
      () => new Error('it did not fail'),
      (thrown: Error) => thrown,
    );
    expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/secret-key|second-key|key-of-the-url/);
    expect(error.message).toContain('solana node 1');
  });

  it('uses the next node when one rejects the key', async () => {
    const server = await startHttpServer(() => ({ status: 403, body: { error: 'Forbidden' } }));
    servers.push(server);
    const { adapter } = open([server.url, (await serve(new FakeChain())).url]);
    expect((await adapter.nextUpdate([])).head.height).toBe(100);
  });
});

describe('SolanaPaymentAdapter.walletCall', () => {
  const token = { ...solanaChain.tokens[1]!, address: namedAddress('mint') };
  const order = {
    id: exampleOrder().order_id,
    token,
    merchantAddress: namedAddress('merchant'),
    merchantAmountAtomic: 97n,
    feeReceiver: namedAddress('fee receiver'),
    feeAmountAtomic: 3n,
    expiresAtMs: 1_800_000_000_000,
  };
  const callOf = async (changes: Partial<typeof order>, owner: string | null) => {
    const chain = new FakeChain();
    chain.answers['getLatestBlockhash'] = () => ({
      context: { slot: 100 },
      value: { blockhash: namedAddress('recent'), lastValidBlockHeight: 240 },
    });
    const account = owner === null ? null : { owner, data: ['', 'base64'], lamports: 1 };
    chain.answers['getAccountInfo'] = () => ({ context: { slot: 100 }, value: account });
    const { adapter } = open([(await serve(chain)).url]);
    const call = await adapter.walletCall({ ...order, ...changes }, payerAddress);
    if (call.family !== 'solana') throw new Error('a call of another family');
    const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(call.transaction, 'base64'));
    const programs = message.compiledInstructions.map(({ programIdIndex }) =>
      message.staticAccountKeys[programIdIndex]!.toBase58(),
    );
    const keys = message.staticAccountKeys.map((it) => it.toBase58());
    return { call, message, signatures, programs, keys };
  };

  it.each([splTokenProgram, token2022Program])('pays in a token of %s', async (program) => {
    const { call, message, signatures, programs, keys } = await callOf({}, program);
    expect(programs).toEqual([
      expect.stringMatching(/^AToken/),
      expect.stringMatching(/^AToken/),
      programAddress,
    ]);
    expect(keys).toContain(program);
    expect(message).toMatchObject({
      header: { numRequiredSignatures: 1 },
      recentBlockhash: namedAddress('recent'),
    });
    expect(keys[0]).toBe(payerAddress);
    expect(signatures).toHaveLength(1);
    expect(call.lastValidBlockHeight).toBe(240);
    expect(Buffer.from(call.message, 'base64').equals(message.serialize())).toBe(true);
    expect(Buffer.from(call.transaction, 'base64').length).toBeLessThanOrEqual(1_232);
  });

  it('creates only the merchant’s token account for an order without a fee', async () => {
    const { programs } = await callOf({ feeAmountAtomic: 0n, feeReceiver: '1'.repeat(32) }, splTokenProgram);
    expect(programs).toEqual([expect.stringMatching(/^AToken/), programAddress]);
  });

  it('pays in the coin with one instruction', async () => {
    const { programs } = await callOf({ token: solanaChain.tokens[0] as typeof token }, null);
    expect(programs).toEqual([programAddress]);
  });

  it.each([
    ['does not exist', null],
    ['belongs to another program', programAddress],
  ])('fails when the mint %s', async (_name, owner) => {
    await expect(callOf({}, owner)).rejects.toMatchObject({ name: 'ProviderError', kind: 'badReply' });
  });
});
