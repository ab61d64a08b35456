import {
  ApiError,
  GetExecutionStatusResponse,
  OneClickService,
  OpenAPI,
  QuoteRequest,
  verifyQuoteSignature,
  type QuoteResponse,
} from '@defuse-protocol/one-click-sdk-typescript';
import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { OneClickHarness } from '../testing/oneclick-harness';

let harness: OneClickHarness;

beforeAll(async () => {
  harness = await OneClickHarness.start();
  OpenAPI.BASE = harness.oneclick.url;
  OpenAPI.HEADERS = { 'X-API-Key': 'a partner token' };
});
afterAll(() => harness?.close());

/** A request for 12 DAI on Arbitrum to USDC on Base, in the types of the SDK. */
function request(changes: Partial<QuoteRequest> = {}): QuoteRequest {
  return {
    dry: false,
    swapType: QuoteRequest.swapType.EXACT_OUTPUT,
    slippageTolerance: 50,
    originAsset: harness.assetId('base', 'USDC'),
    depositType: QuoteRequest.depositType.ORIGIN_CHAIN,
    destinationAsset: harness.assetId('arb', 'DAI'),
    amount: '12000000000000000000',
    refundTo: Wallet.createRandom().address,
    refundType: QuoteRequest.refundType.ORIGIN_CHAIN,
    recipient: Wallet.createRandom().address,
    recipientType: QuoteRequest.recipientType.DESTINATION_CHAIN,
    deadline: new Date(harness.clock.now() + 3_600_000).toISOString(),
    referral: 'tollbridge',
    quoteWaitingTimeMs: 3_000,
    appFees: [{ recipient: 'tollbridge.near', fee: 25 }],
    ...changes,
  };
}

async function until(quoted: QuoteResponse, status: GetExecutionStatusResponse.status) {
  return eventually(async () => {
    const { depositAddress, depositMemo } = quoted.quote;
    const found = await OneClickService.getExecutionStatus(depositAddress!, depositMemo);
    expect(found.status).toBe(status);
    return found;
  });
}

describe('Official 1Click SDK against the simulator', () => {
  it('lists tokens', async () => {
    const tokens = await OneClickService.getTokens();

    expect(tokens.length).toBeGreaterThan(70);
    expect(new Set(tokens.map(({ assetId }) => assetId)).size).toBe(tokens.length);
    expect(tokens).toContainEqual({
      assetId: 'nep141:btc.omft.near',
      blockchain: 'btc',
      coingeckoId: 'bitcoin',
      decimals: 8,
      price: 112_000,
      priceUpdatedAt: new Date(harness.clock.now()).toISOString(),
      symbol: 'BTC',
    });
    const usdc = tokens.find(({ blockchain, symbol }) => blockchain === 'base' && symbol === 'USDC');
    expect(usdc?.contractAddress).toBe(harness.base.usdc.address);
  });

  it('returns a dry quote with a signature', async () => {
    const quoted = await OneClickService.getQuote(request({ dry: true }));

    expect(verifyQuoteSignature(quoted, harness.oneclick.publicKey)).toBe(true);
    for (const field of ['depositAddress', 'deadline', 'timeWhenInactive'])
      expect(quoted.quote).not.toHaveProperty(field);
    expect(quoted.quote.amountInUsd).toMatch(/^12\.\d{12}$/);
    const changed = { ...quoted, quote: { ...quoted.quote, amountIn: '1' } };
    expect(verifyQuoteSignature(changed, harness.oneclick.publicKey)).toBe(false);
    // The simulator does not have the provider's signing key.
    expect(verifyQuoteSignature(quoted)).toBe(false);
  });

  it('completes a committed quote after its deposit was submitted', async () => {
    const recipient = Wallet.createRandom().address;
    const quoted = await OneClickService.getQuote(request({ recipient }));
    const { depositAddress, amountIn } = quoted.quote;
    expect(verifyQuoteSignature(quoted, harness.oneclick.publicKey)).toBe(true);
    const elsewhere = { ...quoted, quote: { ...quoted.quote, depositAddress: recipient } };
    expect(verifyQuoteSignature(elsewhere, harness.oneclick.publicKey)).toBe(false);

    const txHash = await harness.pay(harness.base, 'USDC', depositAddress!, BigInt(amountIn));
    const submitted = await OneClickService.submitDepositTx({ txHash, depositAddress: depositAddress! });

    expect(submitted.correlationId).toBe(quoted.correlationId);
    const done = await until(quoted, GetExecutionStatusResponse.status.SUCCESS);
    expect(done.quoteResponse).toEqual(quoted);
    expect(verifyQuoteSignature(done.quoteResponse, harness.oneclick.publicKey)).toBe(true);
    expect(done.swapDetails).toMatchObject({
      amountOut: '12000000000000000000',
      referral: 'tollbridge',
      originChainTxHashes: [{ hash: txHash }],
    });
    expect(await harness.balance(harness.arbitrum, 'DAI', recipient)).toBe(12n * 10n ** 18n);
  });

  it('refunds an insufficient deposit', async () => {
    const refundTo = Wallet.createRandom().address;
    const quoted = await OneClickService.getQuote(request({ refundTo }));
    await harness.pay(harness.base, 'USDC', quoted.quote.depositAddress!, 11_000_000n);
    await until(quoted, GetExecutionStatusResponse.status.INCOMPLETE_DEPOSIT);

    harness.clock.advance(3_600_000);

    const done = await until(quoted, GetExecutionStatusResponse.status.REFUNDED);
    expect(done.swapDetails).toMatchObject({ refundedAmount: '11000000', refundReason: 'PARTIAL_DEPOSIT' });
    expect(await harness.balance(harness.base, 'USDC', refundTo)).toBe(11_000_000n);
  });

  it('supports memos', async () => {
    const stellarAddress = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
    const pair = {
      originAsset: harness.assetId('stellar', 'USDC'),
      refundTo: stellarAddress,
      depositMode: QuoteRequest.depositMode.MEMO,
    };
    const [first, second] = [
      await OneClickService.getQuote(request(pair)),
      await OneClickService.getQuote(request(pair)),
    ];
    expect(first.quote.depositAddress).toBe(second.quote.depositAddress);
    expect(first.quote.depositMemo).not.toBe(second.quote.depositMemo);
    expect(verifyQuoteSignature(first, harness.oneclick.publicKey)).toBe(true);

    await harness.oneclick.deposit(
      { depositAddress: first.quote.depositAddress!, depositMemo: first.quote.depositMemo },
      BigInt(first.quote.amountIn),
    );

    await until(first, GetExecutionStatusResponse.status.SUCCESS);
    await until(second, GetExecutionStatusResponse.status.PENDING_DEPOSIT);
    await expect(OneClickService.getExecutionStatus(first.quote.depositAddress!)).rejects.toMatchObject({
      status: 404,
    });
  });

  it('parses errors', async () => {
    const rejected = await OneClickService.getQuote(request({ amount: '1' })).catch(
      (error: unknown) => error,
    );

    expect(rejected).toBeInstanceOf(ApiError);
    expect(rejected).toMatchObject({
      status: 400,
      message: 'Bad Request - Invalid input data',
      body: {
        message: expect.stringMatching(/^Amount is too low for bridge, try at least \d+$/),
        correlationId: expect.any(String),
        timestamp: expect.any(String),
        path: '/v0/quote',
      },
    });
    await expect(OneClickService.getExecutionStatus('nowhere')).rejects.toMatchObject({
      status: 404,
      body: { message: 'Deposit address nowhere not found' },
    });
  });
});
