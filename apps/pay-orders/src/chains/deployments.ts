import { findChain, findToken, type DeployedChain, type Token } from '@tollbridge/chains';

/** A payment that goes straight to the payment contract: the same token on the same chain. */
export interface DirectRoute {
  chain: DeployedChain;
  token: Token;
}

export interface Pair {
  pay_blockchain: string;
  pay_token: string;
  settle_chain: string;
  settle_token: string;
}

/** The chains on which this deployment takes direct payments. */
export class Deployments {
  private readonly byId: ReadonlyMap<string, DeployedChain>;

  constructor(readonly chains: readonly DeployedChain[]) {
    this.byId = new Map(chains.map((chain) => [chain.id, chain]));
  }

  /** A chain by any of its names. */
  find(name: string): DeployedChain | undefined {
    return this.byId.get(findChain(name)?.id ?? '');
  }

  /** The direct route of a pair, or the reason why there is none, for people. */
  route(pair: Pair): DirectRoute | { reason: string } {
    const payChain = findChain(pair.pay_blockchain);
    const settleChain = findChain(pair.settle_chain);
    if (!payChain || !settleChain) {
      const unknown = payChain ? pair.settle_chain : pair.pay_blockchain;
      return {
        reason: `${shown(unknown)} is not a chain that can be paid on; GET /api/v1/pay/chains lists them.`,
      };
    }
    const chain = this.byId.get(payChain.id);
    if (payChain !== settleChain)
      return { reason: `There is no route from ${payChain.name} to ${settleChain.name}.` };
    if (!chain) return { reason: `Payments on ${payChain.name} are not taken here.` };
    const token = findToken(chain, pair.pay_token);
    const settleToken = findToken(chain, pair.settle_token);
    if (!token || !settleToken) {
      const unknown = token ? pair.settle_token : pair.pay_token;
      return { reason: `${shown(unknown)} is not a token that can be paid with on ${chain.name}.` };
    }
    if (token !== settleToken)
      return { reason: `There is no route from ${token.symbol} to ${settleToken.symbol} on ${chain.name}.` };
    return { chain, token };
  }
}

function shown(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
