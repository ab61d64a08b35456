import { findChain, findToken, type Chain, type DeployedChain, type Token } from '@tollbridge/chains';

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

  /** How a pair is paid, or the reason why it cannot be, for people. */
  route(pair: Pair): PayRoute | { reason: string } {
    const payChain = this.known(pair.pay_blockchain);
    const settleChain = this.known(pair.settle_chain);
    if (!payChain || !settleChain) {
      const unknown = payChain ? pair.settle_chain : pair.pay_blockchain;
      return {
        reason: `${shown(unknown)} is not a chain that can be paid on; GET /api/v1/pay/chains lists them.`,
      };
    }
    const payToken = findToken(payChain, pair.pay_token);
    if (!payToken) return notAToken(pair.pay_token, payChain);
    const settleToken = findToken(settleChain, pair.settle_token);
    if (!settleToken) return notAToken(pair.settle_token, settleChain);
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

function notAToken(name: string, chain: Chain): { reason: string } {
  return { reason: `${shown(name)} is not a token that can be paid with on ${chain.name}.` };
}

function shown(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
