import { Transaction, Wallet } from 'ethers';
import { type Client, waitFor } from './client';
import { expectEach, expectFailure, expectShape, expectSuccess, type Shape } from './shape';
import { connect, type Stream } from './stream';
import { account, newSigner, walk } from './walk';

const states = 'building built signing submitting submitted confirming completed failed expired'.split(' ');
const stepTypes = ['approval', 'originSwap', 'bridge', 'destinationSwap'];
const itemShape: Shape = {
  chainId: 'integer',
  to: 'address',
  data: 'hex',
  value: 'amount',
  gas: 'amount',
  maxFeePerGas: 'amount',
  maxPriorityFeePerGas: 'amount',
  type: 'string',
  description: 'string',
};
const builtShape: Shape = {
  transactionId: 'string',
  summary: {
    totalGasEstimate: 'amount',
    totalGasCostUsd: 'decimal',
    requiredApprovals: 'integer',
    estimatedTime: 'number',
  },
  validUntil: 'unix',
};
const executedShape: Shape = {
  transactionId: 'string',
  status: 'string',
  progress: {
    currentStep: 'integer',
    totalSteps: 'integer',
    percentage: 'number',
    estimatedCompletion: 'unix',
  },
};
const statusShape: Shape = {
  transactionId: 'string',
  status: 'string',
  result: {
    success: 'boolean',
    finalAmountOut: 'amount',
    actualGasUsed: 'amount',
    totalGasCostUsd: 'decimal',
  },
  createdAt: 'unix',
  completedAt: 'unix',
  totalTime: 'number',
};
const quoteShape: Shape = {
  quoteId: 'string',
  inputToken: 'object',
  outputToken: 'object',
  inputAmount: 'amount',
  outputAmount: 'amount',
  minOutputAmount: 'amount',
  exchangeRate: 'decimal',
  priceImpact: 'decimal',
  slippageBps: 'integer',
  fees: 'array',
  estimatedGas: 'amount',
  estimatedGasUsd: 'decimal',
  estimatedTime: 'number',
  expiresAt: 'unix',
};
const updateShape: Shape = {
  transactionId: 'string',
  status: 'string',
  confirmations: 'integer',
  requiredConfirmations: 'integer',
  timestamp: 'unix',
};

const post = (path: string, body: unknown, client: Client = walk.key) =>
  client.post(`/v1/transaction/${path}`, body);

export const quoteBody = (inputAmount = '1000000') => ({
  inputToken: walk.base.token('USDT'),
  outputToken: walk.base.token('USDC'),
  inputAmount,
});
export const quote = async (body: unknown = quoteBody()): Promise<any> =>
  expectSuccess(await walk.key.post('/v1/quote', body));
const build = async (changes: object = {}, body?: unknown): Promise<any> => {
  const { quoteId } = await quote(body);
  return expectSuccess(await post('build', { quoteId, userAddress: account('payer'), ...changes }));
};
const fields = ({ chainId, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas, nonce }: any) => ({
  chainId,
  to,
  data,
  value,
  gasLimit: gas,
  maxFeePerGas,
  maxPriorityFeePerGas,
  nonce,
  type: 2,
});
const signRaw = (built: any, role = 'payer'): Promise<string[]> =>
  Promise.all(built.transactions.map((it: any) => walk.base.signer(role).signTransaction(fields(it))));
const signShort = (built: any): string[] => {
  const { signingKey } = new Wallet(walk.base.signer().privateKey);
  return built.transactions.map(
    (it: any) => signingKey.sign(Transaction.from(fields(it)).unsignedHash).serialized,
  );
};
const readStatus = async (id: string, query = ''): Promise<any> =>
  expectSuccess(await walk.key.get(`/v1/transaction/${id}/status${query}`));
const untilCompleted = (id: string): Promise<any> =>
  waitFor(`transaction ${id} completes`, async () => {
    const status = await readStatus(id);
    if (['failed', 'expired'].includes(status.status)) throw new Error(JSON.stringify(status));
    return status.status === 'completed' ? status : undefined;
  });

export function describeTransactions(): void {
  describe('POST /v1/quote', describeQuote);
  describe('POST /v1/quote and build', describeQuoteInput);
  describe('POST /v1/transaction/build', describeBuild);
  describe('a swap', describeSwap);
  describe('a swap', describeOtherSwaps);
  describe('POST /v1/transaction/execute', describeRejectedExecutions);
  describe('POST /v1/transaction/execute', describeDeadlines);
  describe('POST /v1/transaction/batch', describeBatch);
  describe('POST /v1/transaction/batch', describeBatchExecution);
  describe('the stream /v1/transaction/stream', describeStream);
}

