import { isAmountText, parseUnits } from '@tollbridge/money';
import { getAddress, isAddress } from 'ethers';
import { SwapRejection } from './swap-rejection';
import { tradeTypes, type TradeType } from './wire';

export interface ApprovalRequest {
  amountAtomic: bigint;
  tradeType: TradeType;
  inputToken: string;
  outputToken: string;
  originChainId: number;
  destinationChainId: number;
  depositor: string;
  recipient: string;
  refundAddress: string | null;
  refundOnOrigin: boolean;
  slippageWad: bigint;
  skipOriginTxEstimation: boolean;
  skipChecks: boolean;
  strictTradeType: boolean;
}

type Query = Readonly<Record<string, unknown>>;

/** 0.5 %, which is the provider's default for most pairs. */
const automaticSlippage = '0.005';
const largestSlippage = 5n * 10n ** 17n;
const wadDecimals = 18;

/** @throws SwapRejection with the first missing or invalid parameter */
export function readApprovalRequest(query: Query): ApprovalRequest {
  const depositor = address(query, 'depositor');
  rejectFees(query);
  const request: ApprovalRequest = {
    amountAtomic: amount(query),
    tradeType: oneOf(query, 'tradeType', tradeTypes) ?? 'exactInput',
    inputToken: address(query, 'inputToken'),
    outputToken: address(query, 'outputToken'),
    originChainId: chainId(query, 'originChainId'),
    destinationChainId: chainId(query, 'destinationChainId'),
    depositor,
    recipient: optionalAddress(query, 'recipient') ?? depositor,
    refundAddress: optionalAddress(query, 'refundAddress'),
    refundOnOrigin: flag(query, 'refundOnOrigin', true),
    slippageWad: slippage(query),
    skipOriginTxEstimation: flag(query, 'skipOriginTxEstimation', false),
    skipChecks: flag(query, 'skipChecks', false),
    strictTradeType: flag(query, 'strictTradeType', true),
  };
  oneOf(query, 'routingPreference', ['default', 'across', 'native', 'sponsored-cctp']);
  if (query['includeSources'] !== undefined && query['excludeSources'] !== undefined)
    throw invalid('includeSources', 'Cannot use includeSources and excludeSources together');
  return request;
}

function rejectFees(query: Query): void {
  const { appFee, appFeeRecipient, integratorId } = query;
  if ((appFee === undefined) !== (appFeeRecipient === undefined))
    throw invalid('appFee, appFeeRecipient', 'appFee and appFeeRecipient must be provided together');
  if (appFee !== undefined) throw invalid('appFee', 'appFee is not available in the sandbox');
  if (integratorId !== undefined && !/^0x[0-9a-fA-F]{4}$/.test(String(integratorId)))
    throw invalid('integratorId', 'Invalid integrator ID. Needs to be 2 bytes hex string.');
}

const invalid = (param: string, message: string): SwapRejection =>
  new SwapRejection('INVALID_PARAM', message, 400, param);

const mismatch = (param: string, type: string): SwapRejection =>
  invalid(param, `Invalid parameter at path '${param}'. Expected type '${type}'`);

function text(query: Query, name: string, type: string): string {
  const value = query[name];
  if (value === undefined || value === '')
    throw new SwapRejection('MISSING_PARAM', `Missing parameter: ${name}`, 400, name);
  if (typeof value !== 'string') throw mismatch(name, type);
  return value;
}

function amount(query: Query): bigint {
  const value = text(query, 'amount', 'positiveIntStr');
  if (!isAmountText(value) || value === '0') throw mismatch('amount', 'positiveIntStr');
  return BigInt(value);
}

function chainId(query: Query, name: string): number {
  const value = text(query, name, 'positiveIntStr');
  if (!/^[1-9]\d{0,15}$/.test(value)) throw mismatch(name, 'positiveIntStr');
  return Number(value);
}

function address(query: Query, name: string): string {
  const value = text(query, name, 'validAddress');
  if (!isAddress(value)) throw mismatch(name, 'validAddress');
  return getAddress(value);
}

const optionalAddress = (query: Query, name: string): string | null =>
  query[name] === undefined ? null : address(query, name);

function flag(query: Query, name: string, otherwise: boolean): boolean {
  const value = query[name];
  if (value === undefined) return otherwise;
  if (value !== 'true' && value !== 'false') throw mismatch(name, 'boolStr');
  return value === 'true';
}

function oneOf<const T extends string>(query: Query, name: string, values: readonly T[]): T | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (!values.includes(value as T)) throw mismatch(name, `enums([${values.join(', ')}])`);
  return value as T;
}

function slippage(query: Query): bigint {
  const value = query['slippage'] ?? 'auto';
  const written = value === 'auto' ? automaticSlippage : value;
  if (typeof written !== 'string' || !/^\d{1,3}(\.\d{1,18})?$/.test(written))
    throw mismatch('slippage', 'positiveFloatStr');
  const wad = parseUnits(written.replace(/^0+(?=\d)/, ''), wadDecimals);
  if (wad > largestSlippage) throw mismatch('slippage', 'positiveFloatStr');
  return wad;
}
