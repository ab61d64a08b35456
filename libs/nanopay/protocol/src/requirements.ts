import type { RawAccount } from './accounts';
import { usdt } from './networks';
import { schemeName, type Deployment } from './price';

/** A price as x402 version 2 writes it. */
export interface PaymentRequirements {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  /** The specification's name of `payTo`, in the first offer only. */
  to?: string;
  maxTimeoutSeconds: number;
  extra: RequirementsExtra;
}

export interface RequirementsExtra {
  name: 'TonNanoPay';
  version: '1';
  verifyingContract: string;
  teeEndpoint: string;
  /** Paid before the seller's handler runs. */
  paymentFlow: 'upfront' | 'authorization';
  /** Master of the asset, where its symbol means another than on the main network. */
  asset?: string;
  /** The body of the request is bound too. */
  bindBody?: true;
  /** Of the request, where it is not GET: it is signed, and clients of x402 do not tell it to their schemes. */
  method?: string;
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

/** How a repeated payment is recognised, if the buyer wants his answer again instead of paying anew. */
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
}

/**
 * One price as two offers: the first in the specification's form, the second strictly as x402 wants it, for clients that
 * check every entry against its schemas.
 */
export function offersOf(offer: Offer, deployment: Deployment): [PaymentRequirements, PaymentRequirements] {
  const { network, asset } = deployment;
  const extra: RequirementsExtra = {
    ...extraOf(deployment),
    ...(offer.bindBody ? { bindBody: true } : {}),
    ...(offer.method !== undefined && offer.method !== 'GET' ? { method: offer.method } : {}),
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

/** As all of x402's headers are carried. */
export const base64Json = (document: unknown): string =>
  Buffer.from(JSON.stringify(document)).toString('base64');
