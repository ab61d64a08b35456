import { createHash } from 'node:crypto';
import type { Clock } from '@tollbridge/database';
import { Decimal, decimalNumber } from '@tollbridge/money';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Outage } from '../simulators/outage';
import { observeOutage } from '../simulators/provider-outage';
import type { ServiceSimulator } from '../simulators/service-simulator';
import type { RateTable } from './rate-table';
import { seedRates } from './seed-rates';

/** The App ID that the simulator accepts. */
export const openExchangeRatesAppId = '5a11d0c5a11d0c5a11d0c5a11d0c5a11';

const terms = 'https://openexchangerates.org';
const hourMs = 60 * 60_000;
const significantDigits = 9;
const quotientDigits = 18;

interface LatestQuery {
  app_id?: string;
  base?: string;
  symbols?: string;
}
type LatestRequest = FastifyRequest<{ Querystring: LatestQuery }>;

/** Simulates the API of Open Exchange Rates 0.7, with a plan that publishes every hour. */
export class OpenExchangeRatesSimulator implements ServiceSimulator {
  readonly prefix = '/openexchangerates';
  readonly outage = new Outage();

  constructor(
    private readonly rates: RateTable,
    private readonly clock: Clock,
  ) {}

  register(routes: FastifyInstance): void {
    observeOutage(routes, this.outage);
    routes.get<{ Querystring: LatestQuery }>('/api/latest.json', (request, reply) =>
      this.sendLatest(request, reply),
    );
    // The list needs no App ID.
    routes.get('/api/currencies.json', () =>
      Object.fromEntries(Object.entries(seedRates).map(([code, { name }]) => [code, name])),
    );
    routes.setNotFoundHandler((_request, reply) => reject(reply, rejections.notFound));
  }

  private sendLatest(request: LatestRequest, reply: FastifyReply): FastifyReply {
    const { base = 'USD', symbols } = request.query;
    const given = appIdOf(request);
    if (!given) return reject(reply, rejections.missingAppId);
    if (given !== openExchangeRatesAppId) return reject(reply, rejections.invalidAppId);
    const perUsd = this.rates.perUsd('openexchangerates');
    const perBase = perUsd.get(base);
    if (perBase === undefined) return reject(reply, rejections.invalidBase);
    const wanted = symbols?.split(',');
    const publishedAtMs = this.publishedAtMs();
    const body = JSON.stringify({
      disclaimer: `Usage subject to terms: ${terms}/terms`,
      license: `${terms}/license`,
      timestamp: Math.floor(publishedAtMs / 1_000),
      base,
      rates: Object.fromEntries(
        [...perUsd]
          .filter(([code]) => wanted?.includes(code) ?? true)
          .map(([code, rate]) => [code, decimalNumber(base === 'USD' ? rate : relative(rate, perBase))]),
      ),
    });
    return sendUnlessKnown(request, reply.type('application/json; charset=utf-8'), { body, publishedAtMs });
  }

  /** The last full hour, or a later change by a test or a user. */
  private publishedAtMs(): number {
    const frozenAtMs = this.rates.frozenAt('openexchangerates')?.getTime();
    const hourStartMs = Math.floor(this.clock.now() / hourMs) * hourMs;
    return frozenAtMs ?? Math.max(hourStartMs, this.rates.changedAtMs('openexchangerates'));
  }
}

/** A parameter precedes the header `Authorization: Token APP_ID`. */
function appIdOf({ query, headers }: LatestRequest): string | undefined {
  return query.app_id ?? /^Token (\S+)$/.exec(headers.authorization ?? '')?.[1];
}

const relative = (rate: string, perBase: string): string =>
  Decimal.of(rate).dividedDown(Decimal.of(perBase), quotientDigits).significantDown(significantDigits).text;

/**
 * Sends 304 if the client has this version. It sends the `ETag` and the `Date` of its copy in `If-None-Match` and
 * `If-Modified-Since`, both of them.
 */
function sendUnlessKnown(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { body, publishedAtMs }: { body: string; publishedAtMs: number },
): FastifyReply {
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  const date = new Date(publishedAtMs).toUTCString();
  const isKnown =
    headers['if-none-match'] === etag && Date.parse(headers['if-modified-since'] ?? '') >= Date.parse(date);
  void reply.headers({ etag, date });
  return isKnown ? reply.code(304).send() : reply.send(body);
}

interface Rejection {
  status: number;
  message: string;
  description: string;
}

// Source: https://docs.openexchangerates.org/reference/errors
const contact = `please sign up at ${terms}/signup, or contact support@openexchangerates.org.`;
const rejections = {
  notFound: { status: 404, message: 'not_found', description: 'The requested route does not exist.' },
  missingAppId: {
    status: 401,
    message: 'missing_app_id',
    description: `No App ID provided - ${contact}`,
  },
  invalidAppId: {
    status: 401,
    message: 'invalid_app_id',
    description: `Invalid App ID provided - ${contact}`,
  },
  invalidBase: {
    status: 400,
    message: 'invalid_base',
    description: 'The requested base currency is not supported.',
  },
} satisfies Record<string, Rejection>;

const reject = (reply: FastifyReply, { status, message, description }: Rejection): FastifyReply =>
  reply.code(status).send({ error: true, status, message, description });
