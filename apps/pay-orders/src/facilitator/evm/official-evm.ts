import { noReason, revertReason, RpcError, type EvmRpc } from '@tollbridge/evm';
import type { FacilitatorEvmSigner } from '@x402/evm';
import type { PaymentPayload, PaymentRequirements, SchemeNetworkFacilitator } from '@x402/core/types';
import type { Abi, Hex } from 'viem';
import type { FacilitatedScheme } from '../authorization';
import type { Json } from '../field-forms';
import type { SettlementCall } from '../settlement';
import { toRejection } from '../official-rejection';
import type { Rejection, Verified } from '../settlement-rail';

/** The state of one evaluation by the official package. */
interface Evaluation {
  /** Set when the node did not answer. The package treats that as an invalid payment, which may be wrong. */
  outage: RpcError | undefined;
  /** The call that the package would send. */
  call: BuiltCall | undefined;
  /** The reason of the first revert. Verify of the package returns it, but settle does not. */
  revert: string | undefined;
}

export interface BuiltCall extends SettlementCall {
  /**
   * The gas that the package requires. An estimate may be too low, because a node may lag behind the required state.
   */
  leastGas: bigint;
}

/** `nothing` means that the amount of the payment is 0. */
export type Built =
  | { kind: 'call'; call: BuiltCall }
  | { kind: 'rejected'; rejection: Rejection }
  | { kind: 'nothing' };

// Returned to the package in place of a transaction hash. The package then reports a pending settlement.
const notSentHash: Hex = `0x${'00'.repeat(31)}01`;

/**
 * Runs the facilitator classes of the official packages for one payment: they check it, simulate it and build its call.
 * This class sends nothing. Other code stores and sends the call.
 */
export class OfficialEvm {
  constructor(
    private readonly rpc: EvmRpc,
    /** The account that sends settlements. Simulations use it as the sender. */
    private readonly sender: string,
  ) {}

  /** @throws RpcError when the chain does not answer */
  async verify(scheme: FacilitatedScheme, payload: Json, requirements: Json): Promise<Verified | Rejection> {
    const evaluation: Evaluation = { outage: undefined, call: undefined, revert: undefined };
    const official = await this.open(scheme, evaluation);
    const { isValid, invalidReason, invalidMessage, extra } = await withOutage(evaluation, () =>
      official.verify(payload as unknown as PaymentPayload, requirements as unknown as PaymentRequirements),
    );
    return isValid ? { ...(extra && { extra }) } : rejectionOf(evaluation, invalidReason, invalidMessage);
  }

  /** Verifies and simulates the payment again. @throws RpcError when the chain does not answer */
  async build(scheme: FacilitatedScheme, payload: Json, requirements: Json): Promise<Built> {
    const evaluation: Evaluation = { outage: undefined, call: undefined, revert: undefined };
    const official = await this.open(scheme, evaluation);
    const { success, errorReason, errorMessage } = await withOutage(evaluation, () =>
      official.settle(payload as unknown as PaymentPayload, requirements as unknown as PaymentRequirements),
    );
    if (evaluation.call) return { kind: 'call', call: evaluation.call };
    if (success) return { kind: 'nothing' };
    return { kind: 'rejected', rejection: rejectionOf(evaluation, errorReason, errorMessage) };
  }

  /** Loaded on first use, so that deployments without a facilitator do not load the packages. */
  private async open(scheme: FacilitatedScheme, evaluation: Evaluation): Promise<SchemeNetworkFacilitator> {
    const signer = this.signerFor(evaluation, await import('viem'));
    // The table of settlements replaces the package's own memory.
    const pendingSettlementStore = {
      get: async () => undefined,
      set: async () => undefined,
      delete: async () => undefined,
    };
    if (scheme === 'upto') {
      const { UptoEvmScheme } = await import('@x402/evm/upto/facilitator');
      return new UptoEvmScheme(signer, { pendingSettlementStore });
    }
    if (scheme === 'batch-settlement') {
      const { BatchSettlementEvmScheme } = await import('@x402/evm/batch-settlement/facilitator');
      // Without an authorizer, a refund needs the seller's signature. Otherwise a payer could get a refund of amounts
      // that vouchers have spent.
      return new BatchSettlementEvmScheme(signer, undefined, { pendingSettlementStore });
    }
    const { ExactEvmScheme } = await import('@x402/evm/exact/facilitator');
    return new ExactEvmScheme(signer, { simulateInSettle: true, pendingSettlementStore });
  }

  private signerFor(evaluation: Evaluation, viem: typeof import('viem')): FacilitatorEvmSigner {
    const { rpc, sender } = this;
    const { encodeFunctionData, decodeFunctionResult } = viem;
    const ask = <T>(work: () => Promise<T>) => recordOutage(evaluation, work);
    return {
      getAddresses: () => [sender as Hex],
      async readContract({ address, abi, functionName, args = [] }) {
        const named = { abi: abi as Abi, functionName };
        const data = encodeFunctionData({ ...named, args });
        const returned = await ask(() => rpc.ethCall({ from: sender, to: address, data }));
        return decodeFunctionResult({ ...named, args, data: returned as Hex });
      },
      async getCode({ address }) {
        try {
          return (await rpc.call('eth_getCode', [address, 'latest'])) as Hex;
        } catch (error) {
          if (!(error instanceof RpcError)) throw error;
          evaluation.outage = error;
          // In some cases the package ignores this promise, and a rejection would end the process.
          return '0x';
        }
      },
      async writeContract({ address, abi, functionName, args, dataSuffix = '0x', gas = 0n }) {
        const data = encodeFunctionData({ abi: abi as Abi, functionName, args });
        evaluation.call = { to: address, data: data + dataSuffix.slice(2), leastGas: gas };
        return notSentHash;
      },
      // The package calls this to deploy wallets of payers. No factory is allowed.
      async sendTransaction() {
        throw new Error('This facilitator deploys no wallets');
      },
      async waitForTransactionReceipt() {
        throw new Error('Not sent yet');
      },
      // The packages verify signatures with the wallet's code and EIP-1271 themselves.
      async verifyTypedData() {
        throw new Error('Not used by the official schemes');
      },
    };
  }
}

export const describeRevert = (reason: string): string =>
  reason === noReason ? 'The transaction would revert.' : `The transaction would revert: ${reason}.`;

function rejectionOf({ revert }: Evaluation, reason?: string, message?: string): Rejection {
  const isReverted = reason?.endsWith('_simulation_failed') === true && revert !== undefined;
  const rejection = toRejection(reason, message);
  return isReverted ? { ...rejection, message: describeRevert(revert) } : rejection;
}

/** @throws RpcError when the chain did not answer during the evaluation, whatever the package returned */
async function withOutage<T>(evaluation: Evaluation, work: () => Promise<T>): Promise<T> {
  const outcome = await work().catch((error: unknown) => {
    throw evaluation.outage ?? error;
  });
  if (evaluation.outage) throw evaluation.outage;
  return outcome;
}

async function recordOutage<T>(evaluation: Evaluation, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.kind !== 'rejected') evaluation.outage = error;
    // The node's own text must not reach clients.
    const reason = revertReason(typeof error.data === 'string' ? error.data : '0x');
    evaluation.revert ??= reason;
    throw new Error(reason);
  }
}
