import {
  tronToEvmAddress,
  tronToHexAddress,
  type ExactJson,
  type ExactJsonObject,
} from '@tollbridge/onchain/tron';
import { keccak256 } from 'ethers';
import type { Method, View } from './block-methods';
import { addressIn, optionalAddressIn, type Params } from './params';
import type { TronChain } from './tron-chain';

/** Methods of a full node for accounts and contracts. */
export class AccountMethods {
  constructor(
    private readonly chain: TronChain,
    private readonly view: View,
  ) {}

  methods(): Record<string, Method> {
    return { getaccount: (params) => this.account(params) };
  }

  /** Returns the methods that a solidity node does not have. */
  headMethods(): Record<string, Method> {
    return {
      getcontract: async (params) => (await this.contract(params)) ?? {},
      getcontractinfo: (params) => this.contractInfo(params),
      getaccountresource: (params) => this.accountResource(params),
      getaccountnet: (params) => this.accountResource(params),
    };
  }

  private async account(params: Params): Promise<ExactJson> {
    const address = addressIn(params, 'address');
    const evm = tronToEvmAddress(address).toLowerCase();
    if (!(await this.chain.tvm.exists(evm))) return {};
    const height = this.view === 'solid' ? await this.chain.solidHeight() : undefined;
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
