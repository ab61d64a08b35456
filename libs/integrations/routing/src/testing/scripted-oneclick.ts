import { quoteHash } from '@defuse-protocol/one-click-sdk-typescript';
import { startHttpServer, type HttpReply, type HttpServer, type SeenRequest } from '@tollbridge/testing';
import { encodeBase58 } from 'ethers';
import { generateKeyPairSync, sign, verify } from 'node:crypto';

type Fields = Record<string, unknown>;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** The public key that signs the quotes of the tests. */
export const testPublicKey = `ed25519:${encodeBase58(
  Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'),
)}`;

/** Signs a quote like the service, over the hash of its own SDK. */
export function signed<T extends object>(reply: T): T & { signature: string } {
  const hash = quoteHash(reply as unknown as Parameters<typeof quoteHash>[0]);
  return { ...reply, signature: `ed25519:${encodeBase58(sign(null, Buffer.from(hash), privateKey))}` };
}

/**
 * Whether this is a signature of the SDK's hash of a reply. It replaces the SDK's own check, which takes 80 ms because
 * it uses no native code.
 */
export function isSignedForSdk(reply: unknown, signature: Uint8Array): boolean {
  return verify(null, Buffer.from(quoteHash(reply as Parameters<typeof quoteHash>[0])), publicKey, signature);
}

export const wireTokens = [
  {
    assetId: 'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near',
    decimals: 6,
    blockchain: 'base',
    symbol: 'USDC',
    price: 0.9998,
    priceUpdatedAt: '2026-11-20T12:00:00.000Z',
    contractAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
  {
    assetId: 'nep141:btc.omft.near',
    decimals: 8,
    blockchain: 'btc',
    symbol: 'BTC',
    price: 96_500.25,
    priceUpdatedAt: '2026-11-20T12:00:00.000Z',
  },
  {
    assetId: 'nep245:v2_1.omni.hot.tg:1100_coin',
    decimals: 7,
    blockchain: 'stellar',
    symbol: 'XLM',
    price: 6.2e-7,
    priceUpdatedAt: '2026-11-20T12:00:00.000Z',
    contractAddress: null,
  },
];

/** Returns the reply to a quote at a price of 1:1, in the recorded format. */
export function quoteReply(request: Fields, number = 1): Fields & { quoteRequest: Fields; quote: Fields } {
  const amount = String(request['amount']);
  const quote = {
    amountIn: amount,
    amountInFormatted: '1',
    amountInUsd: '6.237600000000',
    minAmountIn: amount,
    amountOut: amount,
    amountOutFormatted: '1',
    amountOutUsd: '6.2',
    minAmountOut: amount,
    timeEstimate: 812,
    refundFee: '10',
    withdrawFee: '5',
  };
  const commitment = {
    depositAddress: `bc1qdeposit${number}`,
    deadline: request['deadline'],
    timeWhenInactive: request['deadline'],
    ...(request['depositMode'] === 'MEMO' && { depositMemo: `memo${number}` }),
  };
  return {
    correlationId: `c${number}`,
    timestamp: '2026-11-20T12:00:00.000Z',
    quoteRequest: { ...request },
    quote: request['dry'] ? quote : { ...quote, ...commitment },
  };
}

interface Kept {
  reply: Fields & { quote: Fields };
  depositedAtomic: bigint;
  isPast: boolean;
}

const minimum = 1_000n;
const errorOf = (message: string | string[], status = 400): HttpReply => ({
  status,
  body: { message, correlationId: 'c', timestamp: '2026-11-20T12:00:00.000Z', path: '/v0/quote' },
});

/** A simulator of 1Click that keeps its quotes in memory. `instead` replaces its replies. */
export class ScriptedOneClick {
  instead: ((request: SeenRequest) => HttpReply | Promise<HttpReply> | undefined) | undefined;
  private readonly kept = new Map<string, Kept>();
  private constructor(readonly server: HttpServer) {}

  static async start(): Promise<ScriptedOneClick> {
    const server = await startHttpServer(() => ({}));
    const scripted = new ScriptedOneClick(server);
    server.answer = (request) => scripted.instead?.(request) ?? scripted.answer(request);
    return scripted;
  }

  /** Returns the requests to one path. */
  asked(path: string): SeenRequest[] {
    return this.server.requests.filter((request) => request.path === path);
  }

  fund(address: string, amountAtomic: bigint): void {
    this.kept.get(address)!.depositedAtomic += amountAtomic;
  }

  passDeadline(address: string): void {
    this.kept.get(address)!.isPast = true;
  }

  private answer(request: SeenRequest): HttpReply {
    if (request.path === '/v0/tokens') return { body: wireTokens };
    if (request.path === '/v0/quote') return this.quote(JSON.parse(request.body) as Fields);
    const address = request.query.get('depositAddress') ?? '';
    const kept = this.kept.get(address);
    return kept ? { body: statusOf(kept) } : errorOf(`Deposit address ${address} not found`, 404);
  }

  private quote(request: Fields): HttpReply {
    if (BigInt(String(request['amount'])) < minimum)
      return errorOf(`Amount is too low for bridge, try at least ${minimum}`);
    const reply = signed(quoteReply(request, this.kept.size + 1));
    if (!request['dry'])
      this.kept.set(String(reply.quote['depositAddress']), { reply, depositedAtomic: 0n, isPast: false });
    return { status: 201, body: reply };
  }
}

function statusOf({ reply, depositedAtomic, isPast }: Kept): Fields {
  const isEnough = depositedAtomic >= BigInt(String(reply.quote['minAmountIn']));
  const none = { intentHashes: [], nearTxHashes: [], originChainTxHashes: [], destinationChainTxHashes: [] };
  const deposited = {
    ...none,
    originChainTxHashes: [{ hash: '0xin', explorerUrl: 'https://explorer.example/0xin' }],
    depositedAmount: String(depositedAtomic),
  };
  const delivered = {
    ...deposited,
    destinationChainTxHashes: [{ hash: '0xout', explorerUrl: '' }],
    amountIn: reply.quote['amountIn'],
    amountOut: reply.quote['amountOut'],
  };
  const refunded = {
    ...deposited,
    refundedAmount: String(depositedAtomic),
    refundReason: 'PARTIAL_DEPOSIT',
  };
  const [status, swapDetails] =
    depositedAtomic === 0n
      ? ['PENDING_DEPOSIT', none]
      : isEnough
        ? ['SUCCESS', delivered]
        : isPast
          ? ['REFUNDED', refunded]
          : ['INCOMPLETE_DEPOSIT', deposited];
  return { correlationId: 'c', quoteResponse: reply, status, updatedAt: '2026-11-20T12:01:00Z', swapDetails };
}