function describeQuote(): void {
  it('returns a quote, with quoteId at the top level too', async () => {
    const reply = await walk.key.post('/v1/quote', quoteBody());
    const data = expectSuccess(reply);
    expectShape(data, quoteShape);
    expect(reply.body.quoteId).toBe(data.quoteId);
    expect(data).toMatchObject(quoteBody());
    expect(BigInt(data.minOutputAmount)).toBeLessThanOrEqual(BigInt(data.outputAmount));
    expect(data.route.every(({ type }: any) => stepTypes.includes(type))).toBe(true);
    expect(Math.abs(data.expiresAt - Date.now() / 1000 - 60)).toBeLessThan(20);
  });

  it('accepts tokenIn, tokenOut and amountIn', async () => {
    const { inputToken: tokenIn, outputToken: tokenOut, inputAmount: amountIn } = quoteBody();
    expect((await quote({ tokenIn, tokenOut, amountIn })).inputAmount).toBe('1000000');
  });

  it('rejects a quote without tokens and amount', async () => {
    expectFailure(await walk.key.post('/v1/quote', {}), 400, 'VALIDATION_ERROR');
    expectFailure(await walk.key.post('/v1/quote', quoteBody('0')), 400, 'VALIDATION_ERROR');
  });

  it('returns 401 without a key, with the path that sells quotes', async () => {
    const reply = await walk.api.post('/v1/quote', quoteBody());
    expectFailure(reply, 401, 'UNAUTHORIZED');
    expect(reply.headers.get('link')).toContain('</x402/v1/quote>; rel="payment"');
    const sold = await walk.api.post('/x402/v1/quote', quoteBody());
    expect([sold.status, sold.body.priceUsd, sold.body.isFrom]).toEqual([402, '0.02', false]);
  });
}

function describeBuild(): void {
  it('builds the transactions to sign', async () => {
    const built = await build();
    expectShape(built, builtShape);
    expectEach(built.transactions, itemShape, 'transactions');
    expect(built.transactions.map(({ type }: any) => type)).toContain('swap');
    const approvals = built.transactions.filter(({ type }: any) => type === 'approval');
    expect(built.summary.requiredApprovals).toBe(approvals.length);
    expect(built.transactions.every(({ chainId }: any) => chainId === walk.base.id)).toBe(true);
  });

  it('uses the given deadline and gas settings', async () => {
    const deadline = Math.floor(Date.now() / 1000) + 600;
    const gasSettings = {
      gasLimit: '900000',
      maxFeePerGas: '3000000000',
      maxPriorityFeePerGas: '1000000000',
      gasPrice: '1',
    };
    const built = await build({ deadline, gasSettings, recipient: account('stranger') });
    expect(built.validUntil).toBeLessThanOrEqual(deadline);
    const { gasLimit: _gasLimit, gasPrice: _gasPrice, ...fees } = gasSettings;
    for (const item of built.transactions) expect(item).toMatchObject(fees);
  });

  it('returns INVALID_QUOTE for an unknown quote', async () => {
    const body = { quoteId: 'unknown', userAddress: account('payer') };
    expectFailure(await post('build', body), 404, 'INVALID_QUOTE');
  });

  it('returns DEADLINE_EXCEEDED for a deadline in the past', async () => {
    const { quoteId } = await quote();
    const body = { quoteId, userAddress: account('payer'), deadline: 1_000_000_000 };
    expectFailure(await post('build', body), 422, 'DEADLINE_EXCEEDED');
  });

  it('returns GAS_LIMIT_EXCEEDED for an insufficient gas limit', async () => {
    const { quoteId } = await quote();
    const body = { quoteId, userAddress: account('payer'), gasSettings: { gasLimit: '21000' } };
    expectFailure(await post('build', body), 422, 'GAS_LIMIT_EXCEEDED');
  });

  it('returns INSUFFICIENT_BALANCE for a wallet without the tokens', async () => {
    const { quoteId } = await quote();
    const body = { quoteId, userAddress: Wallet.createRandom().address };
    expectFailure(await post('build', body), 422, 'INSUFFICIENT_BALANCE');
  });

  it('lists the missing fields', async () => {
    const reply = await post('build', {});
    expectFailure(reply, 400, 'VALIDATION_ERROR');
    expect(reply.text).toContain('quoteId');
    expect(reply.text).toContain('userAddress');
  });
}

