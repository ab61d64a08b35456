import { ConfigurationError } from '@tollbridge/config';
import type { Context } from '@opentelemetry/api';
import type { tracing } from '@opentelemetry/sdk-node';

type Sampler = tracing.Sampler;
type SamplingResult = tracing.SamplingResult;

/** Ratio for each value of `OTEL_TRACES_SAMPLER`. */
const shares = {
  always_on: () => 1,
  always_off: () => 0,
  traceidratio: (ratio: number) => ratio,
  parentbased_always_on: () => 1,
  parentbased_always_off: () => 0,
  parentbased_traceidratio: (ratio: number) => ratio,
} as const satisfies Record<string, (ratio: number) => number>;

/** Rule for the traces to record. */
export interface Sampling {
  /** Share of the traces. The decision depends on the trace id, so that all apps make the same decision. */
  ratio: number;
  /** Whether every span of a sampled parent is recorded. */
  followsParent: boolean;
}

/** @throws ConfigurationError for an unknown sampler or an invalid ratio */
export function samplingOf(env: NodeJS.ProcessEnv): Sampling {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  const share = Object.hasOwn(shares, name) ? shares[name as keyof typeof shares] : undefined;
  if (!share)
    throw new ConfigurationError([`OTEL_TRACES_SAMPLER must be one of ${Object.keys(shares).join(', ')}`]);
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] || '1');
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigurationError(['OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1']);
  return { ratio: share(ratio), followsParent: name.startsWith('parentbased_') };
}

interface SamplerParts {
  byTraceId: Sampler;
  isSampled(context: Context): boolean;
  /** `RECORD_AND_SAMPLED` of the SDK. The SDK is loaded only when tracing is on. */
  recorded: SamplingResult['decision'];
}

/**
 * Samples by trace id, and records every span of a sampled parent. An unsampled parent has no effect, because workers
 * and the gateway start traces with a context that no sampler has seen. The same trace id leads to the same decision.
 */
export class TraceSampler implements Sampler {
  constructor(
    private readonly sampling: Sampling,
    private readonly parts: SamplerParts,
  ) {}

  shouldSample(...given: Parameters<Sampler['shouldSample']>): SamplingResult {
    const { byTraceId, isSampled, recorded } = this.parts;
    if (this.sampling.followsParent && isSampled(given[0])) return { decision: recorded };
    return byTraceId.shouldSample(...given);
  }

  toString(): string {
    const { ratio, followsParent } = this.sampling;
    return `TraceSampler{${ratio},${followsParent ? 'parent' : 'own'}}`;
  }
}
