import { StrictFields } from '../document/strict-fields';
import { readRuntimeEvents, type RuntimeEvent } from '../verify/event-log';
import { maxQuoteBytes } from '../verify/quote-v4';
import { AttestationUnavailable } from './attester';

/** The vendor name that identifies the simulator of this project. */
export const simulatorVendor = 'simulator';

export interface AgentQuote {
  quote: Buffer;
  eventLog: RuntimeEvent[];
}

export interface AgentInfo {
  appId: string;
  composeHash: string;
  isSimulator: boolean;
}

const fields = new StrictFields('document_malformed');
const maxEventLogLength = 1024 * 1024;

type Client = InstanceType<(typeof import('@phala/dstack-sdk'))['DstackClient']>;

/** Client of the dstack guest agent. Replies are bounded in size and time, and validated. */
export class DstackAgent {
  private client: Promise<Client> | undefined;

  constructor(
    private readonly endpoint: string | undefined,
    private readonly timeoutMs: number,
  ) {}

  quote(reportData: Buffer): Promise<AgentQuote> {
    return this.ask('a quote', async (client) => {
      const { quote, event_log: log } = await client.getQuote(reportData);
      const hex = fields.hex(quote, 'quote', { most: maxQuoteBytes });
      return { quote: Buffer.from(hex, 'hex'), eventLog: runtimeEvents(log) };
    });
  }

  info(): Promise<AgentInfo> {
    return this.ask('information', async (client) => {
      const { app_id: appId, compose_hash: composeHash, cloud_vendor: vendor } = await client.info();
      return {
        appId: fields.hex(appId, 'app_id', { most: 64 }),
        composeHash: fields.hex(composeHash, 'compose_hash', { exactly: 32 }),
        isSimulator: vendor === simulatorVendor,
      };
    });
  }

  /** Derives a 32-byte key of this application. The same path always returns the same key. */
  key(path: string, purpose: string): Promise<Buffer> {
    return this.ask('a key', async (client) => {
      const { key } = await client.getKey(path, purpose, 'ed25519');
      if (key.length !== 32) throw new RangeError('a key of another length');
      return Buffer.from(key);
    });
  }

  private async ask<T>(what: string, question: (client: Client) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('it did not answer in time')), this.timeoutMs);
    });
    try {
      this.client ??= this.connect();
      return await Promise.race([this.client.then(question), tooLate]);
    } catch {
      // The client chooses its socket in its constructor. Recreate the client, since the agent may start later.
      this.client = undefined;
      // Omit the cause: its message could contain data of a false agent, even keys.
      throw new AttestationUnavailable(
        'agent_unavailable',
        `the dstack agent did not answer the request for ${what}`,
        1_000,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  private async connect(): Promise<Client> {
    const { DstackClient } = await import('@phala/dstack-sdk');
    return new DstackClient(this.endpoint);
  }
}

/** Returns the events of RTMR3 only. Other registers are pinned by their values, and their event logs are long. */
function runtimeEvents(log: unknown): RuntimeEvent[] {
  const all: unknown = JSON.parse(fields.text(log, 'event_log', maxEventLogLength));
  if (!Array.isArray(all)) return fields.reject('event_log', 'is not an array');
  const ours = all.filter((event: Partial<RuntimeEvent> | null) => event?.imr === 3);
  return readRuntimeEvents(ours.map(withoutPreimage), fields);
}

/** Documents omit the preimage, because the other fields determine it. */
function withoutPreimage(event: object): object {
  const { preimage: _, ...rest } = event as { preimage?: unknown };
  return rest;
}
