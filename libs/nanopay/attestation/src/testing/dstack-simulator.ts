import { isSignature, publicKeyOf, signingKey } from '@tollbridge/nanopay-protocol';
import { createHash, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { simulatorVendor } from '../attesters/dstack-agent';
import { replayEvents, type RuntimeEvent } from '../verify/event-log';
import { event } from './attested-harness';
import { makeQuote } from './quote-bytes';

export interface DstackSimulatorOptions {
  /** Path of a unix socket. By default the simulator listens on a free TCP port. */
  socketPath?: string;
  /** Seed of all derived keys. Random by default. */
  seed?: Uint8Array;
  /** The compose file. Its hash is measured. */
  appCompose?: string;
  /** Whether the reply to `Info` identifies a simulator. The official simulator does not identify itself. */
  saysWhatItIs?: boolean;
}

/** The agent answers, never replies, replies with an error, or replies with other data. */
export type AgentBehaviour = 'answers' | 'silent' | 'rejects' | 'babbles';

export interface DstackSimulator {
  /** Endpoint for `DSTACK_SIMULATOR_ENDPOINT` or for the client. */
  readonly endpoint: string;
  readonly appId: string;
  readonly composeHash: string;
  behaviour: AgentBehaviour;
  /** The number of quotes so far. */
  quotes(): number;
  close(): Promise<void>;
}

const maxBodyBytes = 64 * 1024;
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
// Readable text, so that the values cannot be mistaken for measurements of an image.
const register = (name: string): string => Buffer.from(`simulator ${name}`).toString('hex').padEnd(96, '0');

/**
 * Simulator of the dstack guest agent and its protocol. It cannot pass for hardware: temporary keys sign its quotes,
 * which contain no certificate and come from a debug machine.
 */
export async function startDstackSimulator(options: DstackSimulatorOptions = {}): Promise<DstackSimulator> {
  const agent = new SimulatedAgent(options);
  const server = createServer((request, response) => void agent.serve(request, response));
  const where: ListenOptions = options.socketPath
    ? { path: options.socketPath }
    : { host: '127.0.0.1', port: 0 };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, resolve);
  });
  const endpoint = options.socketPath ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    appId: agent.appId,
    composeHash: agent.composeHash,
    get behaviour() {
      return agent.behaviour;
    },
    set behaviour(behaviour) {
      agent.behaviour = behaviour;
    },
    quotes: () => agent.quotes,
    close: () => closed(server),
  };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

type Fields = Record<string, unknown>;

class SimulatedAgent {
  readonly composeHash: string;
  readonly appId: string;
  behaviour: AgentBehaviour = 'answers';
  quotes = 0;
  private readonly seed: Uint8Array;
  private readonly appCompose: string;
  private readonly events: RuntimeEvent[];
  private readonly keys = {
    attestationKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    platformKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  };

  constructor(private readonly options: DstackSimulatorOptions) {
    this.seed = options.seed ?? randomBytes(32);
    this.appCompose = options.appCompose ?? '{"name":"simulated"}';
    this.composeHash = sha256(this.appCompose).toString('hex');
    this.appId = this.composeHash.slice(0, 40);
    this.events = [
      event('system-preparing', ''),
      event('app-id', this.appId),
      event('compose-hash', this.composeHash),
      event('instance-id', '00'.repeat(20)),
      event('boot-mr-done', ''),
      event('key-provider', Buffer.from(keyProvider).toString('hex')),
      event('system-ready', ''),
    ];
  }

