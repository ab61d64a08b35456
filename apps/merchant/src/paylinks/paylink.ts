import type { Conversion, CreatePayLinkRequest } from '@tollbridge/contracts';
import type { FieldError } from '@tollbridge/rpc';
import { amountError, canonicalAddress, findToken, receiverAddress, type Chain } from '@tollbridge/chains';
import { isAmountText, maxTokenAmount } from '@tollbridge/money';
import type { Environment } from '@tollbridge/config';
import { webAddressError } from '../web-address';
import { priceErrors } from '@tollbridge/rates';

/** A period when a link was switched off. */
export type Pause = readonly [fromMs: number, untilMs: number];

/** A link that accepts plain transfers. */
export interface PayLink {
  id: string;
  wallet: string;
  name: string;
  description: string;
  /** 0 when the payer chooses the amount. With a price: its conversion when the link was created. */
  amount: bigint;
  /** Null for a link without a price. */
  conversion: Conversion | null;
  /** The minimum when the payer chooses the amount; null otherwise. */
  minAmount: bigint | null;
  /** The chain's id in the registry. */
  chain: string;
  token: string;
  /** Null for the native coin of the chain. */
  tokenAddress: string | null;
  decimals: number;
  receiveAddress: string;
  imageUrl: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
  metadata: Record<string, unknown> | null;
  expiresAtMs: number | null;
  maxPayments: number | null;
  isActive: boolean;
  /** When the link was switched off or deleted; null while it accepts payments. */
  closedAtMs: number | null;
  /** Earlier periods when the link was switched off, oldest first. */
  pauses: readonly Pause[];
  isDeleted: boolean;
  paymentCount: number;
  unverifiedCount: number;
  createdAtMs: number;
  updatedAtMs: number;
}

export const leastAmount = ({ amount, minAmount }: Pick<PayLink, 'amount' | 'minAmount'>): bigint =>
  minAmount ?? amount;

/**
 * The least plain transfer that pays the link. No transfer pays a link with a price, because only the checkout fixes
 * the amount: a transfer is recorded as a partial payment, for the merchant to decide.
 */
export const leastTransfer = (link: Pick<PayLink, 'amount' | 'minAmount' | 'conversion'>): bigint =>
  link.conversion === null ? leastAmount(link) : maxTokenAmount + 1n;

export const isUsedUp = ({ paymentCount, maxPayments }: Pick<PayLink, 'paymentCount' | 'maxPayments'>) =>
  maxPayments !== null && paymentCount >= maxPayments;

/** Whether a payment at this time is after the link's expiry. */
export function hasExpired({ expiresAtMs }: Pick<PayLink, 'expiresAtMs'>, atMs: number): boolean {
  return expiresAtMs !== null && atMs > expiresAtMs;
}

// The maximum number of stored pauses. The oldest ones are dropped, and payments during them count.
const maxPauses = 100;

/**
 * The link in the wanted state. Returns the same object when it has that state already, because `closedAtMs` must not
 * change.
 */
export function switchedLink(link: PayLink, isActive: boolean, nowMs: number): PayLink {
  if (link.isActive === isActive) return link;
  const { pauses, closedAtMs } = link;
  return {
    ...link,
    isActive,
    closedAtMs: isActive ? null : nowMs,
    pauses:
      isActive && closedAtMs !== null ? [...pauses, [closedAtMs, nowMs] as const].slice(-maxPauses) : pauses,
    updatedAtMs: nowMs,
  };
}

/**
 * @param blockTimeMs is added to `atMs`: a block's timestamp is its start, and it includes transactions until the next
 * block
 */
export function wasClosed(
  { closedAtMs, pauses }: Pick<PayLink, 'closedAtMs' | 'pauses'>,
  atMs: number,
  blockTimeMs: number,
): boolean {
  if (closedAtMs !== null && atMs > closedAtMs) return true;
  return pauses.some(([fromMs, untilMs]) => atMs > fromMs && atMs + blockTimeMs + 999 < untilMs);
}

/** Whether the link is shown to payers. */
export function isOffered(link: PayLink, nowMs: number): boolean {
  return link.closedAtMs === null && !hasExpired(link, nowMs) && !isUsedUp(link);
}

type Given = Partial<CreatePayLinkRequest>;

/** A request for a link with its network and token, from the request or from the merchant's settings. */
export type PlacedPayLink = CreatePayLinkRequest & Required<Pick<CreatePayLinkRequest, 'network' | 'token'>>;

/** The chains that links may use. */
export interface ChainsOfLinks {
  find(name: string): Chain | undefined;
  /** Undefined for chains without a node, where payments cannot be verified. */
  readerOf(id: string): object | undefined;
}

interface ValidationContext {
  chains: ChainsOfLinks;
  environment: Environment;
  nowMs: number;
}

