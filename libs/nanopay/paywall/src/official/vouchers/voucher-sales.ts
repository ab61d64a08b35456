import { isObject } from '@tollbridge/nanopay-protocol';
import type { FacilitatorClient as OfficialFacilitator, x402ResourceServer } from '@x402/core/server';
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from '@x402/core/types';
import type {
  BatchSettlementChannelManager,
  BatchSettlementEvmScheme,
  ChannelStorage,
} from '@x402/evm/batch-settlement/server';
import { createHash, randomUUID } from 'node:crypto';
import type { OfficialKind, OfficialPayload, OfficialRequirements } from '../../x402/official-types';
import type { FacilitatorClient, Settlement } from '../facilitator-client';
import type { StoredChannel, VoucherAccount, VoucherOptions, VoucherStore } from './voucher-options';

export type VoucherVerdict =
  | { status: 'valid'; payer: string | undefined }
  /** A refund. No handler runs for it. */
  | { status: 'refund'; payer: string | undefined }
  | { status: 'invalid'; reason: string; message: string | undefined; offer: OfficialRequirements }
  /** Another request for the channel is in progress. */
  | { status: 'busy' }
  | { status: 'unavailable'; error: unknown };

export interface VoucherSurroundings {
  facilitator: FacilitatorClient;
  options: VoucherOptions;
  store: VoucherStore;
  settleTimeoutMs: number;
  /** Owner of the claims of this process. A deposit settles once for each owner. */
  owner: string;
}

const mismatch = 'invalid_batch_settlement_evm_cumulative_amount_mismatch';
const unavailableReasons = ['invalid_batch_settlement_evm_verification_state_unavailable'];
const lost = 'settlement_lost';
const busy = 'invalid_batch_settlement_evm_channel_busy';
/** More claims need more gas than the gateway usually allows. */
const defaultClaims = 6;

/**
 * Sells to one account by `batch-settlement`. The official server makes the decisions. This project provides only the
 * store and the facilitator.
 */
export class VoucherSales {
  private constructor(
    private readonly server: x402ResourceServer,
    private readonly scheme: BatchSettlementEvmScheme,
    private readonly manager: BatchSettlementChannelManager,
    private readonly around: VoucherSurroundings,
  ) {}

  /** Loads the official packages, which only sellers of this scheme install. */
  static async open(account: VoucherAccount, around: VoucherSurroundings): Promise<VoucherSales> {
    const [core, evm] = await Promise.all([
      import('@x402/core/server'),
      import('@x402/evm/batch-settlement/server'),
    ]);
    const { network, payTo, asset } = account;
    const { authorizer, withdrawDelayS } = around.options;
    const scheme = new evm.BatchSettlementEvmScheme(payTo as `0x${string}`, {
      storage: around.store as unknown as ChannelStorage,
      receiverAuthorizerSigner: authorizer as never,
      ...(withdrawDelayS === undefined ? {} : { withdrawDelay: withdrawDelayS }),
    });
    const facilitator = facilitatorFor(around);
    const server = new core.x402ResourceServer(facilitator).register(network, scheme);
    const manager = scheme.createChannelManager(facilitator, network, asset.address as `0x${string}`);
    return new VoucherSales(server, scheme, manager, around);
  }

  async verify(paid: OfficialPayload, offer: OfficialRequirements): Promise<VoucherVerdict> {
    try {
      if (await this.isBusy(paid)) return { status: 'busy' };
      const verified = await this.server.verifyPayment(toPayload(paid), toRequirements(offer));
      const { isValid, invalidReason: reason = 'payment_rejected', invalidMessage, payer } = verified;
      if (isValid) return { status: 'skipHandler' in verified ? 'refund' : 'valid', payer };
      if (reason === busy) return { status: 'busy' };
      if (unavailableReasons.includes(reason)) return { status: 'unavailable', error: new Error(reason) };
      const corrected = await this.corrected(paid, offer, reason);
      return { status: 'invalid', reason, message: invalidMessage, offer: corrected };
    } catch (error) {
      return { status: 'unavailable', error };
    }
  }

