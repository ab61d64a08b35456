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
import { ServiceConfig } from '@tollbridge/bootstrap';
import { Clock } from '@tollbridge/database';
import {
  chargeItem,
  extraOf,
  schemeName,
  rejectionMessage,
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import type { NanopayConfig } from '../config';
import { Deployed } from '../deployment/deployed';
import { Receivers } from '../receivers/receivers';
import { LedgerClient, type KnownOutcome } from '../ledger/ledger-client';
import { validateAuthorization, readAuthorization } from './authorization';
import { callKeyOf } from './call-key';
import type { ClaimedPayment } from './claimed-payment';
import { readFacilitation, type FacilitatedPayment } from './facilitation';
import { OfficialSchemes } from './official-schemes';
import { notSettled, notValid, settled, valid } from './replies';

/** Fields without a default that only the authorisation form has. */
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

/** Fields of an x402 facilitator request. */
const facilitatorFields = ['paymentPayload', 'paymentRequirements'] as const;
const missingInBothForms =
  'is missing; x402 sellers send paymentPayload and paymentRequirements, others the fields of an authorization';

/** Only the sale that a payment is for may charge it, because a charge here would pay for nothing. */
const ofSales: KnownOutcome = {
  status: 'rejected',
  reason: 'invalid_payment_requirements',
  retryAfterS: 0,
  approvalId: undefined,
};

const isOnEvm = ({ network }: { network: string }): boolean => network.startsWith('eip155:');

/** The x402 facilitator: verify and settle, and the same for a single authorisation. */
@Controller()
@Handles(nanoVerificationApi)
export class VerificationHandlers {
  private readonly receiptKeys: string[];
  private readonly salesAccount: string;

  constructor(
    private readonly ledger: LedgerClient,
    private readonly deployed: Deployed,
    private readonly receivers: Receivers,
    private readonly official: OfficialSchemes,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig)
    {
      NANOPAY_RECEIPT_KEYS: keys,
      SALES_TON_ACCOUNT: salesAccount,
    }: Pick<NanopayConfig, 'NANOPAY_RECEIPT_KEYS' | 'SALES_TON_ACCOUNT'>,
  ) {
    this.salesAccount = salesAccount;
    this.receiptKeys = keys === '' ? [] : keys.split(',');
  }

  @Validates(nanoVerificationApi.operations.verifyPayment)
  validateVerifyPayment(request: Partial<NanoVerifyRequest>, found: readonly FieldError[]): FieldError[] {
    // An invalid field is absent from the parsed request, although the client sent it.
    const isSent = (name: keyof NanoVerifyRequest): boolean =>
      request[name] !== undefined || found.some(({ field }) => field.split(/[.[]/, 1)[0] === name);
    if (!facilitatorFields.some(isSent)) {
      const isEmpty = !authorizationFields.some(isSent);
      return [
        ...(isEmpty ? facilitatorFields.map((field) => ({ field, message: missingInBothForms })) : []),
        ...validateAuthorization(request, this.deployed.deployment),
        ...this.validateReceiver(request.to),
      ];
    }
    return [
      ...facilitatorFields
        .filter((field) => !isSent(field))
        .map((field) => ({ field, message: 'is missing' })),
      ...authorizationFields
        .filter((field) => request[field] !== undefined)
        .map((field) => ({
          field,
          message: 'must not be sent together with paymentPayload',
        })),
    ];
  }

  async verifyPayment(request: NanoVerifyRequest, context: CallContext): Promise<NanoVerifyReply> {
    const { paymentPayload, paymentRequirements } = request;
    if (paymentPayload && paymentRequirements && this.official.includes(paymentRequirements))
      return versionOf(request) === 2
        ? this.official.verify({ paymentPayload, paymentRequirements })
        : notValid('invalid_x402_version');
    const claimed = this.claimOf(request);
    if (typeof claimed === 'string') return notValid(claimed);
    const kind = request.mode === 'check' ? 'check' : request.paymentPayload ? 'hold' : 'charge';
    const outcome = await this.submit(kind, claimed, callKeyOf(context, 'verify'));
    const payer = claimed.terms.from;
    if (outcome.status !== 'rejected') return valid(outcome, payer);
    if (outcome.reason === 'rate_limited') {
      const retryAfterSeconds = Math.max(outcome.retryAfterS, 1);
      throw new DomainError('RATE_LIMIT_EXCEEDED', rejectionMessage('rate_limited'), { retryAfterSeconds });
    }
    return notValid(outcome, payer);
  }

  async settlePayment(request: SettleRequest, context: CallContext): Promise<SettleReply> {
    const { network: requested } = request.paymentRequirements;
    const { deployment } = this.deployed;
    const network = typeof requested === 'string' ? requested.slice(0, 128) : deployment.network.name;
    const { paymentPayload, paymentRequirements } = request;
    if (this.official.includes(paymentRequirements))
      return versionOf(request) === 2
        ? this.official.settle({ paymentPayload, paymentRequirements }, context)
        : notSettled('invalid_x402_version', network);
    const claimed = this.requirePayable(readFacilitation(request, deployment, this.nowS, true));
    if (typeof claimed === 'string') return notSettled(claimed, network);
    const outcome = await this.submit('charge', claimed, callKeyOf(context, 'settle'));
    const payer = claimed.terms.from;
    return outcome.status === 'rejected'
      ? notSettled(outcome, network, payer)
      : settled(outcome, network, payer);
  }

  async getSupported(): Promise<SupportedReply> {
    const { deployment } = this.deployed;
    const { verifyingContract, network } = deployment;
    // The seller chooses whether to charge before or after the work.
    const { paymentFlow: _flow, ...extra } = extraOf(deployment);
    const own = [network.name, network.caip2].map((name) => ({ scheme: schemeName, network: name, extra }));
    const { kinds, signers } = await this.official.kinds();
    return {
      kinds: [...own, ...kinds].map((kind) => ({ x402Version: 2, ...kind })),
      extensions: ['payment-identifier', ...(kinds.some(isOnEvm) ? ['eip2612GasSponsoring'] : [])],
      signers: {
        'tvm:*': [verifyingContract],
        ...Object.fromEntries(signers.map(({ networks, address }) => [networks, [address]])),
      },
      ...(this.receiptKeys.length > 0 && { receiptKeys: this.receiptKeys }),
    };
  }

  private get nowS(): number {
    return this.clock.now() / 1_000;
  }

  private claimOf(request: NanoVerifyRequest): ClaimedPayment | FacilitatedPayment | Rejection {
    const { x402Version, paymentPayload, paymentRequirements } = request;
    const { deployment } = this.deployed;
    if (!paymentPayload || !paymentRequirements) return readAuthorization(request, deployment, this.nowS);
    return this.requirePayable(
      readFacilitation({ x402Version, paymentPayload, paymentRequirements }, deployment, this.nowS),
    );
  }

  private validateReceiver(to: string | undefined): FieldError[] {
    const message = to === undefined ? undefined : this.receivers.findProblem(to);
    return message === undefined ? [] : [{ field: 'to', message }];
  }

  /** Rejects a receiver that would lose the money. */
  private requirePayable(claimed: FacilitatedPayment | Rejection): FacilitatedPayment | Rejection {
    const isLost = typeof claimed === 'object' && this.receivers.findProblem(claimed.terms.to) !== undefined;
    return isLost ? 'invalid_payment_requirements' : claimed;
  }

  private submit(
    kind: 'charge' | 'hold' | 'check',
    claimed: ClaimedPayment | FacilitatedPayment,
    callKey: Buffer,
  ): Promise<KnownOutcome> {
    const { presented, terms, amountAtomic } = claimed;
    if (kind !== 'check' && terms.to === this.salesAccount) return Promise.resolve(ofSales);
    const holdS = kind === 'hold' && 'holdS' in claimed ? claimed.holdS : 0;
    return this.ledger.submit(chargeItem(presented, terms, { kind, callKey, amountAtomic, holdS }));
  }
}

/** The version in the request or, from older clients, in the payload. */
const versionOf = ({
  x402Version,
  paymentPayload,
}: Pick<NanoVerifyRequest, 'x402Version' | 'paymentPayload'>) => x402Version ?? paymentPayload?.x402Version;
