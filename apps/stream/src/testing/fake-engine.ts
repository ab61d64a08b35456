import { snapshotsApi, transactionEvents, type TransactionUpdate } from '@tollbridge/contracts';
import { developmentIdentity, eventHeaders, failureHeaders, subjectOf } from '@tollbridge/rpc';
import { anEventEnvelope } from '@tollbridge/rpc/testing';
import { connect, type Msg, type NatsConnection } from 'nats';
import { randomUUID } from 'node:crypto';

// Created once, because deriving its keys takes longer than signing a thousand events.
const signing = { identity: developmentIdentity('tx-engine'), receivers: ['stream'] };

/** A fake tx-engine that records snapshot requests and publishes updates. */
export class FakeEngine {
  readonly states = new Map<string, TransactionUpdate>();
  readonly asked: string[] = [];
  /** Replaces the reply from `states`. */
  respond: ((transactionId: string, answer: () => void, message: Msg) => void) | undefined;

  private constructor(readonly nats: NatsConnection) {}

  static async start(natsUrl: string): Promise<FakeEngine> {
    const { host, username, password } = new URL(natsUrl);
    const nats = await connect({
      servers: host,
      ...(username && { user: username, pass: password }),
      maxReconnectAttempts: -1,
      reconnectTimeWait: 20,
    });
    const engine = new FakeEngine(nats);
    nats.subscribe(snapshotsApi.operations.snapshot.subject, {
      callback: (_error, message) => engine.answer(message),
    });
    await nats.flush();
    return engine;
  }

  /** Adds a transaction set that can be read. */
  create(): string {
    const transactionId = randomUUID();
    this.states.set(transactionId, updateOf(transactionId, 1));
    return transactionId;
  }

  /** Changes the state and publishes the update. */
  update(transactionId: string, version: number, more: Partial<TransactionUpdate> = {}): void {
    const update = updateOf(transactionId, version, more);
    this.states.set(transactionId, update);
    this.publish(transactionId, update);
  }

  /** @param isForged publishes with the bus credential of tx-engine, but without its identity */
  publish(transactionId: string, update: unknown, isForged = false): void {
    const envelope = anEventEnvelope({
      type: 'transaction-updated',
      aggregateId: transactionId,
      data: update,
    });
    const subject = subjectOf(transactionEvents['transaction-updated'], transactionId);
    if (isForged) this.nats.publish(subject, JSON.stringify(envelope));
    else this.publishText(subject, JSON.stringify(envelope));
  }

  /** Publishes a text with a signature like tx-engine. */
  publishText(subject: string, text: string): void {
    const data = Buffer.from(text);
    this.nats.publish(subject, data, { headers: eventHeaders({ subject, data }, { signing })! });
  }

  async stop(): Promise<void> {
    await this.nats.close();
  }

  private answer(message: Msg): void {
    const { transactionId } = message.json<{ transactionId: string }>();
    this.asked.push(transactionId);
    const state = this.states.get(transactionId);
    const answer = (): void => {
      if (state) message.respond(JSON.stringify(state));
      else
        message.respond(JSON.stringify({ code: 'NOT_FOUND', message: 'Not found.' }), {
          headers: failureHeaders('NOT_FOUND'),
        });
    };
    if (this.respond) this.respond(transactionId, answer, message);
    else answer();
  }
}

export function updateOf(
  transactionId: string,
  version: number,
  more: Partial<TransactionUpdate> = {},
): TransactionUpdate {
  return {
    transactionId,
    status: 'confirming',
    step: 'originSwap',
    txHash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    confirmations: 1,
    requiredConfirmations: 3,
    timestamp: 1_795_176_000,
    version,
    ...more,
  };
}
