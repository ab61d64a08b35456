import type { CommandContext } from '../command';
import { CommandError, exitCodes } from '../exit-codes';
import { fetchFailure } from '../fetch-failure';
import { printable } from '../output';
import { networkOf, payerOf } from '../pay/sandbox-networks';
import { sandboxPayer, type SandboxPayer } from '../pay/sandbox-payer';
import { confirmSpending } from '../pay/spending';
import { isEip3009, signExact } from './exact';
import { isSvmExact, signSvmExact } from './exact-svm';
import { fundNanoWallet, sandboxSeed, signNano } from './nano';
import { decodeHeader, encodeHeader, readDemand, type Demand, type Offer } from './offers';
import type { PricedRequest } from './priced-request';

/** One request and its reply. */
export interface Step {
  request: Record<string, string>;
  status: number;
  /** Printed headers of the reply. */
  headers: Record<string, string>;
  body: string;
  ms: number;
}

export interface Exchange extends PricedRequest {
  first: Step;
  /** The payment requirements; undefined if the URL requires no payment. */
  demand?: Demand;
  chosen?: Offer;
  payment?: Record<string, unknown>;
  second?: Step;
  /** The decoded `payment-response`. */
  receipt?: unknown;
}

const timeoutMs = 60_000;
const largestBody = 1024 * 1024;
const shownHeaders = [
  'content-type',
  'payment-required',
  'payment-response',
  'purchase-token',
  'www-authenticate',
  'retry-after',
];

/** Requests a URL without a payment. @throws CommandError */
export async function askPrice(asked: PricedRequest, signal: AbortSignal): Promise<Exchange> {
  const first = await request(asked, {}, signal);
  if (first.status !== 402) return { ...asked, first };
  return { ...asked, first, demand: readDemand(first.headers['payment-required'] ?? null, first.body) };
}

/** Returns the next step for an error status without a payment demand; undefined below 400. */
export function adviceFor({ method, first: { status } }: Exchange): string | undefined {
  if (status < 400) return undefined;
  if (status === 404 || status === 405) return `Check the address, and --method: ${method} was sent.`;
  if (status === 401 || status === 403) return 'The seller wants credentials; pay and gate send none.';
  if (status === 429 || status >= 500) return 'Try again later.';
  return 'Read the reply of the seller; --method and --data change the request.';
}

/** Asks for confirmation, pays the demand of a 402, and repeats the request. @throws CommandError */
export async function payDemand(context: CommandContext, asked: Exchange): Promise<Exchange> {
  const demand = asked.demand!;
  const payer = await sandboxPayer(context.client);
  const chosen = chooseOffer(demand, context, payer);
  await confirmSpending(context, costOf(chosen, demand, payer));
  const payload = await sign(context, chosen, demand, payer);
  const { resource, extensions } = demand;
  const payment = { x402Version: 2, payload, ...(extensions && { extensions }), resource, accepted: chosen };
  const headers = { 'payment-signature': encodeHeader(payment) };
  const second = await request(asked, headers, context.terminal.signal);
  const receipt = decodeHeader(second.headers['payment-response'] ?? null);
  return { ...asked, chosen, payment, second, receipt };
}

/** Returns the first offer that this program can pay, in the order of the seller. */
function chooseOffer({ accepts }: Demand, { flag }: CommandContext, payer: SandboxPayer): Offer {
  const [scheme, network] = [flag('scheme'), flag('network')];
  const isWanted = (offer: Offer): boolean =>
    (scheme === undefined || offer.scheme === scheme) &&
    (network === undefined || offer.network === network || offer.network.startsWith(`${network}:`));
  const wanted = accepts.filter(isWanted);
  const chosen = wanted.find((offer) => isPayable(offer, payer));
  if (chosen) return chosen;
  if (wanted.length === 0 && accepts.length > 0) {
    const filters = Object.entries({ '--scheme': scheme, '--network': network })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name} ${value}`)
      .join(' and ');
    throw new CommandError(
      `None of the offers matches ${filters}.`,
      exitCodes.failed,
      `Offered: ${listed(accepts)}.`,
    );
  }
  throw new CommandError(`The sandbox cannot pay what is offered: ${listed(wanted)}.`);
}

const listed = (offers: readonly Offer[]): string =>
  printable([...new Set(offers.map(({ scheme, network }) => `${scheme} on ${network}`))].join(', ')) ||
  'nothing';

const isPayable = (offer: Offer, payer: SandboxPayer): boolean =>
  offer.scheme === 'ton-nanopay' ||
  ((isEip3009(offer) || isSvmExact(offer)) && tokenOf(offer, payer) !== undefined);

/** Returns the token of an offer on a local chain. */
function tokenOf({ network, asset }: Offer, { sandbox }: SandboxPayer) {
  const isSolana = network.startsWith('solana:');
  const local = isSolana
    ? networkOf(sandbox, network)
    : sandbox.chains.find(({ caip2 }) => caip2 === network);
  // Addresses on Solana are case-sensitive.
  const isAsset = (address: string | null): boolean =>
    isSolana ? address === asset : address?.toLowerCase() === asset.toLowerCase();
  return local?.tokens.find(({ address }) => isAsset(address));
}

const usdtDecimals = 6;

function costOf(offer: Offer, { resource }: Demand, payer: SandboxPayer) {
  const token = tokenOf(offer, payer);
  const isNano = offer.scheme === 'ton-nanopay';
  return {
    amountAtomic: BigInt(offer.amount),
    decimals: token?.decimals ?? usdtDecimals,
    symbol: token?.symbol ?? offer.asset,
    purpose: resource?.description ?? 'The resource',
    fees: isNano
      ? 'by a nano-payment, no gas'
      : `by ${offer.scheme} on ${offer.network}, the facilitator pays the gas`,
  };
}

async function sign(
  { client, terminal }: CommandContext,
  offer: Offer,
  demand: Demand,
  { privateKey, sandbox }: SandboxPayer,
): Promise<object> {
  if (isSvmExact(offer)) return signSvmExact(offer, payerOf(networkOf(sandbox, offer.network)!));
  if (offer.scheme === 'exact') return signExact(offer, privateKey);
  const seed = sandboxSeed(terminal.env);
  await fundNanoWallet(client, seed, BigInt(offer.amount), terminal.note);
  return signNano(offer, demand, seed);
}

async function request(
  { url, method, body: sent }: PricedRequest,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Step> {
  const startedMs = performance.now();
  try {
    const reply = await fetch(url, {
      method,
      headers: { ...headers, ...(sent !== undefined && { 'content-type': 'application/json' }) },
      ...(sent !== undefined && { body: sent }),
      // Redirects are not followed, because the payment is only for this URL.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const body = await readBody(reply);
    const seen = shownHeaders.flatMap((name) => {
      const value = reply.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    const ms = Math.round(performance.now() - startedMs);
    return { request: headers, status: reply.status, headers: Object.fromEntries(seen), body, ms };
  } catch (error) {
    if (signal.aborted || error instanceof CommandError) throw error;
    const isLate = (error as Error).name === 'TimeoutError';
    const why = isLate ? 'no answer in time' : fetchFailure(error);
    throw new CommandError(
      `${url}: ${why}.`,
      exitCodes.noReply,
      headers['payment-signature'] ? 'The payment may have been taken.' : undefined,
    );
  }
}

async function readBody(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > largestBody) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
