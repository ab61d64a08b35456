import type { NodePool } from '@tollbridge/chain-nodes';
import { ProviderError } from '@tollbridge/http';
import type { SolanaNode } from '@tollbridge/solana';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { ExactSvmScheme } from '@x402/svm/exact/facilitator';
import type { Json } from '../field-forms';
import { toRejection } from '../official-rejection';
import type { Rejection } from '../settlement-rail';

type Signer = ConstructorParameters<typeof ExactSvmScheme>[0];

/**
 * Runs the facilitator class of the official package for one payment: it checks and simulates the transaction. This
 * class neither signs nor sends. Other code stores and sends the transaction.
 */
export class OfficialSolana {
  constructor(
    private readonly rpc: NodePool<SolanaNode>,
    private readonly feePayer: string,
  ) {}

  /** @returns undefined for a valid payment. @throws ProviderError when the chain does not answer */
  async verify(payload: Json, requirements: Json): Promise<Rejection | undefined> {
    // Loaded on first use, so that deployments without a facilitator do not load the packages.
    const { ExactSvmScheme: Scheme } = await import('@x402/svm/exact/facilitator');
    let outage: ProviderError | undefined;
    const official = new Scheme(
      this.signer((error) => (outage = error)),
      undefined,
      // The limit of the whole fee in this app is stricter.
      { maxPriorityFeeMicroLamports: Number.MAX_SAFE_INTEGER },
    );
    const { isValid, invalidReason, invalidMessage } = await official.verify(
      payload as unknown as PaymentPayload,
      requirements as unknown as PaymentRequirements,
    );
    // The package treats a node that does not answer as an invalid payment.
    if (outage) throw outage;
    return isValid ? undefined : toRejection(invalidReason, invalidMessage);
  }

  /** Lookup tables are not resolved, because the package rejects transactions that use one. */
  private signer(onOutage: (error: ProviderError) => void): Signer {
    const { rpc, feePayer } = this;
    const unused = () => Promise.reject(new Error('Not used by verify'));
    return {
      getAddresses: () => [feePayer] as unknown as ReturnType<Signer['getAddresses']>,
      async simulateTransaction(transaction) {
        const failure = await rpc
          .ask((node) => node.simulate(Buffer.from(transaction, 'base64')))
          .catch((error: unknown) => {
            if (error instanceof ProviderError && error.kind !== 'rejected') onOutage(error);
            // The node's own text must not reach clients.
            throw new Error('the node rejects the transaction');
          });
        if (failure !== null) throw new Error(failure);
      },
      signTransaction: unused,
      sendTransaction: unused,
      confirmTransaction: unused,
    };
  }
}
