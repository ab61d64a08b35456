import { receiverAddress } from '@tollbridge/chains';
import type { FacilitatedKind, FacilitatedPaymentRequest, FacilitatorSigner } from '@tollbridge/contracts';
import { ProviderError } from '@tollbridge/http';
import type { Logger } from '@tollbridge/observability';
import { DomainError } from '@tollbridge/rpc';
import type { SolanaNode } from '@tollbridge/solana';
import { describeDifference } from '../authorization';
import { malformed } from '../field-forms';
import type { FacilitatorLimits } from '../limits';
import { invalidReceiver, unsupportedReceiver } from '../replies';
import { isReceiver } from '../settings';
import type { Settlement } from '../settlement';
import type {
  ClaimOutcome,
  Payment,
  Rejection,
  SendingWallet,
  SettlementRail,
  Verified,
} from '../settlement-rail';
import type { ClaimedNow, SettlementsRepository } from '../settlements.repository';
import type { FeePayer, SolanaPlace } from './fee-payer';
import type { SolanaFollower } from './solana-follower';
import { OfficialSolana } from './official-solana';
import { readSolanaPayment, type SolanaPayment } from './solana-authorization';

// The payer's blockhash may be newer than that of the queried node, and this node may lag behind others.
const slackBlocks = 100;
// The minimum balance of an account without data: https://solana.com/docs/core/accounts
const rentLamports = 890_880n;
const coinDecimals = 9;

// A payment to the payer moves nothing.
const paysItself = { field: 'paymentRequirements.payTo', message: 'must not be the payer' };

/** Settles payments of `exact` on Solana. This deployment pays the fee of the payer's transaction. */
export class SolanaRail implements SettlementRail {
  readonly isActive = true;

  constructor(
    private readonly payer: FeePayer,
    private readonly limits: FacilitatorLimits,
    private readonly settlements: SettlementsRepository,
    private readonly follower: SolanaFollower,
    private readonly logger: Logger,
  ) {}

  kinds(): FacilitatedKind[] {
    const { places, address } = this.payer;
    return places.map(({ network }) => ({ scheme: 'exact', network, extra: { feePayer: address } }));
  }

  signers(): FacilitatorSigner[] {
    return [{ networks: 'solana:*', address: this.payer.address }];
  }

  wallets(): SendingWallet[] {
    const { places, address } = this.payer;
    return places.map(({ network, rpc }) => ({
      network,
      address,
      decimals: coinDecimals,
      coins: () => rpc.ask((node) => node.lamports(address)),
    }));
  }

  has(network: unknown): boolean {
    return this.payer.find(network) !== undefined;
  }

  pollIntervalMs(network: string): number {
    return this.placeOf(network).chain.pollIntervalMs;
  }

  isOutage(error: unknown): boolean {
    return error instanceof ProviderError;
  }

  read(request: FacilitatedPaymentRequest): Payment | Rejection {
    const { paymentPayload: payload, paymentRequirements: requirements } = request;
    const { scheme, network, asset, payTo } = requirements;
    const place = this.placeOf(network);
    if (scheme !== 'exact') return { reason: 'unsupported_scheme' };
    if (typeof asset !== 'string' || !place.tokens.has(asset)) return { reason: 'unsupported_asset' };
    if (typeof payTo !== 'string') return unsupportedReceiver;
    const receiver = receiverAddress(place.chain, payTo);
    if (!receiver.ok) return invalidReceiver(receiver.reason);
    const difference = describeDifference(payload.accepted, requirements);
    if (difference !== undefined) return { reason: 'invalid_payment_requirements', message: difference };
    const read = readSolanaPayment(payload, requirements);
    const errors = Array.isArray(read) ? read : read.authorization.payer === payTo ? [paysItself] : [];
    if (Array.isArray(read) || errors.length > 0)
      return this.isServed(payTo) ? malformed(errors) : unsupportedReceiver;
    // A receiver may also pay, because its refunds are settled.
    if (!this.isServed(payTo) && !this.isServed(read.authorization.payer)) return unsupportedReceiver;
    return {
      network: place.network,
      authorization: read.authorization,
      answered: 'one call',
      payload,
      requirements,
    };
  }

