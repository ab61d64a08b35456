import { isAmountText } from '@tollbridge/money';
import {
  depositModes,
  depositTypes,
  recipientTypes,
  swapTypes,
  type AppFee,
  type QuoteRequest,
} from './wire';

type Fields = Record<string, unknown>;
type Check = (value: unknown, name: string) => string | undefined;

const isText: Check = (value, name) =>
  typeof value === 'string' && value !== ''
    ? undefined
    : `${name} ${value === '' || value === undefined ? 'should not be empty' : 'must be a string'}`;
const isBoolean: Check = (value, name) =>
  typeof value === 'boolean' ? undefined : `${name} must be a boolean value`;
const isOneOf =
  (values: readonly string[]): Check =>
  (value, name) =>
    values.includes(value as string)
      ? undefined
      : `${name} must be one of the following values: ${values.join(', ')}`;
const isBetween =
  (min: number, max: number): Check =>
  (value, name) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return `${name} must be an integer number`;
    if (value < min) return `${name} must not be less than ${min}`;
    return value > max ? `${name} must not be greater than ${max}` : undefined;
  };
const isDate: Check = (value, name) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : `${name} must be a valid ISO 8601 date string`;
const isAmount: Check = (value, name) => {
  if (typeof value !== 'string') return `${name} must be a string`;
  return isAmountText(value) && value !== '0'
    ? undefined
    : `${name} must be a positive integer in the smallest unit of the token`;
};
const isFeeList: Check = (value, name) => {
  const isFee = (fee: unknown): fee is AppFee => {
    const { recipient, fee: bps } = (fee ?? {}) as Fields;
    return isText(recipient, '') === undefined && isBetween(0, maxFeeBps)(bps, '') === undefined;
  };
  if (!Array.isArray(value) || value.length > maxFees || !value.every(isFee))
    return `${name} must be an array of {recipient, fee} with fees from 0 to ${maxFeeBps}`;
  const sum = value.reduce((total, { fee }) => total + fee, 0);
  return sum <= maxFeeBps ? undefined : `${name} must not exceed ${maxFeeBps} in sum`;
};

// Maximum fees of 10 %, because a higher value is probably in the wrong unit.
const maxFeeBps = 1_000;
const maxFees = 10;
const maxSlippageBps = 10_000;
const maxWaitingMs = 60_000;

const required: Record<string, Check> = {
  dry: isBoolean,
  swapType: isOneOf(swapTypes),
  slippageTolerance: isBetween(0, maxSlippageBps),
  originAsset: isText,
  depositType: isOneOf(depositTypes),
  destinationAsset: isText,
  amount: isAmount,
  refundTo: isText,
  refundType: isOneOf(depositTypes),
  recipient: isText,
  recipientType: isOneOf(recipientTypes),
  deadline: isDate,
};
const optional: Record<string, Check> = {
  depositMode: isOneOf(depositModes),
  referral: isText,
  quoteWaitingTimeMs: isBetween(0, maxWaitingMs),
  appFees: isFeeList,
  sessionId: isText,
  connectedWallets: (value, name) => (Array.isArray(value) ? undefined : `${name} must be an array`),
};

/** Parses the request, or returns all of its validation errors. */
export function readQuoteRequest(body: unknown): { request: QuoteRequest } | { problems: string[] } {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Fields;
  const problems: string[] = [];
  const request: Fields = {};
  for (const [name, check] of [...Object.entries(required), ...Object.entries(optional)]) {
    const value = fields[name];
    if (name in optional && (value === undefined || value === null)) continue;
    const problem = check(value, name);
    if (problem !== undefined) problems.push(problem);
    request[name] = value;
  }
  return problems.length > 0 ? { problems } : { request: request as unknown as QuoteRequest };
}
