import type { Clock } from '@tollbridge/database';
import { randomBytes, randomUUID } from 'node:crypto';
import { HookSender } from './hook-sender';
import type { HookHeaders, SignedHook } from './hook-signatures';

/** Where a provider sends its webhooks. */
export interface HookEndpoint {
  id: string;
  url: string;
  secret: string;
  /** Which ones; all where there is no list. */
  events: readonly string[] | null;
  createdAtMs: number;
}

export interface ProviderHooksOptions {
  clock: Clock;
  sign(secret: string, hook: SignedHook): HookHeaders;
  /** The address that this world was started with. */
  configured?: { url: string; secret: string } | undefined;
}

// As many as a test registers, and no more than fit into memory.
const maxEndpoints = 20;
const idForm = /^[\w-]{1,64}$/;

/** The webhooks of one provider that signs its body: who wants them, and what is told. Gone after a restart. */
export class ProviderHooks {
  readonly sender: HookSender;
  private readonly endpoints = new Map<string, HookEndpoint>();

  constructor(private readonly options: ProviderHooksOptions) {
    this.sender = new HookSender({ clock: options.clock });
  }

  /** Undefined when there are too many; the one that there is when `id` is known. */
  register(
    url: string,
    events: readonly string[] | null,
    id: string = randomUUID(),
  ): HookEndpoint | undefined {
    const known = this.endpoints.get(id);
    if (known || this.endpoints.size >= maxEndpoints || !idForm.test(id)) return known;
    const endpoint = { id, url, events, secret: newSecret(), createdAtMs: this.options.clock.now() };
    this.endpoints.set(id, endpoint);
    return endpoint;
  }

  find(id: string): HookEndpoint | undefined {
    return this.endpoints.get(id);
  }

  list(): HookEndpoint[] {
    return [...this.endpoints.values()];
  }

  remove(id: string): boolean {
    return this.endpoints.delete(id);
  }

  /** Tells everybody who wants to know. @param atMs not before this time */
  tell(event: string, content: object, atMs?: number): void {
    const { configured, sign } = this.options;
    const wanted = this.list().filter(({ events }) => events === null || events.includes(event));
    const body = JSON.stringify(content);
    for (const { url, secret } of [...(configured ? [configured] : []), ...wanted]) {
      const id = `msg_${randomBytes(12).toString('hex')}`;
      const headersAt = (nowMs: number): HookHeaders => sign(secret, { id, body, nowMs });
      this.sender.send({ url, contentType: 'application/json', body, headersAt }, atMs);
    }
  }
}

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

/** What may be an address of webhooks in this world. */
export const isHookUrl = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 2_048 && /^https?:\/\//.test(value) && URL.canParse(value);
