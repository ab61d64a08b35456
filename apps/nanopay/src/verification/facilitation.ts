import {
  flags,
  isAsset,
  isObject,
  maxHoldS,
  readAccount,
  readAmount,
  readNetwork,
  readPaymentPayload,
  resourceHash,
  schemeName,
  termsFor,
  type Deployment,
  type PresentedPayment,
  type Price,
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import type { ClaimedPayment } from './claimed-payment';
import { isOfficialScheme } from './official-schemes';

// The x402 form: the payload of the buyer and the requirements of the seller.

type Json = Record<string, unknown>;

export interface Facilitation {
  x402Version: number | undefined;
  paymentPayload: Json;
  paymentRequirements: Json;
}

export interface FacilitatedPayment extends ClaimedPayment {
  /** The longest hold of the amount in seconds. */
  holdS: number;
}

/** @param allowsZero whether an amount of 0 is allowed, which releases the hold of an `upTo` payment */
export function readFacilitation(
  { x402Version, paymentPayload, paymentRequirements }: Facilitation,
  deployment: Deployment,
  nowS: number,
  allowsZero = false,
): FacilitatedPayment | Rejection {
  if ((x402Version ?? paymentPayload.x402Version) !== 2) return 'invalid_x402_version';
  const { scheme } = paymentRequirements;
  // Payments of official schemes on supported networks were forwarded before.
  if (isOfficialScheme(scheme)) return 'invalid_network';
  if (scheme !== schemeName) return 'unsupported_scheme';
  const presented = readPaymentPayload(paymentPayload);
  if (typeof presented === 'string') return presented === 'malformed' ? 'invalid_payload' : presented;
  const price = priceOf(paymentRequirements, presented, deployment);
  if (!price) return 'invalid_payment_requirements';
  const isUpTo = (presented.flags & flags.upTo) !== 0;
  const { amountAtomic } = price;
  if (amountAtomic === 0n && !(isUpTo && allowsZero)) return 'invalid_ton_nanopay_amount_mismatch';
  const isBound = (presented.flags & flags.resourceBound) !== 0;
  // Without a URL, the bound resource is unknown.
  if (isBound && presented.resourceUrl === undefined) return 'invalid_ton_nanopay_resource_mismatch';
  const terms = termsFor(withFinalAmount(presented, isUpTo, amountAtomic), price, deployment, nowS);
  if (typeof terms === 'string') return terms;
  const holdS = Math.min(Math.floor(price.maxTimeoutS), maxHoldS);
  return { presented, terms, amountAtomic, holdS };
}

/** For `upTo` payments, the final amount may be below the offered maximum. */
function withFinalAmount(
  presented: PresentedPayment,
  isUpTo: boolean,
  amountAtomic: bigint,
): PresentedPayment {
  const { accepted } = presented;
  if (!isUpTo || !accepted) return presented;
  return { ...presented, accepted: { ...accepted, amount: amountAtomic.toString() } };
}

/** Undefined for requirements of another deployment, and for requirements that this service cannot verify. */
function priceOf(
  { network, asset, amount, payTo, to: toAlias, maxTimeoutSeconds, extra }: Json,
  presented: PresentedPayment,
  deployment: Deployment,
): Price | undefined {
  const { verifyingContract, method, bindBody } = isObject(extra) ? extra : {};
  const to = accountOf(payTo ?? toAlias, deployment);
  const amountAtomic = amount === '0' ? 0n : isText(amount) ? readAmount(amount) : undefined;
  const isOurs =
    isText(network) &&
    readNetwork(network) === deployment.network &&
    isText(asset) &&
    isAsset(asset, deployment.asset) &&
    accountOf(verifyingContract, deployment) === deployment.verifyingContract;
  // Only sellers have the bodies.
  const isReadable = bindBody !== true && typeof maxTimeoutSeconds === 'number' && maxTimeoutSeconds >= 1;
  if (!isOurs || !isReadable || to === undefined || amountAtomic === undefined) return undefined;
  const { resourceUrl: url = '' } = presented;
  const hash = resourceHash(isText(method) ? method : 'GET', url);
  return { to, amountAtomic, resourceHash: hash, url, maxTimeoutS: maxTimeoutSeconds };
}

// The longest value is an account.
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 128;

const accountOf = (value: unknown, { network }: Deployment): string | undefined =>
  isText(value) ? readAccount(value, network.globalId === -3) : undefined;