  /** Returns the state of the channel for a payment that was served before, so that the buyer can continue. */
  async spent(paid: OfficialPayload, offer: OfficialRequirements): Promise<VoucherVerdict> {
    try {
      if (await this.isBusy(paid)) return { status: 'busy' };
      const message = 'The voucher has paid for a request before.';
      return {
        status: 'invalid',
        reason: mismatch,
        message,
        offer: await this.corrected(paid, offer, mismatch),
      };
    } catch (error) {
      return { status: 'unavailable', error };
    }
  }

  /** Charges a voucher in the store; settles a deposit or refund on the chain. Never rejects. */
  async settle(paid: OfficialPayload, offer: OfficialRequirements, amount: string): Promise<Settlement> {
    try {
      await this.resume(paid);
      const requirements = toRequirements({ ...offer, amount });
      const held =
        paid.payload.type === 'deposit' ? await this.around.store.get(channelIdIn(paid.payload)) : undefined;
      const outcome = settlementOf(await this.server.settlePayment(toPayload(paid), requirements), paid);
      if (held && (outcome.status === 'lost' || outcome.status === 'pending')) await this.hold(held);
      return outcome;
    } catch (error) {
      const reason = reasonIn(error);
      return reason === undefined
        ? { status: 'lost', error }
        : { status: 'failed', reason, message: undefined, transaction: '' };
    }
  }

  /** Ends a request without a charge, so that the next request for the channel does not wait for it. */
  async release(paid: OfficialPayload): Promise<void> {
    await this.scheme.clearPendingRequest(toPayload(paid));
  }

  /**
   * Claims all vouchers on the chain, then transfers the claimed amount to the seller.
   * @throws Error if a step fails
   */
  async collect(): Promise<void> {
    const { maxClaimsPerBatch = defaultClaims } = this.around.options;
    await this.manager.claim({ maxClaimsPerBatch });
    await this.manager.settle().catch((error: unknown) => {
      if (!String(error).includes('nothing_to_settle')) throw error;
    });
  }

  private async isBusy({ payload }: OfficialPayload): Promise<boolean> {
    const channel = await this.around.store.get(channelIdIn(payload));
    const { pendingRequest: pending } = channel ?? {};
    return pending !== undefined && pending.expiresAt > Date.now() && !isOf(pending, channel!, payload);
  }

  /**
   * Holds the channel of a deposit with an unknown outcome. The official server releases it, although the deposit is
   * still to be charged.
   */
  private async hold(held: StoredChannel): Promise<void> {
    await this.around.store.updateChannel(held.channelId, (current) => {
      if (!current) return held;
      if (current.pendingRequest || current.chargedCumulativeAmount !== held.chargedCumulativeAmount)
        return current;
      const { signedMaxClaimable, signature, pendingRequest } = held;
      return { ...current, signedMaxClaimable, signature, ...(pendingRequest && { pendingRequest }) };
    });
  }

  /**
   * Resumes a deposit with an unknown outcome that is sent again. The official server identifies requests only by their
   * object.
   */
  private async resume(paid: OfficialPayload): Promise<void> {
    if (this.scheme.readRequestContext(toPayload(paid))) return;
    const channelId = channelIdIn(paid.payload);
    const channel = await this.around.store.get(channelId);
    if (!channel?.pendingRequest || !isOf(channel.pendingRequest, channel, paid.payload)) return;
    const { pendingId } = channel.pendingRequest;
    this.scheme.mergeRequestContext(toPayload(paid), {
      channelId,
      pendingId,
      channelSnapshot: channel as never,
      reservationCommitted: true,
    });
  }

  /** Returns the offer, with the state of the channel if the buyer lacks it. */
  private async corrected(
    paid: OfficialPayload,
    offer: OfficialRequirements,
    error: string,
  ): Promise<OfficialRequirements> {
    const requirements = [{ ...toRequirements(offer), extra: { ...offer.extra } }];
    await this.scheme.enrichPaymentRequiredResponse({
      requirements,
      paymentPayload: toPayload(paid),
      resourceInfo: paid.resource,
      error,
    } as never);
    return requirements[0] as unknown as OfficialRequirements;
  }
}

