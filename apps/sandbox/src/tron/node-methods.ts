import {
  tronToEvmAddress,
  tronToHexAddress,
  type ExactJson,
  type ExactJsonObject,
} from '@tollbridge/onchain/tron';
import { keccak256 } from 'ethers';
import type { EvmBlock } from './anvil-node';
import { blockId, heightInId } from './blocks';
import { signedInHex, signedInJson } from './broadcast-request';
import { callIn, executionIn, transferIn, unsignedRequest } from './call-request';
import { chainParameters } from './network';
import { addressIn, countIn, idIn, optionalAddressIn, type Params } from './params';
import type { SignedTransaction } from './prepare-transaction';
import type { TronChain } from './tron-chain';
import { invalidContract, TronRejection } from './tron-rejection';
import type { TronTransaction } from './transactions';
import {
  blockHeaderJson,
  blockJson,
  failureMessage,
  infoJson,
  simulationJson,
  transactionJson,
} from './wire';

type Method = (params: Params) => Promise<ExactJson>;
/** The newest block that a caller may see: a solidity node shows solid blocks only. */
type View = 'head' | 'solid';

const maxBlocks = 100;

/** The methods of a full node's HTTP interface below `wallet/` and, as of the newest solid block, `walletsolidity/`. */
export class NodeMethods {
  constructor(private readonly chain: TronChain) {}

  /** Undefined for a method that this node does not have. */
  find(path: 'wallet' | 'walletsolidity', name: string): Method | undefined {
    const methods = path === 'wallet' ? { ...this.reads('head'), ...this.writes() } : this.reads('solid');
    return Object.hasOwn(methods, name) ? methods[name] : undefined;
  }

  private writes(): Record<string, Method> {
    return {
      createtransaction: (params) => this.createTransfer(params),
      triggersmartcontract: (params) => this.createCall(params),
      broadcasttransaction: (params) => this.broadcast(() => signedInJson(params)),
      broadcasthex: (params) => this.broadcast(() => signedInHex(params)),
      getchainparameters: async () => ({ chainParameter: chainParameters(this.chain.network) }),
      getenergyprices: async () => ({ prices: `0:${this.chain.network.energyPrice}` }),
      getbandwidthprices: async () => ({ prices: `0:${this.chain.network.bandwidthPrice}` }),
      getcontract: async (params) => (await this.contract(params)) ?? {},
      getcontractinfo: (params) => this.contractInfo(params),
      getaccountresource: (params) => this.accountResource(params),
      getaccountnet: (params) => this.accountResource(params),
      // A transaction is in a block as soon as the node takes it.
      gettransactionfrompending: async () => ({}),
      listnodes: async () => ({ nodes: [] }),
    };
  }

