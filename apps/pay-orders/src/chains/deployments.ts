import { DomainError, type FieldError } from '@tollbridge/rpc';
import type { ChainAdapter, ChainAdapters } from '@tollbridge/chain-port';
import {
  amountError,
  findChain,
  findToken,
  unknownChain,
  unknownToken,
  type Chain,
  type Token,
} from '@tollbridge/chains';
import { isAmountText } from '@tollbridge/money';

/** A payment to the payment contract. Pay token and settle token are the same token on the same chain. */
export interface DirectRoute {
  method: 'Direct';
  adapter: ChainAdapter;
  chain: Chain;
  token: Token;
}

/** A payment that the route provider converts into another token, on the same chain or another one. */
export interface CrossChainRoute {
  method: 'CrossChain';
  payChain: Chain;
  payToken: Token;
  settleChain: Chain;
  settleToken: Token;
}

export type PayRoute = DirectRoute | CrossChainRoute;

export interface Pair {
  pay_blockchain: string;
  pay_token: string;
  settle_chain: string;
  settle_token: string;
}

type NamedSettlement = { readonly [Field in 'settle_chain' | 'settle_token']?: string | undefined };

/** The chains where this deployment accepts direct payments, and its payment routes. */
export class Deployments {
  constructor(
    private readonly adapters: ChainAdapters,
    /** Whether a route provider is configured. */
    private readonly isCrossChainOn = false,
  ) {}

  /** The chains that accept direct payments in this deployment. */
  get chains(): Chain[] {
    return this.adapters.all.map(({ chain }) => chain);
  }

  /** Finds a chain that accepts direct payments in this deployment, by its id or any alias. */
  find(name: string): Chain | undefined {
    return this.adapters.find(findChain(name)?.id ?? '')?.chain;
  }

  /** Whether the payer of a direct payment may also be its receiver. */
  canPayerReceive({ id }: Chain): boolean {
    return this.adapters.find(id)?.canPayerReceive ?? false;
  }

  /** Finds a chain of the registry by its id or any alias, with its tokens in this deployment. */
  known(name: string): Chain | undefined {
    const chain = findChain(name);
    return chain && (this.adapters.find(chain.id)?.chain ?? chain);
  }

  /** Errors for fields with an unknown chain, or with an unknown token of their chain. */
  unknownNames(pair: { readonly [Field in keyof Pair]?: string | undefined }): FieldError[] {
    const places = [
      ['pay_blockchain', 'pay_token'],
      ['settle_chain', 'settle_token'],
    ] as const;
    return places.flatMap(([chainField, tokenField]): FieldError[] => {
      const { [chainField]: chainName, [tokenField]: tokenName } = pair;
      if (chainName === undefined) return [];
      const chain = this.known(chainName);
      if (!chain) return [{ field: chainField, message: unknownChain(chainName)! }];
      const message = tokenName === undefined ? undefined : unknownToken(chain, tokenName);
      return message === undefined ? [] : [{ field: tokenField, message }];
    });
  }

  /**
   * Errors for an amount that a transfer of the token cannot carry. Ignores unknown names, which have errors of their
   * own.
   */
  amountErrors(
    field: string,
    { settle_chain = '', settle_token = '' }: NamedSettlement,
    amount: string | undefined,
  ): FieldError[] {
    const chain = this.known(settle_chain);
    const token = chain && findToken(chain, settle_token);
    const message = token && isAmountText(amount) ? amountError(chain, token, BigInt(amount)) : undefined;
    return message === undefined ? [] : [{ field, message }];
  }

  /** The payment route of a pair, or a sentence with the reason that there is none. */
  route(pair: Pair): PayRoute | { reason: string } {
    const [unknown] = this.unknownNames(pair);
    if (unknown) return { reason: `${unknown.message}.` };
    const [payChain, settleChain] = [this.known(pair.pay_blockchain)!, this.known(pair.settle_chain)!];
    const payToken = findToken(payChain, pair.pay_token)!;
    const settleToken = findToken(settleChain, pair.settle_token)!;
    if (payChain !== settleChain || payToken !== settleToken) {
      return this.isCrossChainOn
        ? { method: 'CrossChain', payChain, payToken, settleChain, settleToken }
        : { reason: noRoute({ payChain, payToken, settleChain, settleToken }) };
    }
    const adapter = this.adapters.find(payChain.id);
    return adapter
      ? { method: 'Direct', adapter, chain: adapter.chain, token: payToken }
      : { reason: `This deployment does not accept payments on ${payChain.name}.` };
  }

  /** The payment route of a pair. @throws DomainError `ROUTE_UNAVAILABLE` when there is none */
  requireRoute(pair: Pair): PayRoute {
    const route = this.route(pair);
    if ('reason' in route) throw new DomainError('ROUTE_UNAVAILABLE', route.reason);
    return route;
  }
}

export function noRoute({
  payChain,
  payToken,
  settleChain,
  settleToken,
}: Omit<CrossChainRoute, 'method'>): string {
  const from = `${payToken.symbol} on ${payChain.name}`;
  return `There is no route from ${from} to ${settleToken.symbol} on ${settleChain.name}.`;
}
