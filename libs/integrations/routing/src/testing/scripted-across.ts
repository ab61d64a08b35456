import { startHttpServer, type HttpReply, type HttpServer, type SeenRequest } from '@tollbridge/testing';
import {
  afterSlippage,
  callFor,
  hashOf,
  knownToken,
  swapContract,
  wayOf,
  wireToken,
  wrapped,
  zeroAddress,
  type ScriptedStep,
} from './scripted-swaps';

export type Fields = Record<string, any>;

const minimum = 1_000n;
export const acrossError = (code: string, status = 400, rest: object = {}): HttpReply => ({
  status,
  body: { type: 'AcrossApiError', code, status, message: 'in words', id: 'request', ...rest },
});

function stepOf({ type, from, to, amountInAtomic, amountOutAtomic }: ScriptedStep, slippage: string | null) {
  const step = {
    tokenIn: wireToken(from),
    tokenOut: wireToken(to),
    inputAmount: String(amountInAtomic),
    outputAmount: String(amountOutAtomic),
  };
  const fees = { amount: String(amountInAtomic - amountOutAtomic), pct: '1', token: wireToken(from) };
  if (type === 'bridge') return { ...step, fees, provider: 'across' };
  const minOutputAmount = String(afterSlippage(amountOutAtomic, slippage));
  const swapProvider = { name: 'uniswap-v3/swap-router-02', sources: ['uniswap_v3'] };
  return { ...step, minOutputAmount, maxInputAmount: step.inputAmount, swapProvider, slippage: 0.005 };
}

/** Returns the reply to a quote in the format of the API; undefined for unknown tokens. */
export function approvalReply(query: URLSearchParams, rateBps = 10_000n): Fields | undefined {
  const from = knownToken(query.get('originChainId'), query.get('inputToken'));
  const to = knownToken(query.get('destinationChainId'), query.get('outputToken'));
  if (!from || !to) return undefined;
  const [amount, slippage] = [query.get('amount')!, query.get('slippage')];
  const way = wayOf({ from, to }, (BigInt(amount) * rateBps) / 10_000n);
  way[0]!.amountInAtomic = BigInt(amount);
  const last = way.at(-1)!;
  const minOut =
    last.type === 'bridge' ? last.amountOutAtomic : afterSlippage(last.amountOutAtomic, slippage);
  const isTried = query.get('skipOriginTxEstimation') !== 'true';
  const token = from.address ?? zeroAddress;
  return {
    crossSwapType: 'anyToAny',
    amountType: query.get('tradeType'),
    id: 'request',
    checks: {
      allowance: { token, spender: swapContract, actual: '0', expected: amount },
      balance: { token, actual: '0', expected: amount },
    },
    steps: Object.fromEntries(way.map((step) => [step.type, stepOf(step, slippage)])),
    inputToken: wireToken(wrapped(from)),
    outputToken: wireToken(wrapped(to)),
    refundToken: wireToken(wrapped(from)),
    fees: { total: { amount: '-5', amountUsd: '-0.1', pct: '1', token: wireToken(from) } },
    inputAmount: amount,
    maxInputAmount: amount,
    expectedOutputAmount: String(last.amountOutAtomic),
    minOutputAmount: String(minOut),
    expectedFillTime: 2,
    quoteExpiryTimestamp: Math.floor(Date.now() / 1_000) + 3_600,
    swapTx: {
      ecosystem: 'evm',
      simulationSuccess: isTried,
      chainId: wireToken(from).chainId,
      to: swapContract,
      data: callFor((query.get('recipient') ?? query.get('depositor'))!),
      ...(isTried && { gas: '94310', maxFeePerGas: '1000' }),
      ...(from.address === null && { value: amount }),
    },
  };
}

/** A simulator of Across that records its requests. `instead` replaces its replies. */
export class ScriptedAcross {
  instead: ((request: SeenRequest) => HttpReply | Promise<HttpReply> | undefined) | undefined;
  /** The price in basis points of the original price. */
  rateBps = 10_000n;
  private readonly filled = new Map<string, string>();
  private constructor(readonly server: HttpServer) {}

  static async start(): Promise<ScriptedAcross> {
    const server = await startHttpServer(() => ({}));
    const scripted = new ScriptedAcross(server);
    server.answer = (request) => scripted.instead?.(request) ?? scripted.answer(request);
    return scripted;
  }

  /** Returns the queries of the requests to one path. */
  asked(path: string): Record<string, string>[] {
    const requests = this.server.requests.filter((request) => request.path === path);
    return requests.map(({ query }) => Object.fromEntries(query));
  }

  /** Simulates a relayer that fills the deposit of this transaction. */
  fill(txHash: string): void {
    this.filled.set(txHash, hashOf(0xf111 + this.filled.size));
  }

  private answer({ path, query }: SeenRequest): HttpReply {
    if (path === '/deposit/status') {
      const depositTxnRef = query.get('depositTxnRef')!;
      const fillTxnRef = this.filled.get(depositTxnRef);
      if (!fillTxnRef) return acrossError('DEPOSIT_NOT_FOUND', 404);
      return { body: { status: 'filled', depositTxnRef, fillTxnRef, actionsSucceeded: true } };
    }
    const body = approvalReply(query, this.rateBps);
    if (!body) return acrossError('NOT_FOUND', 404);
    if (BigInt(body['expectedOutputAmount'] as string) < minimum) return acrossError('AMOUNT_TOO_LOW');
    return { body };
  }
}
