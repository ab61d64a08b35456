import { Injectable } from '@nestjs/common';
import { findToken, type EvmChain, type Token } from '@tollbridge/chains';
import { type EvmRpc } from '@tollbridge/evm';
import { ChainRpcs } from '../chains/chain-rpcs';
import { Deployments } from '../chains/deployments';

/** Where a refund arrives: the chain with its nodes, and the token. */
export interface RefundPlace {
  chain: EvmChain;
  rpc: EvmRpc;
  token: Token;
}

/** The chains and tokens of refunds, as this deployment has them. */
@Injectable()
export class RefundPlaces {
  constructor(
    private readonly deployments: Deployments,
    private readonly rpcs: ChainRpcs,
  ) {}

  get chains(): readonly EvmChain[] {
    return this.deployments.chains;
  }

  /** @throws Error when the chain or the token was removed from the configuration */
  find(chainId: string, symbol: string): RefundPlace {
    const chain = this.deployments.find(chainId);
    const rpc = chain && this.rpcs.find(chain.id);
    const token = chain && findToken(chain, symbol);
    if (!chain || !rpc || !token)
      throw new Error(`${symbol} on ${chainId} of a refund is not configured any more`);
    return { chain, rpc, token };
  }

  rpcOf(chainId: string): EvmRpc {
    return this.rpcs.find(chainId)!;
  }
}
