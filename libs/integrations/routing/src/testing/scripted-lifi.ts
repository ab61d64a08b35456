import { startHttpServer, type HttpReply, type HttpServer, type SeenRequest } from '@tollbridge/testing';
import type { Fields } from './scripted-across';
import {
  afterSlippage,
  callFor,
  hashOf,
  knownToken,
  swapContract,
  wayOf,
  wireToken,
  type ScriptedStep,
} from './scripted-swaps';

const minimum = 1_000n;

/** A rejection in the format of LI.FI, with the code of a tool. */
export const lifiError = (code: number, toolCode?: string, status = 404): HttpReply => ({
  status,
  body: {
    message: 'in words',
    code,
    ...(toolCode && {
      errors: {
        filteredOut: [],
        failed: [
          { overallPath: 'a', subpaths: { 'a-b': [{ errorType: 'NO_QUOTE', code: toolCode, tool: 'hop' }] } },
        ],
      },
    }),
  },
});

function includedStep({ type, from, to, amountInAtomic, amountOutAtomic }: ScriptedStep, at: number) {
  const isBridge = type === 'bridge';
  const tool = isBridge ? 'across' : 'uniswap';
  return {
    id: `step${at}`,
    type: isBridge ? 'cross' : 'swap',
    tool,
    toolDetails: { key: tool, name: tool },
    action: { fromToken: wireToken(from), toToken: wireToken(to), fromAmount: String(amountInAtomic) },
    estimate: { tool, fromAmount: String(amountInAtomic), toAmount: String(amountOutAtomic) },
  };
}

/** A step that takes a fee. It is the first of the steps. */
function feeStep(token: object, amount: string) {
  return {
    id: 'fee',
    type: 'protocol',
    tool: 'feeCollection',
    action: { fromToken: token, toToken: token, fromAmount: amount },
    estimate: { tool: 'feeCollection', fromAmount: amount, toAmount: amount },
  };
}

/** Returns the reply to a quote in the format of the API; undefined for unknown tokens. */
export function quoteReply(query: URLSearchParams, rateBps = 10_000n): Fields | undefined {
  const from = knownToken(query.get('fromChain'), query.get('fromToken'));
  const to = knownToken(query.get('toChain'), query.get('toToken'));
  if (!from || !to) return undefined;
  const [amount, slippage] = [query.get('fromAmount')!, query.get('slippage')];
  const way = wayOf({ from, to }, (BigInt(amount) * rateBps) / 10_000n);
  way[0]!.amountInAtomic = BigInt(amount);
  const out = way.at(-1)!.amountOutAtomic;
  const [fromToken, toToken] = [wireToken(from), wireToken(to)];
  const [fromAddress, toAddress] = [query.get('fromAddress'), query.get('toAddress')];
  const [fromChainId, toChainId] = [fromToken.chainId, toToken.chainId];
  const fee = { name: 'LIFI Fixed Fee', amount: '25', amountUSD: '0.1', token: fromToken, included: true };
  return {
    id: 'quote',
    type: 'lifi',
    tool: 'across',
    toolDetails: { key: 'across', name: 'Across' },
    action: {
      fromChainId,
      fromAmount: amount,
      fromToken,
      fromAddress,
      toChainId,
      toToken,
      toAddress,
      slippage: Number(slippage),
    },
    estimate: {
      tool: 'across',
      fromAmount: amount,
      toAmount: String(out),
      executionDuration: 4.5,
      toAmountMin: String(afterSlippage(out, slippage)),
      approvalAddress: swapContract,
      feeCosts: [fee],
      gasCosts: [{ type: 'SEND', price: '1', estimate: '200000', limit: '300000', amount: '1' }],
    },
    includedSteps: [feeStep(fromToken, amount), ...way.map(includedStep)],
    transactionRequest: {
      to: swapContract,
      from: fromAddress,
      data: callFor(toAddress!).toUpperCase().replace('X', 'x'),
      chainId: fromChainId,
      value: from.address === null ? `0x${BigInt(amount).toString(16)}` : '0x0',
      gasPrice: '0x3e8',
      gasLimit: '0x493e0',
    },
  };
}

/** A simulator of LI.FI that records its requests. `instead` replaces its replies. */
export class ScriptedLiFi {
  instead: ((request: SeenRequest) => HttpReply | Promise<HttpReply> | undefined) | undefined;
  /** The price in basis points of the original price. */
  rateBps = 10_000n;
  private readonly delivered = new Map<string, Fields>();
  private constructor(readonly server: HttpServer) {}

  static async start(): Promise<ScriptedLiFi> {
    const server = await startHttpServer(() => ({}));
    const scripted = new ScriptedLiFi(server);
    server.answer = (request) => scripted.instead?.(request) ?? scripted.answer(request);
    return scripted;
  }

  /** Returns the queries of the requests to one path. */
  asked(path: string): Record<string, string>[] {
    const requests = this.server.requests.filter((request) => request.path === path);
    return requests.map(({ query }) => Object.fromEntries(query));
  }

  /** Simulates the delivery of the transfer of this transaction. */
  deliver(txHash: string, chainId: number): void {
    this.delivered.set(txHash, { chainId, txHash: hashOf(0xf111 + this.delivered.size) });
  }

  private answer({ path, query }: SeenRequest): HttpReply {
    if (path === '/status') {
      const txHash = query.get('txHash')!;
      const receiving = this.delivered.get(txHash);
      if (!receiving) return { body: { status: 'NOT_FOUND', substatusMessage: 'in words' } };
      return { body: { status: 'DONE', substatus: 'COMPLETED', sending: { txHash }, receiving } };
    }
    const body = quoteReply(query, this.rateBps);
    if (!body) return lifiError(1003);
    const { toAmount } = body['estimate'] as { toAmount: string };
    return BigInt(toAmount) < minimum ? lifiError(1002, 'AMOUNT_TOO_LOW') : { body };
  }
}
