import type { RawAccount } from './accounts';
import { usdt } from './networks';
import { schemeName, type Deployment } from './price';

/** A price in x402 version 2. */
export interface PaymentRequirements {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  /** Alias of `payTo` in the specification. */
  to?: string;
  maxTimeoutSeconds: number;
  extra: RequirementsExtra;
}

export interface RequirementsExtra {
  name: 'TonNanoPay';
  version: '1';
  verifyingContract: string;
  teeEndpoint: string;
  /** Payment happens before the seller's handler runs. */
  paymentFlow: 'upfront' | 'authorization';
  /** Jetton master of the asset, if its symbol means another asset on the main network. */
  asset?: string;
  /** True if the payment also binds the request body. */
  bindBody?: true;
  /** HTTP method, unless it is GET. It is signed, and x402 clients do not pass it to their schemes. */
  method?: string;
  /** Set if the seller accepts payments by a channel. */
  channel?: ChannelOffer;
}

/** The values that a buyer needs to open a channel. */
export interface ChannelOffer {
  /** Identifies the paywall process that will own the channel: 16 hexadecimal digits. */
  owner: string;
  /** Ended processes. The owner has taken over their channels. */
  former?: string[];
  /** Required value of one link. Prices are multiples of it, at most 50 times the value. */
  unit: string;
  /** Maximum time until the end of a channel. */
  maxLifeSeconds: number;
}

export interface ResourceInfo {
  url: string;
  description?: string;
  mimeType?: string;
}

export interface PaymentRequired {
  x402Version: 2;
  error: string;
  resource: ResourceInfo;
  accepts: PaymentRequirements[];
  extensions: Record<string, unknown>;
}

export const extraOf = ({ verifyingContract, teeEndpoint, asset }: Deployment): RequirementsExtra => ({
  name: 'TonNanoPay',
  version: '1',
  verifyingContract,
  teeEndpoint,
  paymentFlow: 'upfront',
  ...(asset.master !== usdt.master && { asset: asset.master }),
});

/** Idempotency of a payment: a retry with the same identifier receives the stored response. */
export const paymentIdentifierExtension = {
  'payment-identifier': {
    info: { required: false },
    schema: {
      type: 'object',
      properties: { id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$' } },
    },
  },
};

export interface Offer {
  to: RawAccount;
  amountAtomic: bigint;
  maxTimeoutS: number;
  bindBody?: boolean;
  method?: string;
  channel?: ChannelOffer;
}

/**
 * Returns one price as two offers. The first has the form of the specification. The second has the strict x402 form,
 * for clients that validate every entry.
 */
export function offersOf(offer: Offer, deployment: Deployment): [PaymentRequirements, PaymentRequirements] {
  const { network, asset } = deployment;
  const extra: RequirementsExtra = {
    ...extraOf(deployment),
    ...(offer.bindBody ? { bindBody: true } : {}),
    ...(offer.method !== undefined && offer.method !== 'GET' ? { method: offer.method } : {}),
    ...(offer.channel ? { channel: offer.channel } : {}),
  };
  const amount = offer.amountAtomic.toString();
  const rest = { maxTimeoutSeconds: offer.maxTimeoutS, extra };
  return [
    {
      scheme: schemeName,
      network: network.name,
      amount,
      to: offer.to,
      payTo: offer.to,
      asset: asset.symbol,
      ...rest,
    },
    {
      scheme: schemeName,
      network: network.caip2,
      amount,
      payTo: offer.to,
      asset: asset.master,
      ...rest,
    },
  ];
}

/** Adds `to` beside `payTo`, as the specification requires. Clients of x402 ignore `to`, or return it. */
export const withRecipient = <T extends { payTo?: unknown }>(offer: T): T & { to: unknown } => ({
  ...offer,
  to: offer.payTo,
});

/** Encoding of all x402 headers. */
export const base64Json = (document: unknown): string =>
  Buffer.from(JSON.stringify(document)).toString('base64');
