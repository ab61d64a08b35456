import { CommandError } from '../exit-codes';

/** A payment offer in a 402 reply. */
export interface Offer {
  scheme: string;
  network: string;
  asset: string;
  amount: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: Record<string, unknown>;
}

/** Payment requirements of a 402 (x402, version 2). */
export interface Demand {
  x402Version: number;
  error?: string;
  resource?: { url: string; description?: string; mimeType?: string };
  accepts: Offer[];
  extensions?: Record<string, unknown>;
}

const largestHeader = 64 * 1024;

/** Decodes the JSON of a base64 header; undefined when the header is invalid. */
export function decodeHeader(text: string | null): unknown {
  if (!text || text.length > largestHeader || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** Reads the demand of a 402 reply from its header, or from the body for older sellers. @throws CommandError */
export function readDemand(header: string | null, body: string): Demand {
  const demand = (decodeHeader(header) ?? parse(body)) as Demand | undefined;
  if (!demand || !Array.isArray(demand.accepts))
    throw new CommandError('The 402 contains no x402 payment offer.', 1, 'It may use another protocol.');
  if (demand.x402Version !== 2)
    throw new CommandError(
      `The seller uses version ${String(demand.x402Version)} of x402; this program uses 2.`,
    );
  return { ...demand, accepts: demand.accepts.filter(isOffer) };
}

function isOffer(value: unknown): value is Offer {
  const { scheme, network, asset, amount, payTo } = (value ?? {}) as Partial<Offer>;
  const texts = [scheme, network, asset, amount, payTo];
  return texts.every((each) => typeof each === 'string') && /^(0|[1-9]\d{0,77})$/.test(amount!);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
