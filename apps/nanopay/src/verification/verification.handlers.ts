import { Controller, Inject } from '@nestjs/common';
import {
  nanoVerificationApi,
  type SettleReply,
  type SettleRequest,
  type SupportedReply,
  type NanoVerifyReply,
  type NanoVerifyRequest,
} from '@tollbridge/contracts';
import { type CallContext, DomainError, type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { chargeItem, extraOf, schemeName, rejectionMessage, type Rejection } from '@tollbridge/nanopay-protocol';
import { Deployed } from '../deployed';
import { Receivers } from '../receivers';
import { Enclave, type KnownOutcome } from '../enclave/enclave';
import { problemsOfAuthorization, readAuthorization } from './authorization';
import { callKeyOf } from './call-key';
import type { ClaimedPayment } from './claimed-payment';
import { readFacilitation, type FacilitatedPayment } from './facilitation';
import { notSettled, notValid, settled, valid } from './replies';

/** Fields of one form that have no default: they say which form a request is of. */
const authorizationFields = [
  'from',
  'to',
  'amount',
  'signature',
  'nonce',
  'validAfter',
  'validBefore',
  'asset',
  'network',
  'verifyingContract',
  'resourceHash',
  'resource',
  'flags',
  'publicKey',
  'stateInit',
  'domain',
  'timestamp',
] as readonly (keyof NanoVerifyRequest)[];

/** What facilitators of x402 answer, and the same for a single authorization. */
@Controller()
@Handles(nanoVerificationApi)
export class VerificationHandlers {
  constructor(
    private readonly enclave: Enclave,
    private readonly deployed: Deployed,
    private readonly receivers: Receivers,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Validates(nanoVerificationApi.operations.verifyPayment)
  validateVerifyPayment(request: Partial<NanoVerifyRequest>): FieldError[] {
    const { paymentPayload, paymentRequirements } = request;
    if (!paymentPayload && !paymentRequirements)
      return [
        ...problemsOfAuthorization(request, this.deployed.deployment),
        ...this.validateReceiver(request.to),
      ];
    const missing = { paymentPayload, paymentRequirements };
    return [
      ...Object.entries(missing)
        .filter(([, value]) => value === undefined)
        .map(([field]) => ({ field, message: 'is missing' })),
      ...authorizationFields
        .filter((field) => request[field] !== undefined)
        .map((field) => ({
          field,
          message: 'must not be sent together with paymentPayload',
        })),
    ];
  }

  async verifyPayment(request: NanoVerifyRequest, context: CallContext): Promise<NanoVerifyReply> {
    const claimed = this.claimOf(request);
    if (typeof claimed === 'string') return notValid(claimed);
    const kind = request.mode === 'check' ? 'check' : request.paymentPayload ? 'hold' : 'charge';
    const outcome = await this.ask(kind, claimed, callKeyOf(context, 'verify'));
    const payer = claimed.terms.from;
    if (outcome.status !== 'rejected') return valid(outcome, payer);
    if (outcome.reason === 'rate_limited') {
      const retryAfterSeconds = Math.max(outcome.retryAfterS, 1);
      throw new DomainError('RATE_LIMIT_EXCEEDED', rejectionMessage('rate_limited'), { retryAfterSeconds });
    }
    return notValid(outcome, payer);
  }

  async settlePayment(request: SettleRequest, context: CallContext): Promise<SettleReply> {
    const { network: asked } = request.paymentRequirements;
    const { deployment } = this.deployed;
    const network = typeof asked === 'string' ? asked.slice(0, 128) : deployment.network.name;
    const claimed = this.payable(readFacilitation(request, deployment, this.nowS, true));
    if (typeof claimed === 'string') return notSettled(claimed, network);
    const outcome = await this.ask('charge', claimed, callKeyOf(context, 'settle'));
    const payer = claimed.terms.from;
    return outcome.status === 'rejected'
      ? notSettled(outcome, network, payer)
      : settled(outcome, network, payer);
  }

  getSupported(): SupportedReply {
    const { deployment } = this.deployed;
    const { verifyingContract, network } = deployment;
    // Whether to be paid before or after the work is the seller's choice.
    const { paymentFlow: _flow, ...extra } = extraOf(deployment);
    return {
      kinds: [network.name, network.caip2].map((name) => ({
        x402Version: 2,
        scheme: schemeName,
        network: name,
        extra,
      })),
      extensions: ['payment-identifier'],
      signers: { 'tvm:*': [verifyingContract] },
    };
  }

  private get nowS(): number {
    return this.clock.now() / 1_000;
  }

  private claimOf(request: NanoVerifyRequest): ClaimedPayment | FacilitatedPayment | Rejection {
    const { x402Version, paymentPayload, paymentRequirements } = request;
    const { deployment } = this.deployed;
    if (!paymentPayload || !paymentRequirements) return readAuthorization(request, deployment, this.nowS);
    return this.payable(
      readFacilitation({ x402Version, paymentPayload, paymentRequirements }, deployment, this.nowS),
    );
  }

  private validateReceiver(to: string | undefined): FieldError[] {
    const message = to === undefined ? undefined : this.receivers.problemOf(to);
    return message === undefined ? [] : [{ field: 'to', message }];
  }

  /** A seller that keeps what it gets is no seller: what a buyer pays would be lost. */
  private payable(claimed: FacilitatedPayment | Rejection): FacilitatedPayment | Rejection {
    const isLost = typeof claimed === 'object' && this.receivers.problemOf(claimed.terms.to) !== undefined;
    return isLost ? 'invalid_payment_requirements' : claimed;
  }

  private ask(
    kind: 'charge' | 'hold' | 'check',
    claimed: ClaimedPayment | FacilitatedPayment,
    callKey: Buffer,
  ): Promise<KnownOutcome> {
    const { presented, terms, amountAtomic } = claimed;
    const holdS = kind === 'hold' && 'holdS' in claimed ? claimed.holdS : 0;
    return this.enclave.ask(chargeItem(presented, terms, { kind, callKey, amountAtomic, holdS }));
  }
}
