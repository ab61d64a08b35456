import { feature, internalFeature, internalOperation, operation } from '@tollbridge/rpc';
import { Text, Timestamp, Unsigned } from '../decorators';

export class ReadClockRequest {}

export class AdvanceClockRequest {
  static readonly example = { by: '10s' };
  @Text('How far: a whole number with `s`, `m`, `h` or `d`, at most 366 days', {
    example: '40m',
    pattern: /^[1-9][0-9]{0,7}[smhd]$/,
    patternMessage: 'must be a whole number with s, m, h or d, such as 40m',
  })
  by: string;
}

export class SandboxClockReply {
  @Timestamp('The time of the sandbox', { example: '2026-11-20T12:40:00.000Z' }) now: string;
  @Unsigned('How far it is ahead of the real time, milliseconds', { example: 2_400_000 })
  ahead_ms: number;
}

/** Subject of messages without data when the clock was advanced. Each app then reads the clock again. */
export const clockAdvancedSubject = 'op.sandbox.clock-advanced';

export class ClockAheadReply {
  @Unsigned('How far the sandbox is ahead of the real time, milliseconds', { example: 2_400_000 })
  ahead_ms: number;
}

/** Clock operation for the apps of a sandbox. */
export const clockAheadApi = internalFeature('sandbox', 'clock-ahead', {
  clockAhead: internalOperation({
    summary: 'How far the sandbox is ahead of the real time',
    input: ReadClockRequest,
    output: ClockAheadReply,
    isRead: true,
  }),
});

/** Operations on the sandbox clock. */
export const sandboxClockApi = feature('sandbox', 'clock', 'Sandbox', {
  readClock: operation('GET /sandbox/clock', {
    operationId: 'getSandboxClock',
    summary: 'Read the time of the sandbox',
    description: 'Exists in the sandbox environment only.',
    input: ReadClockRequest,
    output: SandboxClockReply,
    auth: 'public',
    isSandboxOnly: true,
  }),
  advanceClock: operation('POST /sandbox/clock', {
    operationId: 'advanceSandboxClock',
    summary: 'Advance the time of the sandbox',
    description:
      'Orders and quotes expire, retries and provider polls become due, and all local chains get blocks up to the new time. The time goes forward only: `npm start -- --fresh` begins again. Nano-payments and the signatures of webhooks keep the real time. What a wallet or an x402 client signs with its own time is too old then. Exists in the sandbox environment only.',
    input: AdvanceClockRequest,
    output: SandboxClockReply,
    auth: 'public',
    isSandboxOnly: true,
  }),
});
