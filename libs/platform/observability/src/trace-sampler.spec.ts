import { ConfigurationError } from '@tollbridge/config';
import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { tracing } from '@opentelemetry/sdk-node';
import { samplingOf, TraceSampler } from './trace-sampler';

const { RECORD_AND_SAMPLED } = tracing.SamplingDecision;

/** Whether a span of this trace is recorded. */
function isRecorded(env: Record<string, string>, traceId: string, hasSampledParent: boolean): boolean {
  const sampling = samplingOf(env);
  const sampler = new TraceSampler(sampling, {
    byTraceId: new tracing.TraceIdRatioBasedSampler(sampling.ratio),
    isSampled: () => hasSampledParent,
    recorded: RECORD_AND_SAMPLED,
  });
  const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, 'span', SpanKind.SERVER, {}, []);
  return decision === RECORD_AND_SAMPLED;
}

const [low, high] = ['00000001'.repeat(4), 'f0000001f0000000f0000000f0000000'];
const ratio = (sampler: string) => ({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.5' });

describe('TraceSampler', () => {
  it.each([
    ['without a setting', {}, [true, true]],
    ['always_on', { OTEL_TRACES_SAMPLER: 'always_on' }, [true, true]],
    ['always_off', { OTEL_TRACES_SAMPLER: 'always_off' }, [false, false]],
    ['parentbased_always_off', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, [true, false]],
  ] as const)('%s with %j records spans of a sampled and an unsampled parent: %j', (_name, env, expected) => {
    expect([true, false].map((parent) => isRecorded(env, low, parent))).toEqual(expected);
  });

  it('decides by the trace id alone, so that all apps make the same decision', () => {
    for (const sampler of ['traceidratio', 'parentbased_traceidratio']) {
      const share = Array.from({ length: 200 }, (_each, at) =>
        isRecorded(ratio(sampler), (at * 21_474_836).toString(16).padStart(8, '0').repeat(4), false),
      );
      expect(new Set(share)).toEqual(new Set([true, false]));
      expect(isRecorded(ratio(sampler), low, false)).toBe(isRecorded(ratio(sampler), low, false));
    }
  });

  it('records every span of a sampled parent, unless the sampler uses only the ratio', () => {
    const dropped = [low, high].find((id) => !isRecorded(ratio('traceidratio'), id, false)) ?? high;
    const none = { ...ratio('parentbased_traceidratio'), OTEL_TRACES_SAMPLER_ARG: '0' };
    expect(isRecorded(none, dropped, true)).toBe(true);
    expect(isRecorded({ ...none, OTEL_TRACES_SAMPLER: 'traceidratio' }, dropped, true)).toBe(false);
  });

  it('includes its ratio in its description', () => {
    const sampler = new TraceSampler({ ratio: 0.5, followsParent: true }, {} as never);
    expect(sampler.toString()).toBe('TraceSampler{0.5,parent}');
  });
});

describe('samplingOf', () => {
  it.each([
    [{ OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER must be one of always_on,'],
    [{ OTEL_TRACES_SAMPLER: 'toString' }, 'OTEL_TRACES_SAMPLER must be one of'],
    [ratioOf('2'), 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'],
    [ratioOf('-0.1'), 'OTEL_TRACES_SAMPLER_ARG'],
    [ratioOf('half'), 'OTEL_TRACES_SAMPLER_ARG'],
  ])('rejects %j with the name of the setting', (env, message) => {
    expect(() => samplingOf(env)).toThrow(ConfigurationError);
    expect(() => samplingOf(env)).toThrow(message);
  });
});

function ratioOf(arg: string): Record<string, string> {
  return { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: arg };
}