function describeSwap(): void {
  let stream: Stream;
  beforeAll(async () => void (stream = await connect(walk.api.baseUrl)));
  afterAll(() => stream.close());

  it('proceeds from quote to completed, delivers to the recipient and streams each update', async () => {
    const recipient = Wallet.createRandom().address;
    const built = await build({ recipient });
    const { transactionId } = built;
    stream.send({ action: 'subscribe', transactionId });
    const executed = expectSuccess(
      await post('execute', { transactionId, signatures: await signRaw(built) }),
    );
    expectShape(executed, executedShape);
    expect(executed).toMatchObject({ transactionId, status: 'submitted' });
    expect(executed.progress.totalSteps).toBe(built.transactions.length);
    expectExecutedItems(executed.transactions);

    const status = await untilCompleted(transactionId);
    expectShape(status, statusShape);
    expect(status.result.success).toBe(true);
    expect(await walk.base.balance('USDC', recipient)).toBe(BigInt(status.result.finalAmountOut));
    const { timeline } = await readStatus(transactionId, '?includeDetails=true');
    expectEach(timeline, { step: 'string', status: 'string', txHash: 'hash', timestamp: 'unix' }, 'timeline');
    expect(timeline.every(({ step }: any) => stepTypes.includes(step))).toBe(true);
    expect(timeline.at(-1)).toMatchObject({
      step: 'originSwap',
      status: 'completed',
      amountOut: status.result.finalAmountOut,
    });
    expectEach(timeline, { gasUsed: 'amount?' }, 'timeline');
    await stream.until(({ data }) => data?.transactionId === transactionId && data.status === 'completed');
    const updates = stream.received.filter(({ type }) => type === 'transaction_update');
    expectEach(
      updates.map(({ data }) => data),
      updateShape,
      'updates',
    );
    const onChain = updates.filter(({ data }) => data.status === 'confirming');
    expect(onChain.length).toBeGreaterThan(0);
    expectEach(
      onChain.map(({ data }) => data),
      { step: 'string', txHash: 'hash' },
      'confirming',
    );
    const ranks = updates.map(({ data }) => states.indexOf(data.status));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect(ranks).not.toContain(-1);
  });
}

function describeOtherSwaps(): void {
  it('accepts the 65-byte signatures, stores them with broadcast=false and sends them later', async () => {
    const built = await build();
    const { transactionId } = built;
    const signatures = signShort(built);
    const stored = expectSuccess(await post('execute', { transactionId, signatures, broadcast: false }));
    expect(stored.status).toBe('built');
    expect((await readStatus(transactionId)).status).toBe('built');
    const sent = expectSuccess(await post('execute', { transactionId, signatures, broadcast: true }));
    expectShape(sent, executedShape);
    expect((await untilCompleted(transactionId)).result.success).toBe(true);
  });

  it('bridges to another chain', async () => {
    const recipient = Wallet.createRandom().address;
    const outputToken = walk.arbitrum.token('DAI');
    const body = { inputToken: walk.base.token('USDT'), outputToken, inputAmount: '100000000' };
    const built = await build({ recipient }, body);
    const { transactionId } = built;
    expectSuccess(await post('execute', { transactionId, signatures: await signRaw(built) }));
    const status = await untilCompleted(transactionId);
    expectShape(status, statusShape);
    const steps = status.timeline.map(({ step }: any) => step);
    expect(steps).toContain('bridge');
    expect(steps.every((step: string) => stepTypes.includes(step))).toBe(true);
    expect(await walk.arbitrum.balance('DAI', recipient)).toBe(BigInt(status.result.finalAmountOut));
  });
}

function expectExecutedItems(items: any[]): void {
  expectEach(items, { hash: 'hash', chainId: 'integer', type: 'string', status: 'string' }, 'transactions');
  for (const item of items) {
    const more: Shape =
      item.status === 'confirmed'
        ? { blockNumber: 'integer', gasUsed: 'amount' }
        : { estimatedConfirmation: 'unix' };
    expectShape(item, more, 'transactions');
  }
}

