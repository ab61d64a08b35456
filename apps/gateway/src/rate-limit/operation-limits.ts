import { keyIdOf } from '@tollbridge/rpc';
import type { BlockList } from 'node:net';
import { limit, type Admit, type AdmissionParts } from '../http/admission';
import { clientAddress } from './client-address';

/** Counts what has a limit of its own, once more than what all calls of a caller are counted for. */
export function withOperationLimits(
  admit: Admit,
  { counts, proxies }: { counts: AdmissionParts['counts']; proxies: BlockList },
): Admit {
  return (operation, request, reply) => {
    const admitted = admit(operation, request, reply);
    const { callsPerMinute: perMinute, subject } = operation;
    if (perMinute === undefined) return admitted;
    return Promise.resolve(admitted).then(() => {
      // Keys have their plan.
      if (keyIdOf(request.call) !== undefined) return;
      const bucket = `address:${clientAddress(request.raw, proxies)}:${subject}`;
      return limit(counts, operation, reply, {
        policy: 'operation',
        bucket,
        rate: { perMinute, burst: perMinute },
      });
    });
  };
}
