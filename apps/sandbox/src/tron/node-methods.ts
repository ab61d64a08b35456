import type { ExactJson } from '@tollbridge/onchain/tron';
import { AccountMethods } from './account-methods';
import { BlockMethods, type Method, type View } from './block-methods';
import { signedInHex, signedInJson } from './broadcast-request';
import { callIn, executionIn, transferIn, unsignedRequest } from './call-request';
import { chainParameters } from './network';
import { addressIn, type Params } from './params';
import type { SignedTransaction } from './prepare-transaction';
import type { TronChain } from './tron-chain';
import { invalidContract, TronRejection } from './tron-rejection';
import { failureMessage, simulationJson } from './wire';

/** The HTTP methods of a full node under `wallet/`, and those of the newest solid block under `walletsolidity/`. */
export class NodeMethods {
  constructor(private readonly chain: TronChain) {}

  /** Returns undefined for a method that this node does not support. */
  find(path: 'wallet' | 'walletsolidity', name: string): Method | undefined {
    const methods = path === 'wallet' ? { ...this.reads('head'), ...this.writes() } : this.reads('solid');
    return Object.hasOwn(methods, name) ? methods[name] : undefined;
  }

  private writes(): Record<string, Method> {
    return {
      ...new AccountMethods(this.chain, 'head').headMethods(),
      createtransaction: (params) => this.createTransfer(params),
      triggersmartcontract: (params) => this.createCall(params),
      broadcasttransaction: (params) => this.broadcast(() => signedInJson(params)),
      broadcasthex: (params) => this.broadcast(() => signedInHex(params)),
      getchainparameters: async () => ({ chainParameter: chainParameters(this.chain.network) }),
      getenergyprices: async () => ({ prices: `0:${this.chain.network.energyPrice}` }),
      getbandwidthprices: async () => ({ prices: `0:${this.chain.network.bandwidthPrice}` }),
      // A transaction is in a block as soon as the node accepts it, so the pool is always empty.
      gettransactionfrompending: async () => ({}),
      listnodes: async () => ({ nodes: [] }),
    };
  }

  private reads(view: View): Record<string, Method> {
    return {
      ...new BlockMethods(this.chain, view).methods(),
      ...new AccountMethods(this.chain, view).methods(),
      triggerconstantcontract: (params) => this.simulate(params),
      estimateenergy: (params) => this.estimate(params),
    };
  }

  private async broadcast(read: () => SignedTransaction): Promise<ExactJson> {
    try {
      return { result: true, txid: await this.chain.broadcast(read()) };
    } catch (error) {
      if (!(error instanceof TronRejection)) throw error;
      return { result: false, code: error.code, message: Buffer.from(error.message).toString('hex') };
    }
  }

  private async createTransfer(params: Params): Promise<ExactJson> {
    return unsignedRequest(params, transferIn(params), await this.chain.head());
  }

  private async createCall(params: Params): Promise<ExactJson> {
    addressIn(params, 'contract_address');
    const transaction = unsignedRequest(params, callIn(params), await this.chain.head());
    return { result: { result: true }, transaction };
  }

  private async simulate(params: Params): Promise<ExactJson> {
    try {
      const execution = executionIn(params);
      await this.requireContract(execution);
      const simulation = await this.chain.simulate(execution);
      return simulationJson(simulation, unsignedRequest(params, callIn(params), await this.chain.head()));
    } catch (error) {
      return rejectedCall(error);
    }
  }

  private async estimate(params: Params): Promise<ExactJson> {
    try {
      const execution = executionIn(params);
      await this.requireContract(execution);
      const { result, energy } = await this.chain.simulate(execution);
      if (result === 'SUCCESS') return { result: { result: true }, energy_required: energy };
      throw new TronRejection('CONTRACT_EXE_ERROR', failureMessage(result));
    } catch (error) {
      return rejectedCall(error);
    }
  }

  private async requireContract({ to, code }: { to: string; code?: string }): Promise<void> {
    if (code === undefined && (await this.chain.node.code(to)) === '0x')
      throw invalidContract('Smart contract is not exist.');
  }
}

/** Converts a rejected simulation to a reply with a code and status 200. */
function rejectedCall(error: unknown): ExactJson {
  if (!(error instanceof Error)) throw error;
  const code = error instanceof TronRejection ? error.code : 'OTHER_ERROR';
  return { result: { code, message: Buffer.from(error.message).toString('hex') } };
}
