/** A span of a call or an event, from the tracing of the process. */
export interface CallSpan {
  /** What is sent on: the context of this span. */
  readonly traceparent: string;
  /** Set when the trace is recorded. */
  readonly sampledTraceId: string | undefined;
  /** Runs work; its statements become children of this span. */
  run<T>(work: () => T): T;
  /** @param error name or code of the failure */
  end(attributes?: Record<string, string>, error?: string): void;
}
