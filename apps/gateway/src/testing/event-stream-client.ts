import { eventually } from '@tollbridge/testing';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

export interface ReceivedEvent {
  id?: string;
  event: string;
  data: any;
}

/** A client of server-sent events that records the received text. */
export class EventStreamClient {
  text = '';
  isClosed = false;

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => (this.text += chunk));
    response.on('close', () => (this.isClosed = true));
    response.on('error', () => undefined);
  }

  /** Resolves after the head of the reply, for any status. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<EventStreamClient> {
    const asked = request(url, { headers, agent: false }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return new EventStreamClient(response);
  }

  get status(): number {
    return this.response.statusCode!;
  }

  /** The messages so far, without comments and `retry`. */
  get events(): ReceivedEvent[] {
    return this.text
      .split('\n\n')
      .filter((block) => block.includes('data: '))
      .map((block) => {
        const fields = new Map(
          block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
        );
        const id = fields.get('id');
        return {
          ...(id !== undefined && { id }),
          event: fields.get('event')!,
          data: JSON.parse(fields.get('data')!) as unknown,
        };
      });
  }

  /** The `id` and `status` of each state so far. */
  get states(): [string | undefined, string][] {
    return this.events
      .filter(({ event }) => event !== 'end')
      .map(({ id, data }) => [id, (data as { status: string }).status]);
  }

  async body(): Promise<any> {
    await eventually(() => {
      if (!this.isClosed) throw new Error('the reply has not ended');
    });
    return JSON.parse(this.text) as unknown;
  }

  close(): void {
    this.response.destroy();
  }
}
