/** A span of a call or an event, from the tracing of the process. */
export interface CallSpan {
  /** Trace context to pass on, with this span as the parent. */
  readonly traceparent: string;
  /** Trace id, if the trace is recorded. */
  readonly sampledTraceId: string | undefined;
  /** Runs work inside the span; its statements become children of this span. */
  run<T>(work: () => T): T;
  /** @param error name or code of the failure */
  end(attributes?: Record<string, string>, error?: string): void;
}
