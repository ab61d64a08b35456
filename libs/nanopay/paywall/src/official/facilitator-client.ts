import { isObject } from '@tollbridge/nanopay-protocol';
import type {
  OfficialKind,
  OfficialNetwork,
  OfficialPayload,
  OfficialRequirements,
} from '../x402/official-types';

export interface FacilitatorOptions {
  /** Base URL of `/verify`, `/settle` and `/supported`. By default the gateway. */
  url?: string;
  /** Headers of every request, such as `Authorization`. */
  headers?: Readonly<Record<string, string>>;
  verifyTimeoutMs?: number;
  /** Time limit for all attempts to settle one payment in one request. */
  settleTimeoutMs?: number;
  /**
   * Whether a repeated settlement returns the outcome of the first one. True for the gateway. If false, a failure after
   * a lost answer proves nothing, and the outcome stays unknown.
   */
  keepsOutcomes?: boolean;
}

export type Verification =
  | { status: 'valid'; payer: string | undefined; extra: Record<string, unknown> | undefined }
  | { status: 'invalid'; reason: string; message: string | undefined }
  /** The facilitator could not verify the payment. Nothing was charged. */
  | { status: 'unavailable'; error: unknown };

export interface Settled {
  status: 'settled';
  transaction: string;
  payer: string | undefined;
  amount: string | undefined;
  extra: Record<string, unknown> | undefined;
}

export type Settlement =
  | Settled
  | { status: 'failed'; reason: string; message: string | undefined; transaction: string }
  /** The transaction was sent, but its success is not confirmed. */
  | { status: 'pending'; transaction: string }
  /** The answer is missing or malformed, so the payment may have been charged. */
  | { status: 'lost'; error: unknown };

const maxReplyBytes = 64 * 1024;
const maxTextChars = 200;
const codeForm = /^[A-Za-z0-9_.:-]{1,100}$/;
const amountForm = /^(0|[1-9][0-9]{0,77})$/;
const supportedTimeoutMs = 3_000;

/** Client for the HTTP API of an x402 facilitator. Answers are bounded and validated. Only `supported` rejects. */
export class FacilitatorClient {
  private readonly url: string;

  constructor(
    url: string,
    private readonly options: FacilitatorOptions,
  ) {
    this.url = url.replace(/\/+$/, '');
  }

  async verify(payload: OfficialPayload, requirements: OfficialRequirements): Promise<Verification> {
    try {
      const timeoutMs = this.options.verifyTimeoutMs ?? 10_000;
      const { status, json } = await this.call('verify', timeoutMs, bodyOf(payload, requirements));
      if (
        !isObject(json) ||
        typeof json.isValid !== 'boolean' ||
        status >= 500 ||
        (json.isValid && status >= 400)
      )
        throw new TypeError(`The facilitator answered ${status} without a verification.`);
      if (json.invalidReason === 'unexpected_verify_error')
        throw new Error('The facilitator failed to verify.');
      if (json.isValid) return { status: 'valid', payer: textOf(json.payer), extra: objectOf(json.extra) };
      return { status: 'invalid', reason: codeOf(json.invalidReason), message: textOf(json.invalidMessage) };
    } catch (error) {
      return { status: 'unavailable', error };
    }
  }

  /** @param key the same for every attempt of one sale, so that another sale of the same payment cannot succeed */
  async settle(
    payload: OfficialPayload,
    requirements: OfficialRequirements,
    key: string,
    timeoutMs: number,
  ): Promise<Settlement> {
    try {
      const body = bodyOf(payload, requirements);
      const { status, json } = await this.call('settle', timeoutMs, body, { 'Idempotency-Key': key });
      return settlementIn(status, json, requirements);
    } catch (error) {
      return { status: 'lost', error };
    }
  }

  /** @throws Error if the facilitator does not answer */
  async supported(): Promise<OfficialKind[]> {
    const { status, json } = await this.call('supported', supportedTimeoutMs);
    if (status !== 200 || !isObject(json) || !Array.isArray(json.kinds))
      throw new TypeError(`The facilitator answered ${status} without its supported kinds.`);
    return json.kinds.filter(isKind);
  }

  private async call(
    operation: string,
    timeoutMs: number,
    body?: string,
    more: Record<string, string> = {},
  ): Promise<{ status: number; json: unknown }> {
    const response = await fetch(`${this.url}/${operation}`, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...this.options.headers,
        ...more,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await readBounded(response);
    return { status: response.status, json: JSON.parse(text) };
  }
}

const bodyOf = (paymentPayload: OfficialPayload, paymentRequirements: OfficialRequirements): string =>
  JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements });

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    byteLength += chunk.length;
    if (byteLength > maxReplyBytes) throw new RangeError('The answer of the facilitator is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function settlementIn(status: number, json: unknown, requirements: OfficialRequirements): Settlement {
  const isReadable = isObject(json) && typeof json.success === 'boolean' && status < 500;
  if (!isReadable || (json.success && status >= 400))
    throw new TypeError(`The facilitator answered ${status} without a settlement.`);
  const transaction = typeof json.transaction === 'string' ? json.transaction.slice(0, maxTextChars) : '';
  if (json.success) return settledIn(json, transaction, requirements);
  const reason = codeOf(json.errorReason);
  if (reason === 'unexpected_settle_error') throw new Error('The facilitator failed to settle.');
  if (reason === 'settlement_pending') return { status: 'pending', transaction };
  return { status: 'failed', reason, message: textOf(json.errorMessage), transaction };
}

function settledIn(
  json: Record<string, unknown>,
  transaction: string,
  requirements: OfficialRequirements,
): Settled {
  const { network, amount, extra } = json;
  if (network !== requirements.network) throw new TypeError('The settlement is on another network.');
  if (transaction === '' && requirements.amount !== '0')
    throw new TypeError('The settlement has no transaction.');
  const isAmount = typeof amount === 'string' && amountForm.test(amount);
  return {
    status: 'settled',
    transaction,
    payer: textOf(json.payer),
    amount: isAmount ? amount : undefined,
    extra: objectOf(extra),
  };
}

function isKind(kind: unknown): kind is OfficialKind {
  return (
    isObject(kind) && kind.x402Version === 2 && isNetwork(kind.network) && typeof kind.scheme === 'string'
  );
}

const isNetwork = (value: unknown): value is OfficialNetwork =>
  typeof value === 'string' && value.includes(':');

/**
 * Returns only the code of a reason, because reasons reach buyers in headers. The official packages append text to some
 * reasons.
 */
function codeOf(value: unknown): string {
  const [code = ''] = typeof value === 'string' ? value.split(': ', 1) : [];
  return codeForm.test(code) ? code : 'payment_rejected';
}

const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  isObject(value) ? value : undefined;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, maxTextChars) : undefined;
