import type { Headers } from './answers';

/** Response headers that a browser may read. */
export const exposedHeaders: string[] = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'EXTENSION-RESPONSES',
  'WWW-Authenticate',
  'Payment-Receipt',
  'Retry-After',
];

/**
 * Request headers that a browser may send. The last one is a response header that the official client also sends with
 * requests.
 */
export const allowedHeaders: string[] = [
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

/** Options for the CORS middleware of Express and Fastify, and for `enableCors` of NestJS. */
export interface CorsOptions {
  origin: string;
  methods: string[];
  maxAge: number;
  exposedHeaders: string[];
  allowedHeaders: string[];
}

export const corsOptionsFor = (origin: string): CorsOptions => ({
  origin,
  methods,
  maxAge: maxAgeS,
  exposedHeaders,
  allowedHeaders,
});