  private isServed(address: string): boolean {
    return isReceiver(this.payer.receivers, address);
  }

  async verify(payment: Payment): Promise<Verified | Rejection> {
    return (await this.findRejection(payment)) ?? {};
  }

  private async findRejection(payment: Payment): Promise<Rejection | undefined> {
    const { network, payload, requirements } = payment;
    return (
      this.riskOf(transactionOf(payment)) ??
      (await new OfficialSolana(this.placeOf(network).rpc, this.payer.address).verify(payload, requirements))
    );
  }

  /**
   * Rejects payments that could cost the fee payer more than the limit. The package does not check all of these risks.
   */
  private riskOf({ feePayer, namesFeePayer, feeLamports }: SolanaPayment): Rejection | undefined {
    const { address, maxLamports } = this.payer;
    if (feePayer !== address) return { reason: 'invalid_exact_svm_fee_payer_mismatch' };
    if (namesFeePayer) return { reason: 'fee_payer_not_isolated' };
    return feeLamports > maxLamports ? { reason: 'fee_limit_exceeded' } : undefined;
  }

  async claim(payment: Payment): Promise<ClaimOutcome> {
    const { network, authorization } = payment;
    const place = this.placeOf(network);
    const transaction = transactionOf(payment);
    const { payer, token } = authorization;
    // Read before the simulation, so that the transaction is in a later block.
    const before = await place.rpc.ask((node) => this.readBefore(node, payer, token));
    const rejection = await this.findRejection(payment);
    if (rejection) return { kind: 'rejected', rejection };
    this.requireCoins(before.coins - transaction.feeLamports);
    return this.settlements.claim({
      network,
      authorization: {
        ...authorization,
        validBefore: before.lastHeight + slackBlocks + place.chain.maxLagBlocks,
      },
      call: { to: token, data: Buffer.from(transaction.message).toString('base64') },
      sender: this.payer.address,
      transaction: this.payer.sign(transaction),
      sinceHeight: before.slot,
      heldAtomic: before.heldAtomic,
      perMinute: this.limits.perMinute,
      totalPerMinute: this.limits.totalPerMinute,
    });
  }

  private async readBefore(node: SolanaNode, payer: string, token: string) {
    const [slot, { lastValidBlockHeight }, amounts, coins] = await Promise.all([
      node.slot(),
      node.recentBlockhash(),
      node.tokenAmounts(payer, token),
      node.lamports(this.payer.address),
    ]);
    const heldAtomic = amounts.reduce((sum, amount) => sum + amount, 0n);
    return { slot, lastHeight: lastValidBlockHeight, heldAtomic, coins };
  }

  private requireCoins(left: bigint): void {
    if (left >= rentLamports) return;
    const { address: wallet } = this.payer;
    this.logger.error({ chain: 'solana', wallet }, 'facilitator wallet cannot pay for gas');
    throw new DomainError('SERVICE_UNAVAILABLE', 'This facilitator cannot pay for gas at present.', {
      retryAfterSeconds: 10,
    });
  }

  async broadcast(network: string, { signed, id }: ClaimedNow): Promise<void> {
    const wire = Buffer.from(signed.raw, 'base64');
    await this.placeOf(network)
      .rpc.ask((node) => node.send(wire))
      .catch((err: unknown) =>
        this.logger.error(
          { settlementId: id, reason: String(err) },
          'settlement rejected by the node, retrying',
        ),
      );
  }

  follow(settlement: Settlement): Promise<void> {
    return this.follower.follow(settlement, this.placeOf(settlement.network));
  }

  private placeOf(network: unknown): SolanaPlace {
    const place = this.payer.find(network);
    if (!place) throw new Error(`the chain ${String(network)} is not configured`);
    return place;
  }
}

/** Parsed successfully before. */
const transactionOf = ({ payload, requirements }: Payment): SolanaPayment =>
  readSolanaPayment(payload, requirements) as SolanaPayment;
