import type { FieldError } from '@tollbridge/rpc';
import {
  findChain,
  findToken,
  unknownChain,
  unknownToken,
  type Chain,
  type DeployedChain,
  type Token,
} from '@tollbridge/chains';

/** A payment that goes straight to the payment contract: the same token on the same chain. */
export interface DirectRoute {
  method: 'Direct';
  chain: DeployedChain;
  token: Token;
}

/** A payment that the route provider carries to another token, on this chain or another one. */
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

/** The chains on which this deployment takes direct payments, and the routes that it knows. */
export class Deployments {
  private readonly byId: ReadonlyMap<string, DeployedChain>;

  constructor(
    readonly chains: readonly DeployedChain[],
    /** Whether a route provider is configured. */
    private readonly isCrossChainOn = false,
  ) {
    this.byId = new Map(chains.map((chain) => [chain.id, chain]));
  }

  /** A chain by any of its names. */
  find(name: string): DeployedChain | undefined {
    return this.byId.get(findChain(name)?.id ?? '');
  }

  /** A chain of the registry by any of its names, with the tokens that it has here. */
  known(name: string): Chain | undefined {
    const chain = findChain(name);
    return chain && (this.byId.get(chain.id) ?? chain);
  }

  /** Names the fields of a pair that hold no known chain, or no known token of their chain. */
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

  /** How a pair is paid, or the reason why it cannot be, for people. */
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
    const chain = this.byId.get(payChain.id);
    return chain
      ? { method: 'Direct', chain, token: payToken }
      : { reason: `Payments on ${payChain.name} are not taken here.` };
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
