import { isObject } from '@tollbridge/nanopay-protocol';
import { startHttpServer, type HttpReply, type HttpServer, type SeenRequest } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';
import type { AcceptedWay } from '../official/offers';
import type { OfficialPayload, OfficialRequirements } from '../x402/official-types';

export const evmNetwork = 'eip155:84532';
export const evmSeller = '0x00000000000000000000000000000000000be4c4';
export const evmBuyer = '0x1111111111111111111111111111111111111111';
export const facilitatorAddress = '0x2222222222222222222222222222222222222222';
export const feePayer = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
export const solanaDevnet = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1';

export const acceptedInTests: AcceptedWay[] = [
  { scheme: 'exact', network: evmNetwork, payTo: evmSeller },
  { scheme: 'upto', network: evmNetwork, payTo: evmSeller },
];

interface Body {
  paymentPayload: OfficialPayload;
  paymentRequirements: OfficialRequirements;
}

type Change = (
  request: SeenRequest,
  reply: HttpReply,
) => HttpReply | undefined | Promise<HttpReply | undefined>;

/**
 * A facilitator that verifies no signatures and settles each nonce once, like a chain. If `keepsOutcomes` is set, a
 * repeated settlement with the same Idempotency-Key returns the first outcome. The first settlement with a key after a
 * settlement without a key also returns that outcome.
 */
export class FakeFacilitator {
  /** Settled payments: the nonce, and the Idempotency-Key of the settlement. */
  readonly settled = new Map<string, string | undefined>();
  /** Requirements of the successful settlements. */
  readonly transfers: OfficialRequirements[] = [];
  keepsOutcomes = false;
  /** Replaces the replies of these operations after they took effect. */
  changes: Partial<Record<'verify' | 'settle' | 'supported', Change>> = {};
  /** Called before the operation takes effect. Its reply replaces the operation. */
  before: ((operation: string) => HttpReply | undefined | Promise<HttpReply | undefined>) | undefined;

  private constructor(private readonly server: HttpServer) {}

  static async start(): Promise<FakeFacilitator> {
    const server = await startHttpServer(() => ({}));
    const facilitator = new FakeFacilitator(server);
    server.answer = (request) => facilitator.answer(request);
    return facilitator;
  }

  get url(): string {
    return this.server.url;
  }

  close = (): Promise<void> => this.server.close();

  reset(): void {
    this.changes = {};
    this.before = undefined;
    this.keepsOutcomes = false;
    this.transfers.length = 0;
    this.server.requests.length = 0;
  }

  /** Returns the requests of an operation. */
  calls = (operation: string): SeenRequest[] =>
    this.server.requests.filter(({ path }) => path === `/${operation}`);

  private async answer(request: SeenRequest): Promise<HttpReply> {
    const operation = request.path.slice(1) as 'verify' | 'settle' | 'supported';
    const early = await this.before?.(operation);
    if (early) return early;
    const reply = { body: this.replyOf(operation, request) };
    return (await this.changes[operation]?.(request, reply)) ?? reply;
  }

  private replyOf(operation: string, { body, headers }: SeenRequest): unknown {
    if (operation === 'supported') return supported;
    const { paymentPayload, paymentRequirements } = JSON.parse(body) as Body;
    const nonce = nonceOf(paymentPayload);
    const key = headers['idempotency-key'] as string | undefined;
    const isUsed = this.settled.has(nonce);
    if (operation === 'verify')
      return isUsed
        ? { isValid: false, invalidReason: 'nonce_already_used', payer: evmBuyer }
        : { isValid: true, payer: evmBuyer };
    const { network } = paymentRequirements;
    const isOwn = this.keepsOutcomes && isUsed && (this.settled.get(nonce) ?? key) === key;
    if (isUsed && !isOwn)
      return { success: false, errorReason: 'nonce_already_used', transaction: '', network, payer: evmBuyer };
    if (!isUsed) this.transfers.push(paymentRequirements);
    this.settled.set(nonce, key);
    return { success: true, transaction: `0x${'ab'.repeat(32)}`, network, payer: evmBuyer };
  }
}

const supported = {
  kinds: [
    { x402Version: 2, scheme: 'exact', network: evmNetwork },
    { x402Version: 2, scheme: 'upto', network: evmNetwork, extra: { facilitatorAddress } },
    { x402Version: 2, scheme: 'exact', network: solanaDevnet, extra: { feePayer } },
  ],
  extensions: [],
  signers: {},
};

function nonceOf({ payload }: OfficialPayload): string {
  const { authorization, permit2Authorization, transaction } = payload;
  const signed = authorization ?? permit2Authorization;
  return isObject(signed) ? String(signed.nonce).toLowerCase() : String(transaction);
}

export interface OfficialChanges {
  /** Selects one of the official offers. */
  pick?: (offer: OfficialRequirements) => boolean;
  nonce?: string;
  /** Changes to the accepted offer. */
  accepted?: Partial<OfficialRequirements>;
  authorization?: Record<string, unknown>;
  /** Changes to the whole payment document. */
  document?: Record<string, unknown>;
}

/** The header of an official client, with an invalid signature. */
export function officialHeaderFor(required: string, changes: OfficialChanges = {}): string {
  const document = JSON.parse(Buffer.from(required, 'base64').toString()) as {
    accepts: OfficialRequirements[];
    resource: { url: string };
    extensions: Record<string, unknown>;
  };
  const pick = changes.pick ?? (({ scheme, network }) => scheme === 'exact' && network === evmNetwork);
  const offer = document.accepts.find(pick)!;
  const payment = {
    x402Version: 2,
    resource: document.resource,
    accepted: { ...offer, ...changes.accepted },
    payload: payloadOf(offer, changes),
    extensions: document.extensions,
    ...changes.document,
  };
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

function payloadOf(
  offer: OfficialRequirements,
  { nonce, authorization }: OfficialChanges,
): Record<string, unknown> {
  if (offer.network.startsWith('solana:')) {
    const transaction = Buffer.concat([Buffer.from([1]), Buffer.alloc(64), randomBytes(200)]);
    return { transaction: transaction.toString('base64') };
  }
  const signature = `0x${'11'.repeat(65)}`;
  if (offer.extra.assetTransferMethod === 'permit2') {
    const permit2Authorization = {
      from: evmBuyer,
      permitted: { token: offer.asset, amount: offer.amount },
      nonce: nonce ?? BigInt(`0x${randomBytes(16).toString('hex')}`).toString(),
      witness: { to: offer.payTo },
      ...authorization,
    };
    return { signature, permit2Authorization };
  }
  const signed = {
    from: evmBuyer,
    to: offer.payTo,
    value: offer.amount,
    validAfter: '0',
    validBefore: Math.floor(Date.now() / 1_000 + 60).toString(),
    nonce: nonce ?? `0x${randomBytes(32).toString('hex')}`,
    ...authorization,
  };
  return { signature, authorization: signed };
}