/** Validates what the declaration cannot express: fields that depend on the network or on each other. */
export function validatePayLink(given: Given, context: ValidationContext): FieldError[] {
  return [...validatePlace(given, context), ...validateAmounts(given), ...validateOthers(given, context)];
}

function validatePlace(given: Given, { chains }: ValidationContext): FieldError[] {
  if (given.network === undefined) return [];
  const chain = chains.find(given.network);
  if (!chain)
    return [{ field: 'network', message: 'is not a supported chain; GET /api/v1/pay/chains lists them' }];
  const token = given.token === undefined ? undefined : findToken(chain, given.token);
  const errors: FieldError[] = (['amount', 'minAmount'] as const).flatMap((field) => {
    const amount = given[field];
    const message = token && isAmountText(amount) ? amountError(chain, token, BigInt(amount)) : undefined;
    return message === undefined ? [] : [{ field, message }];
  });
  if (given.token !== undefined && !token)
    errors.push({
      field: 'token',
      message: `is not a known token on ${chain.name}; GET /api/v1/pay/chains lists the tokens`,
    });
  if (given.receiveAddress !== undefined) {
    const read = receiverAddress(chain, given.receiveAddress);
    if (!read.ok) errors.push({ field: 'receiveAddress', message: read.reason });
  }
  // Without a node, the paid amount of an open link would stay unknown.
  if (given.openAmount === true && !chains.readerOf(chain.id))
    errors.push({
      field: 'openAmount',
      message: `is not possible on ${chain.name}, where no node is configured`,
    });
  return errors;
}

function validateAmounts({ amount, price, openAmount = false, minAmount }: Given): FieldError[] {
  const isFixed = amount !== undefined && amount !== '0';
  if (price !== undefined) return validatePrice({ ...(isFixed && { amount }), price, openAmount, minAmount });
  if (openAmount)
    return isFixed ? [{ field: 'amount', message: 'must be 0 or left out where the payer chooses' }] : [];
  return [
    ...(isFixed ? [] : [{ field: 'amount', message: 'must be greater than 0, unless openAmount is true' }]),
    ...(minAmount === undefined
      ? []
      : [{ field: 'minAmount', message: 'applies only when openAmount is true; leave it out' }]),
  ];
}

function validatePrice(given: Record<string, unknown>): FieldError[] {
  const errors = priceErrors(given, 'amount').map(([field, message]) => ({ field, message }));
  const unfit = ['openAmount', 'minAmount'].filter((field) => Reflect.get(given, field));
  const message = 'does not apply to a PayLink with a price; leave it out';
  return [...errors, ...unfit.map((field) => ({ field, message }))];
}

function validateOthers(given: Given, { environment, nowMs }: ValidationContext): FieldError[] {
  const addresses = (['imageUrl', 'successUrl', 'cancelUrl'] as const).flatMap((field) => {
    const address = given[field];
    const message = address === undefined ? undefined : webAddressError(address, environment);
    return message === undefined ? [] : [{ field, message }];
  });
  const { expiresAt } = given;
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs
    ? [...addresses, { field: 'expiresAt', message: 'must be in the future' }]
    : addresses;
}

interface NewLink {
  id: string;
  wallet: string;
  nowMs: number;
  chains: ChainsOfLinks;
  /** The conversion of the price; undefined without one. */
  converted: { amount: bigint; conversion: Conversion } | undefined;
}

/** Creates a link from a validated request. */
export function newPayLink(
  request: PlacedPayLink,
  { id, wallet, nowMs, chains, converted }: NewLink,
): PayLink {
  const chain = chains.find(request.network)!;
  const token = findToken(chain, request.token)!;
  const receiver = canonicalAddress(chain, request.receiveAddress);
  if (!receiver.ok) throw new Error(`an address of ${chain.id} was not validated`);
  const isOpen = request.openAmount === true;
  return {
    id,
    wallet,
    name: request.name,
    description: request.description,
    amount: isOpen ? 0n : (converted?.amount ?? BigInt(request.amount!)),
    conversion: converted?.conversion ?? null,
    minAmount: isOpen ? BigInt(request.minAmount ?? '1') : null,
    chain: chain.id,
    token: token.symbol,
    tokenAddress: token.address,
    decimals: token.decimals,
    receiveAddress: receiver.address,
    imageUrl: request.imageUrl ?? null,
    successUrl: request.successUrl ?? null,
    cancelUrl: request.cancelUrl ?? null,
    metadata: request.metadata ?? null,
    expiresAtMs: request.expiresAt === undefined ? null : Date.parse(request.expiresAt),
    maxPayments: request.maxPayments ?? null,
    isActive: true,
    closedAtMs: null,
    pauses: [],
    isDeleted: false,
    paymentCount: 0,
    unverifiedCount: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}
