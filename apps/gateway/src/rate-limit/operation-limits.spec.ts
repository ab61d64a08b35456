import { keyPrincipal, type Operation } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readProxies } from '../client-address/client-address';
import { samplesApi } from '../testing/sample.api';
import { OperationLimits } from './operation-limits';
import type { Rate } from './rate';
import { RateLimiter } from './rate-limiter';
import type { Taken } from './shared-counts';

const sample = samplesApi.operations.readSample as Operation;
const limited: Operation = { ...sample, callsPerMinute: 20 };
const reply = { header: () => reply } as unknown as FastifyReply;
let takes: [bucket: string, rate: Rate][];
let isAllowed: boolean;

beforeEach(() => {
  takes = [];
  isAllowed = true;
});

async function count(operation: Operation, principal = 'public'): Promise<string> {
  const counts = {
    take: async (bucket: string, rate: Rate): Promise<Taken> => {
      takes.push([bucket, rate]);
      return { isAllowed, remaining: 3, waitMs: 2_000, untilFullMs: 4_000 };
    },
  };
  const request = { raw: { headers: {}, socket: { remoteAddress: '192.0.2.7' } }, call: { principal } };
  const limits = new OperationLimits(new RateLimiter(counts), readProxies('')!);
  try {
    await limits.count(operation, request as unknown as FastifyRequest, reply);
    return 'counted';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('OperationLimits', () => {
  it('counts calls of a limited operation by address, and rejects calls over the limit', async () => {
    expect(await count(limited)).toBe('counted');
    isAllowed = false;
    expect(await count(limited)).toBe('RATE_LIMIT_EXCEEDED');
    const own = [`address:192.0.2.7:${sample.subject}`, { perMinute: 20, burst: 20 }];
    expect(takes).toEqual([own, own]);
  });

  it('counts neither operations without a limit nor calls with a key', async () => {
    isAllowed = false;
    expect(await count(sample)).toBe('counted');
    expect(await count(limited, keyPrincipal('1', 'owner'))).toBe('counted');
    expect(takes).toEqual([]);
  });
});