function describeRejectedExecutions(): void {
  it('returns INVALID_SIGNATURE for the signatures of another account', async () => {
    const built = await build();
    const signatures = await signRaw(built, 'stranger');
    const body = { transactionId: built.transactionId, signatures };
    expectFailure(await post('execute', body), 400, 'INVALID_SIGNATURE');
  });

  it('rejects signatures that do not match the number of transactions', async () => {
    const built = await build();
    const [first] = await signRaw(built);
    const signatures = Array(built.transactions.length + 1).fill(first);
    const reply = await post('execute', { transactionId: built.transactionId, signatures });
    expect([reply.status, reply.body.success]).toEqual([400, false]);
  });

  it('fails with the step, hash, reason and gas of the reverted transaction', async () => {
    const signer = await newSigner(walk.base);
    await walk.base.transfer('USDT', signer.address, '1000000');
    const spender = account('stranger');
    await walk.base.approve('USDT', signer, spender, '1000000');
    const built = await build({ userAddress: signer.address });
    const { transactionId } = built;
    await walk.base.transferFrom('USDT', signer.address, spender, '1000000', 'stranger');
    const signatures = await Promise.all(
      built.transactions.map((it: any) => signer.signTransaction(fields(it))),
    );
    const reply = await post('execute', { transactionId, signatures });
    // A service that simulates first rejects a transaction that would revert.
    if (reply.status === 422) return expectFailure(reply, 422, reply.body.error.code);
    expectShape(expectSuccess(reply), executedShape);
    const failed = await waitFor('the transaction fails', async () => {
      const status = await readStatus(transactionId);
      return status.status === 'failed' ? status : undefined;
    });
    expect(failed.result.success).toBe(false);
    expect(failed.failure.code).toBe('TRANSACTION_FAILED');
    expectShape(failed.failure.details, {
      step: 'string',
      txHash: 'hash',
      reason: 'string',
      gasUsed: 'amount',
    });
  });

  it('returns NOT_FOUND for an unknown transaction', async () => {
    expectFailure(await post('execute', { transactionId: 'unknown', signatures: ['0x'] }), 404, 'NOT_FOUND');
    expectFailure(await walk.key.get('/v1/transaction/unknown/status'), 404, 'NOT_FOUND');
  });

  it('lists the missing fields', async () => {
    const reply = await post('execute', {});
    expectFailure(reply, 400, 'VALIDATION_ERROR');
    expect(reply.text).toContain('transactionId');
    expect(reply.text).toContain('signatures');
  });
}