  private readonly answers: Record<string, (body: Fields) => object> = {
    '/Version': () => ({ version: '0.5.8', rev: simulatorVendor }),
    '/Info': () => this.info(),
    '/GetQuote': (body) => this.quote(body),
    '/GetKey': (body) => this.key(body),
    '/Sign': (body) => this.sign(body),
    '/Verify': (body) => this.verify(body),
    '/EmitEvent': (body) => this.emit(body),
  };

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.behaviour === 'silent') return;
    if (this.behaviour === 'babbles') return void response.end('<html>');
    try {
      if (this.behaviour === 'rejects') throw new RangeError('out of order');
      const answer = this.answers[request.url ?? ''];
      if (request.method !== 'POST' || !answer) return send(response, 404, { error: 'no such method' });
      send(response, 200, answer(JSON.parse(await bodyOf(request)) as Fields));
    } catch (error) {
      send(response, 400, { error: (error as Error).message });
    }
  }

  private quote({ report_data: asked }: Fields): object {
    const given = hexBytes(asked);
    if (given.length > 64) throw new RangeError('Report data is too long');
    const reportData = Buffer.concat([given], 64);
    this.quotes += 1;
    const quote = makeQuote(
      {
        ...this.measurements(),
        reportData,
        // Only the debug bit is set.
        tdAttributes: Buffer.from('0100000000000000', 'hex'),
        tcbSvn: Buffer.alloc(16),
      },
      { ...this.keys, certificates: 'a simulator has no certificates', qeReport: Buffer.alloc(384) },
    );
    return {
      quote: quote.toString('hex'),
      event_log: JSON.stringify(this.events),
      report_data: reportData.toString('hex'),
      vm_config: '{}',
    };
  }

  private measurements() {
    const [mrtd, rtmr0, rtmr1, rtmr2] = ['mrtd', 'rtmr0', 'rtmr1', 'rtmr2'].map(register);
    const rtmr3 = replayEvents(this.events).toString('hex');
    return { mrtd: mrtd!, rtmr0: rtmr0!, rtmr1: rtmr1!, rtmr2: rtmr2!, rtmr3 };
  }

  private info(): object {
    const tcb_info = {
      ...this.measurements(),
      mr_aggregated: '',
      os_image_hash: '',
      compose_hash: this.composeHash,
      device_id: '',
      event_log: this.events,
      app_compose: this.appCompose,
    };
    return {
      app_id: this.appId,
      instance_id: '00'.repeat(20),
      app_cert: '',
      app_name: 'simulated',
      tcb_info: JSON.stringify(tcb_info),
      device_id: '',
      mr_aggregated: '',
      os_image_hash: '',
      key_provider_info: keyProvider,
      compose_hash: this.composeHash,
      vm_config: '{}',
      cloud_vendor: this.options.saysWhatItIs === false ? '' : simulatorVendor,
      cloud_product: '',
    };
  }

  private key({ path, algorithm }: Fields): object {
    if (!['ed25519', 'secp256k1', 'k256', ''].includes(String(algorithm ?? '')))
      throw new RangeError('Unsupported algorithm');
    // No certificate covers the keys of the simulator, and these signatures are invalid.
    const none = '00'.repeat(65);
    return { key: this.derived(String(path ?? '')).toString('hex'), signature_chain: [none, none] };
  }

  private sign({ algorithm, data }: Fields): object {
    if (algorithm !== 'ed25519') throw new RangeError('Unsupported algorithm');
    const key = signingKey(this.derived('vms'));
    const signature = key.sign(hexBytes(data)).toString('hex');
    const none = '00'.repeat(65);
    return { signature, signature_chain: [signature, none, none], public_key: key.publicKey.toString('hex') };
  }

  private verify({ algorithm, data, signature, public_key: key }: Fields): object {
    if (algorithm !== 'ed25519') throw new RangeError('Unsupported algorithm');
    return { valid: isSignature(hexBytes(data), hexBytes(signature), publicKeyOf(hexBytes(key))) };
  }

  private emit({ event: name, payload }: Fields): object {
    if (this.events.length >= 200) throw new RangeError('too many events');
    this.events.push(event(String(name), hexBytes(payload).toString('hex')));
    return {};
  }

  private derived(path: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.seed, 'dstack-simulator', path, 32));
  }
}

const keyProvider = '{"name":"simulator","id":""}';

function hexBytes(value: unknown): Buffer {
  if (typeof value !== 'string' || !/^(?:[0-9a-f]{2})*$/i.test(value)) throw new RangeError('not hex');
  return Buffer.from(value, 'hex');
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) throw new RangeError('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  // On a unix socket, the client reads by content length and does not support chunked encoding.
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  response.end(text);
}
