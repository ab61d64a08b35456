import { Injectable } from '@nestjs/common';
import { findToken, type EvmChain, type Token } from '@tollbridge/chains';
import { type EvmRpc } from '@tollbridge/evm';
import type { DueRefund } from '../refunds.repository';
import { EvmChains } from '../../chains/evm/evm-chains';

/** The place where a refund arrives: the chain with its nodes, and the token. */
export interface RefundPlace {
  chain: EvmChain;
  rpc: EvmRpc;
  token: Token;
}

/** A refund and its chain, for the steps of one attempt. */
export interface Attempt {
  refund: DueRefund;
  place: RefundPlace;
}

/** The chains and tokens of refunds in this deployment. */
@Injectable()
export class RefundPlaces {
  constructor(private readonly evm: EvmChains) {}

  get chains(): readonly EvmChain[] {
    return this.evm.all.map(({ chain }) => chain);
  }

  /** @throws Error when CHAINS_FILE does not have the chain or the token any more */
  find(chainId: string, symbol: string): RefundPlace {
    const found = this.evm.find(chainId);
    const token = found && findToken(found.chain, symbol);
    if (!token)
      throw new Error(`A refund in ${symbol} on ${chainId} exists, but CHAINS_FILE lacks one of them`);
    return { ...found, token };
  }

  rpcOf(chainId: string): EvmRpc {
    return this.evm.find(chainId)!.rpc;
  }
}
