import { isAmountText, parseUnits } from '@tollbridge/money';
import { getAddress, isAddress } from 'ethers';
import type { Market, Markets, MarketToken } from '../markets/market';
import { LifiRejection, lifiCodes } from './lifi-rejection';

export interface LifiRequest {
  from: Market;
  to: Market;
  fromToken: MarketToken;
  toToken: MarketToken;
  amountAtomic: bigint;
  /** Null for a quote without a transaction. */
  fromAddress: string | null;
  toAddress: string | null;
  slippageWad: bigint;
  integrator: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** LI.FI's chain keys by chain id. */
const chainKeys: Readonly<Record<number, string>> = {
  1: 'eth',
  10: 'opt',
  56: 'bsc',
  100: 'dai',
  137: 'pol',
  143: 'mon',
  8453: 'bas',
  42161: 'arb',
  43114: 'ava',
  80094: 'ber',
  534352: 'scl',
};
const automaticSlippage = '0.005';
const wadDecimals = 18;
const wholeSlippage = 10n ** 18n;

export const keyOf = (chainId: number): string => chainKeys[chainId] ?? String(chainId);

/** @throws LifiRejection with the first missing or invalid parameter */
export function readQuoteRequest(fields: Fields, markets: Markets): LifiRequest {
  const request = readTrade(fields, markets);
  if (request.fromAddress === null) throw missing('fromAddress');
  return request;
}

/** Reads the request of `POST /advanced/routes`, which has other field names and needs no user address. */
export function readRoutesRequest(fields: Fields, markets: Markets): LifiRequest {
  const { fromChainId, toChainId, fromTokenAddress, toTokenAddress } = fields;
  const { slippage, integrator } = (fields['options'] ?? {}) as Fields;
  const named = { fromChain: fromChainId, toChain: toChainId, slippage, integrator };
  const tokens = { fromToken: fromTokenAddress, toToken: toTokenAddress };
  return readTrade({ ...fields, ...named, ...tokens }, markets);
}

function readTrade(fields: Fields, markets: Markets): LifiRequest {
  const [from, to] = [marketOf(fields, 'fromChain', markets), marketOf(fields, 'toChain', markets)];
  return {
    from,
    to,
    fromToken: tokenOf(fields, 'fromToken', from),
    toToken: tokenOf(fields, 'toToken', to),
    amountAtomic: amountOf(fields, 'fromAmount'),
    fromAddress: addressOf(fields, 'fromAddress'),
    toAddress: addressOf(fields, 'toAddress'),
    slippageWad: slippageOf(fields['slippage']),
    integrator: String(fields['integrator'] ?? 'lifi-api'),
  };
}

const invalid = (message: string): LifiRejection => new LifiRejection(400, lifiCodes.validation, message);
const missing = (name: string): LifiRejection => invalid(`must have required property '${name}'`);

export function marketOf(fields: Fields, name: string, markets: Markets): Market {
  const value = fields[name];
  if (value === undefined || value === '') throw missing(name);
  const wanted = String(value).toLowerCase();
  const isWanted = ({ chainId }: Market) => [String(chainId), keyOf(chainId)].includes(wanted);
  const market = [...markets.values()].find(isWanted);
  if (!market) throw invalid(`/${name} must be a supported chain`);
  return market;
}

/** Finds a token by address or symbol. */
export function tokenOf(fields: Fields, name: string, market: Market): MarketToken {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw missing(name);
  const token = isAddress(value) ? market.find(value) : market.bySymbol(value);
  if (!token) throw invalid(`/${name} must be a known token of chain ${market.chainId}`);
  return token;
}

function amountOf(fields: Fields, name: string): bigint {
  const value = fields[name];
  if (value === undefined) throw missing(name);
  if (typeof value !== 'string' || !isAmountText(value) || value === '0')
    throw invalid(`/${name} must be a positive integer`);
  return BigInt(value);
}

function addressOf(fields: Fields, name: string): string | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  if (!isAddress(value)) throw invalid(`/${name} must have the form of an address`);
  return getAddress(value);
}

function slippageOf(value: unknown): bigint {
  const text = value === undefined || value === null ? automaticSlippage : String(value);
  const wad = /^\d(\.\d{1,18})?$/.test(text) ? parseUnits(text, wadDecimals) : wholeSlippage;
  if (wad >= wholeSlippage) throw invalid('/slippage must be a number from 0 to 1');
  return wad;
}