/** Whether the channel's pending request is this one. */
const isOf = (
  { signedMaxClaimable }: { signedMaxClaimable: string },
  { signature }: { signature: string },
  { voucher, type }: Record<string, unknown>,
): boolean =>
  type === 'deposit' &&
  isObject(voucher) &&
  voucher.maxClaimableAmount === signedMaxClaimable &&
  voucher.signature === signature;

/** @throws TypeError for a payload without a channel */
function channelIdIn({ voucher }: Record<string, unknown>): string {
  const id = isObject(voucher) ? voucher.channelId : undefined;
  if (typeof id !== 'string') throw new TypeError('The payment contains no channel id.');
  return id;
}

function settlementOf(result: SettleResponse, { payload }: OfficialPayload): Settlement {
  const { success, transaction, payer, amount, extra, errorReason, errorMessage } = result;
  if (success) {
    // The deposit is in the channel, but the store has no charge, so the response is not paid for.
    const isUncharged = payload.type === 'deposit' && extra?.chargedAmount === undefined;
    if (isUncharged) return { status: 'failed', reason: busy, message: undefined, transaction };
    return { status: 'settled', transaction, payer, amount, extra };
  }
  if (errorReason === lost) return { status: 'lost', error: new Error(errorMessage) };
  if (errorReason === 'settlement_pending') return { status: 'pending', transaction };
  return { status: 'failed', reason: errorReason ?? 'payment_rejected', message: errorMessage, transaction };
}

/** The official server throws an error with this reason to end a settlement. */
const reasonIn = (error: unknown): string | undefined =>
  isObject(error) && typeof error.errorReason === 'string' ? error.errorReason : undefined;

/** Adapts the facilitator client to the interface of the official server. */
function facilitatorFor({ facilitator, settleTimeoutMs, owner }: VoucherSurroundings): OfficialFacilitator {
  return {
    async verify(payload, requirements): Promise<VerifyResponse> {
      const verified = await facilitator.verify(fromPayload(payload), fromRequirements(requirements));
      if (verified.status === 'unavailable') throw verified.error;
      if (verified.status === 'valid')
        return { isValid: true, ...optional('payer', verified.payer), ...optional('extra', verified.extra) };
      return {
        isValid: false,
        invalidReason: verified.reason,
        ...optional('invalidMessage', verified.message),
      };
    },
    async settle(payload, requirements): Promise<SettleResponse> {
      const { network } = requirements;
      const settled = await facilitator.settle(
        fromPayload(payload),
        fromRequirements(requirements),
        keyOf(owner, payload.payload),
        settleTimeoutMs,
      );
      // An error would end the request at the official server, and release the claim of its channel.
      if (settled.status === 'lost')
        return {
          success: false,
          transaction: '',
          network,
          errorReason: lost,
          errorMessage: String(settled.error),
        };
      const { transaction } = settled;
      if (settled.status === 'settled')
        return {
          success: true,
          transaction,
          network,
          ...optional('payer', settled.payer),
          ...optional('amount', settled.amount),
          ...optional('extra', settled.extra),
        };
      const errorReason = settled.status === 'pending' ? 'settlement_pending' : settled.reason;
      const message = settled.status === 'failed' ? settled.message : undefined;
      return { success: false, transaction, network, errorReason, ...optional('errorMessage', message) };
    },
    async getSupported() {
      return { kinds: (await facilitator.supported()).map(toKind), extensions: [], signers: {} };
    },
  };
}

/** A retry of a deposit has the same key, so that a lost answer is replayed. The seller's own calls have new keys. */
function keyOf(owner: string, payload: Record<string, unknown>): string {
  if (payload.type !== 'deposit') return randomUUID();
  return createHash('sha256')
    .update(`${owner} ${JSON.stringify(payload)}`)
    .digest('hex')
    .slice(0, 32);
}

const optional = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };

const toKind = (kind: OfficialKind) => ({ ...kind, x402Version: 2 });
const toPayload = (paid: OfficialPayload): PaymentPayload => paid as unknown as PaymentPayload;
const fromPayload = (payload: unknown): OfficialPayload => payload as OfficialPayload;
const toRequirements = (offer: OfficialRequirements): PaymentRequirements =>
  offer as unknown as PaymentRequirements;
const fromRequirements = (requirements: unknown): OfficialRequirements =>
  requirements as OfficialRequirements;