  private reads(view: View): Record<string, Method> {
    return {
      getnowblock: async () => this.fullBlock(await this.newest(view)),
      getblock: (params) => this.getBlock(params, view),
      getblockbynum: async (params) =>
        this.optionalBlock(await this.visible(countIn(params, 'num', 0), view)),
      getblockbyid: (params) => this.blockById(idIn(params, 'value'), view),
      getblockbylimitnext: (params) =>
        this.blocks(countIn(params, 'startNum', 0), countIn(params, 'endNum', 0), view),
      getblockbylatestnum: async (params) => {
        const end = Number((await this.newest(view)).number) + 1;
        return this.blocks(Math.max(0, end - countIn(params, 'num', 1)), end, view);
      },
      gettransactionbyid: async (params) => {
        const transaction = await this.transaction(params, view);
        return transaction ? transactionJson(transaction) : {};
      },
      gettransactioninfobyid: async (params) => {
        const transaction = await this.transaction(params, view);
        return transaction ? this.info(transaction) : {};
      },
      gettransactioninfobyblocknum: async (params) => {
        const block = await this.visible(countIn(params, 'num', 0), view);
        if (!block) return [];
        return (await this.chain.transactions.ofBlock(block)).map((it) => infoJson(it, block));
      },
      getaccount: (params) => this.account(params, view),
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

  private async newest(view: View): Promise<EvmBlock> {
    const { node } = this.chain;
    return (await node.block(view === 'head' ? 'latest' : await this.chain.solidHeight()))!;
  }

  private async visible(height: number, view: View): Promise<EvmBlock | null> {
    if (view === 'solid' && height > (await this.chain.solidHeight())) return null;
    return this.chain.node.block(height);
  }

  private async parentOf(block: EvmBlock): Promise<EvmBlock | null> {
    const height = Number(block.number);
    return height === 0 ? null : this.chain.node.block(height - 1);
  }

  private async fullBlock(block: EvmBlock): Promise<ExactJsonObject> {
    const transactions = await this.chain.transactions.ofBlock(block);
    return blockJson(block, await this.parentOf(block), transactions);
  }

  private async optionalBlock(block: EvmBlock | null): Promise<ExactJson> {
    return block ? this.fullBlock(block) : {};
  }

  private async getBlock(params: Params, view: View): Promise<ExactJson> {
    const wanted = params['id_or_num'];
    const id = idIn(params, 'id_or_num');
    const isNewest = wanted === undefined || wanted === '';
    const block = isNewest
      ? await this.newest(view)
      : id === undefined
        ? await this.visible(countIn(params, 'id_or_num', 0), view)
        : await this.byId(id, view);
    if (!block) return {};
    const hasDetails = params['detail'] === true || params['detail'] === 'true';
    return hasDetails ? this.fullBlock(block) : blockHeaderJson(block, await this.parentOf(block));
  }

  private async byId(id: string, view: View): Promise<EvmBlock | null> {
    const height = heightInId(id);
    const block = Number.isSafeInteger(height) ? await this.visible(height, view) : null;
    return block && blockId(block) === id ? block : null;
  }

  private async blockById(id: string | undefined, view: View): Promise<ExactJson> {
    return id === undefined ? {} : this.optionalBlock(await this.byId(id, view));
  }

  private async blocks(start: number, end: number, view: View): Promise<ExactJson> {
    const newest = Number((await this.newest(view)).number);
    const last = Math.min(end, newest + 1, start + maxBlocks);
    const heights = Array.from({ length: Math.max(0, last - start) }, (_, index) => start + index);
    return {
      block: await Promise.all(
        heights.map(async (it) => this.optionalBlock(await this.chain.node.block(it))),
      ),
    };
  }

  private async transaction(params: Params, view: View): Promise<TronTransaction | undefined> {
    const id = idIn(params, 'value');
    const found = id === undefined ? undefined : await this.chain.transactions.find(id);
    return found && (view === 'head' || found.height <= (await this.chain.solidHeight())) ? found : undefined;
  }

  private async info(transaction: TronTransaction): Promise<ExactJson> {
    return infoJson(transaction, (await this.chain.node.block(transaction.height))!);
  }

  private async account(params: Params, view: View): Promise<ExactJson> {
    const address = addressIn(params, 'address');
    const evm = tronToEvmAddress(address).toLowerCase();
    if (!(await this.chain.tvm.exists(evm))) return {};
    const height = view === 'solid' ? await this.chain.solidHeight() : undefined;
    const balance = await this.chain.node.balance(evm, height);
    const isContract = (await this.chain.node.code(evm)) !== '0x';
    return {
      address: tronToHexAddress(address),
      balance: balance === 0n ? undefined : balance,
      type: isContract ? 'Contract' : undefined,
    };
  }

  private async accountResource(params: Params): Promise<ExactJson> {
    const { network, bandwidth } = this.chain;
    const timeMs = Number((await this.chain.head()).timestamp) * 1_000;
    const used = await bandwidth.used(addressIn(params, 'address'), timeMs);
    return { freeNetUsed: used === 0n ? undefined : used, freeNetLimit: network.freeBandwidth };
  }

  private async contract(params: Params): Promise<ExactJsonObject | undefined> {
    const address = optionalAddressIn(params, 'value') ?? addressIn(params, 'contract_address');
    const deployment = await this.chain.transactions.deploymentOf(address);
    if (deployment?.raw.contract.type !== 'CreateSmartContract') return undefined;
    const { contract } = deployment.raw;
    return {
      origin_address: tronToHexAddress(contract.owner),
      contract_address: tronToHexAddress(address),
      abi: (deployment.abi ?? {}) as ExactJsonObject,
      bytecode: contract.code.slice(2),
      consume_user_resource_percent: contract.callerPercent === 0n ? undefined : contract.callerPercent,
      name: contract.name === '' ? undefined : contract.name,
      origin_energy_limit: contract.ownerEnergyLimit,
      code_hash: keccak256(await this.chain.node.code(tronToEvmAddress(address))).slice(2),
    };
  }

  private async contractInfo(params: Params): Promise<ExactJson> {
    const contract = await this.contract(params);
    if (!contract) return {};
    const address = optionalAddressIn(params, 'value')!;
    const evm = tronToEvmAddress(address).toLowerCase();
    const factor = this.chain.tvm.energyFactors.get(evm);
    const runtimecode = (await this.chain.node.code(evm)).slice(2);
    return { smart_contract: contract, runtimecode, contract_state: { energy_factor: factor } };
  }
}

/** A call that cannot be simulated is answered with a code, and status 200. */
function rejectedCall(error: unknown): ExactJson {
  if (!(error instanceof Error)) throw error;
  const code = error instanceof TronRejection ? error.code : 'OTHER_ERROR';
  return { result: { code, message: Buffer.from(error.message).toString('hex') } };
}
