import type { Headers } from './answers';

/** What a browser may read of an answer. */
export const exposedHeaders = ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'EXTENSION-RESPONSES', 'Retry-After'];

/** What it may send. The last one is a header of answers, which the official client sends with requests. */
export const allowedHeaders = [
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'SIGN-IN-WITH-X',
  'Idempotency-Key',
  'Content-Type',
  'Authorization',
  'Access-Control-Expose-Headers',
];

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const maxAgeS = 600;

export const corsHeadersFor = (origin: string): Headers => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
});

export const preflightHeadersFor = (origin: string): Headers => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': allowedHeaders.join(', '),
  'Access-Control-Max-Age': maxAgeS.toString(),
  'Content-Length': '0',
});

/** As the middleware for CORS of Express, Fastify and NestJS (`enableCors`) wants it. */
export const corsOptionsFor = (origin: string) => ({
  origin,
  methods,
  maxAge: maxAgeS,
  exposedHeaders,
  allowedHeaders,
});
