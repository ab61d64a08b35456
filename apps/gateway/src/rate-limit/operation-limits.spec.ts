import { keyPrincipal, type Operation } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admit } from '../http/admission';
import { samplesApi } from '../testing/sample.api';
import { readProxies } from './client-address';
import { withOperationLimits } from './operation-limits';
import type { Rate } from './rate';
import type { Taken } from './shared-counts';

const sample = samplesApi.operations.readSample as Operation;
const limited: Operation = { ...sample, callsPerMinute: 20 };
const reply = { header: () => reply } as unknown as FastifyReply;
let takes: [bucket: string, rate: Rate][];
let isAllowed: boolean;
let inner: Admit;

beforeEach(() => {
  takes = [];
  isAllowed = true;
  inner = () => undefined;
});

async function call(operation: Operation, principal = 'public'): Promise<string> {
  const counts = {
    take: async (bucket: string, rate: Rate): Promise<Taken> => {
      takes.push([bucket, rate]);
      return { isAllowed, remaining: 3, waitMs: 2_000, untilFullMs: 4_000 } as Taken;
    },
  };
  const request = { raw: { headers: {}, socket: { remoteAddress: '192.0.2.7' } }, call: { principal } };
  const admit = withOperationLimits((...given) => inner(...given), { counts, proxies: readProxies('')! });
  try {
    await admit(operation, request as unknown as FastifyRequest, reply);
    return 'admitted';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

it('counts calls of such an operation by address, and answers those beyond with 429', async () => {
  expect(await call(limited)).toBe('admitted');
  isAllowed = false;
  expect(await call(limited)).toBe('RATE_LIMIT_EXCEEDED');
  const own = [`address:192.0.2.7:${sample.subject}`, { perMinute: 20, burst: 20 }];
  expect(takes).toEqual([own, own]);
});

it('counts no other operation, and nobody with a key', async () => {
  isAllowed = false;
  expect([await call(sample), await call(limited, keyPrincipal('1', 'owner'))]).toEqual([
    'admitted',
    'admitted',
  ]);
  expect(takes).toEqual([]);
});

it('counts nobody who is not let in anyway', async () => {
  inner = () => Promise.reject(Object.assign(new Error(), { code: 'UNAUTHORIZED' }));
  expect(await call(limited)).toBe('UNAUTHORIZED');
  inner = () => {
    throw Object.assign(new Error(), { code: 'FORBIDDEN' });
  };
  expect(await call(limited)).toBe('FORBIDDEN');
  expect(takes).toEqual([]);
});
