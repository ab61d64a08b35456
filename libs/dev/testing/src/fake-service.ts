import { connect, headers as natsHeaders, type Msg } from 'nats';

export interface FakeServiceCall {
  subject: string;
  input: Record<string, unknown>;
}

/** Reply: an output, an error in the format of the bus, or no reply. */
export type FakeServiceAnswer =
  | { output: object }
  | { failure: { code: string; message: string; details?: unknown } }
  | 'silence';

/** A fake service of a test: records every call, and replies as configured. Independent of libs/platform/rpc. */
export interface FakeService {
  /** Sorted by arrival. */
  readonly calls: FakeServiceCall[];
  /** A test can change it at any time. */
  answer: (call: FakeServiceCall) => FakeServiceAnswer | Promise<FakeServiceAnswer>;
  close(): Promise<void>;
}

/** @param subjects such as `op.merchant.budgets.*` */
export async function startFakeService(
  natsUrl: string,
  subjects: string,
  answer: FakeService['answer'],
): Promise<FakeService> {
  const connection = await connect({ servers: natsUrl, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
  const service: FakeService = { calls: [], answer, close: () => connection.close() };
  const respond = async (message: Msg): Promise<void> => {
    const call = { subject: message.subject, input: message.json<Record<string, unknown>>() };
    service.calls.push(call);
    const given = await service.answer(call);
    if (given === 'silence') return;
    if ('output' in given) return void message.respond(JSON.stringify(given.output));
    const headers = natsHeaders();
    headers.set('tb-error', given.failure.code);
    message.respond(JSON.stringify(given.failure), { headers });
  };
  connection.subscribe(subjects, { callback: (_error, message) => void respond(message) });
  await connection.flush();
  return service;
}