function describeBatch(): void {
  const item = async (id: string) => ({
    id,
    quoteId: (await quote()).quoteId,
    userAddress: account('payer'),
  });

  it('builds each item and returns the totals', async () => {
    const transactions = [await item('first'), await item('second')];
    const data = expectSuccess(await post('batch', { transactions }));
    expectShape(data, {
      batchId: 'string',
      summary: {
        totalTransactions: 'integer',
        totalGasEstimate: 'amount',
        totalGasCostUsd: 'decimal',
        estimatedSavings: 'decimal',
      },
    });
    expectEach(data.transactions, {
      id: 'string',
      transactionId: 'string',
      status: 'string',
      gasEstimate: 'amount',
    });
    expect(data.transactions.map(({ id, status }: any) => [id, status])).toEqual([
      ['first', 'built'],
      ['second', 'built'],
    ]);
  });

  it('reports an invalid item in its own result', async () => {
    const bad = { id: 'bad', quoteId: 'unknown', userAddress: account('payer') };
    const data = expectSuccess(await post('batch', { transactions: [bad, await item('good')] }));
    expect(data.transactions[0]).toMatchObject({ id: 'bad', status: 'failed', error: expect.anything() });
    expect(data.transactions[1]).toMatchObject({ id: 'good', status: 'built' });
  });

  it('accepts gas settings for all items', async () => {
    const gasSettings = { maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000000' };
    const data = expectSuccess(await post('batch', { transactions: [await item('priced')], gasSettings }));
    expect(data.transactions[0].status).toBe('built');
  });

  it('rejects more than 50 items', async () => {
    const userAddress = account('payer');
    const transactions = Array.from({ length: 51 }, (_, at) => ({ id: `${at}`, quoteId: 'q', userAddress }));
    expectFailure(await post('batch', { transactions }), 400, 'VALIDATION_ERROR');
  });
}

function describeStream(): void {
  let stream: Stream;
  beforeEach(async () => void (stream = await connect(walk.api.baseUrl)));
  afterEach(() => stream.close());

  it('acknowledges a subscription and immediately sends the current state', async () => {
    const { transactionId } = await build();
    stream.send({ action: 'subscribe', transactionId });
    await stream.until(({ type }) => type === 'subscribed');
    const update = await stream.until(({ type }) => type === 'transaction_update');
    expectShape(update.data, updateShape);
    expect(update.data).toMatchObject({ transactionId, status: 'built' });
  });

  it('returns an error for an unknown id or action and stays open', async () => {
    stream.send({ action: 'subscribe', transactionId: 'unknown' });
    await stream.until(({ type }) => type === 'error');
    stream.received.length = 0;
    stream.send({ action: 'dance' });
    await stream.until(({ type }) => type === 'error');
    stream.received.length = 0;
    stream.send('not JSON');
    await stream.until(({ type }) => type === 'error');
    const { transactionId } = await build();
    stream.send({ action: 'subscribe', transactionId });
    await stream.until(({ type }) => type === 'subscribed');
    stream.send({ action: 'unsubscribe', transactionId });
    await stream.until(({ type }) => type === 'unsubscribed');
    stream.send({ action: 'ping' });
    await stream.until(({ type }) => type === 'pong');
  });
}

/** @param quoted a quote from the start of the run, so that its 60 seconds pass during the other cases */
export function describeExpiredQuote(quoted: () => any): void {
  it('returns QUOTE_EXPIRED after expiresAt', async () => {
    const { quoteId, expiresAt } = quoted();
    const isPast = async () => (Date.now() / 1000 > expiresAt + 1 ? true : undefined);
    await waitFor('the quote expires', isPast);
    expectFailure(await post('build', { quoteId, userAddress: account('payer') }), 410, 'QUOTE_EXPIRED');
  });
}

function describeDeadlines(): void {
  it('returns DEADLINE_EXCEEDED for signatures after validUntil', async () => {
    // Each attempt has more time: the deadline may pass before a slow machine has built the transactions.
    let seconds = 2;
    const built = await waitFor('the transactions are built before the deadline', async () => {
      const { quoteId } = await quote();
      const deadline = Math.floor(Date.now() / 1000) + (seconds *= 2);
      const reply = await post('build', { quoteId, userAddress: account('payer'), deadline });
      return reply.status === 422 ? undefined : expectSuccess(reply);
    });
    const signatures = await signRaw(built);
    const { transactionId, validUntil } = built;
    const isPast = async () => (Date.now() / 1000 > validUntil + 1 ? true : undefined);
    await waitFor('validUntil passes', isPast);
    expectFailure(await post('execute', { transactionId, signatures }), 422, 'DEADLINE_EXCEEDED');
    await waitFor('the transaction expires', async () =>
      (await readStatus(transactionId)).status === 'expired' ? true : undefined,
    );
  });
}

function describeBatchExecution(): void {
  it('executes every swap of a batch of one wallet', async () => {
    const signer = await newSigner(walk.base);
    await walk.base.transfer('USDT', signer.address, '2000000');
    const item = async (id: string) => ({
      id,
      quoteId: (await quote()).quoteId,
      userAddress: signer.address,
    });
    const transactions = [await item('first'), await item('second')];
    const batch = expectSuccess(await post('batch', { transactions }));
    const ids: string[] = batch.transactions.map(({ transactionId }: any) => transactionId);
    for (const transactionId of ids) {
      const { details } = await readStatus(transactionId, '?includeDetails=true');
      const signatures = await Promise.all(
        details.built.map((it: any) => signer.signTransaction(fields(it))),
      );
      expectSuccess(await post('execute', { transactionId, signatures }));
    }
    for (const id of ids) expect((await untilCompleted(id)).result.success).toBe(true);
    expect(await walk.base.balance('USDT', signer.address)).toBe(0n);
  });
}

function describeQuoteInput(): void {
  it('accepts the legacy gasPrice alone', async () => {
    const built = await build({ gasSettings: { gasPrice: '3000000000' } });
    expectEach(built.transactions, itemShape, 'transactions');
  });

  it.each([
    ['a number for the amount', { inputAmount: 1000000 }],
    ['an unknown chain', { outputToken: { address: '0x', decimals: 6, symbol: 'X', chainId: 424242 } }],
    ['decimals that differ from the token', { decimals: 18 }],
  ])('rejects %s as an error of the client', async (_, change: any) => {
    const body: any = { ...quoteBody(), ...change };
    if (change.decimals) body.inputToken = { ...body.inputToken, decimals: change.decimals };
    delete body.decimals;
    const reply = await walk.key.post('/v1/quote', body);
    expectFailure(reply, 400, 'VALIDATION_ERROR');
  });
}
