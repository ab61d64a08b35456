import { BusConnection } from '@tollbridge/rpc';
import type { NatsError, Msg } from 'nats';

/** Reads every call, reply and event with all rights, as an attacker with the operator's password can. */
export class Wiretap {
  /** Subject, headers and body of each message. */
  readonly texts: string[] = [];

  private constructor(
    private readonly calls: BusConnection,
    private readonly events: BusConnection,
  ) {}

  static async on(natsUrl: string): Promise<Wiretap> {
    const calls = await BusConnection.open({ app: 'operator', url: natsUrl });
    const tap = new Wiretap(calls, await calls.openEvents());
    for (const { nats } of [tap.calls, tap.events]) {
      nats.subscribe('>', { callback: (error, message) => tap.record(error, message) });
      await nats.flush();
    }
    return tap;
  }

  async close(): Promise<void> {
    await this.events.close();
    await this.calls.close();
  }

  private record(error: NatsError | null, { subject, headers, data }: Msg): void {
    if (error) throw error;
    const lines = [...(headers ?? [])].map(([name, values]) => `${name}: ${values.join()}`);
    this.texts.push([subject, ...lines, Buffer.from(data).toString('latin1')].join('\n'));
  }
}
