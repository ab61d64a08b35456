import type { Clock } from '@tollbridge/database';
import { randomBytes, randomUUID } from 'node:crypto';
import { HookSender } from './hook-sender';
import type { HookHeaders, SignedHook } from './hook-signatures';

/** Destination of a provider's webhooks. */
export interface HookEndpoint {
  id: string;
  url: string;
  secret: string;
  /** Event types to send; all types without a list. */
  events: readonly string[] | null;
  createdAtMs: number;
}

export interface ProviderHooksOptions {
  clock: Clock;
  sign(secret: string, hook: SignedHook): HookHeaders;
  /** The webhook URL in the settings of this sandbox. */
  configured?: { url: string; secret: string } | undefined;
}

// Enough for tests. It limits the memory.
const maxEndpoints = 20;
const idForm = /^[\w-]{1,64}$/;

/** Webhooks of a provider that signs the body, with their registrations. They are not persistent. */
export class ProviderHooks {
  readonly sender: HookSender;
  private readonly endpoints = new Map<string, HookEndpoint>();

  constructor(private readonly options: ProviderHooksOptions) {
    this.sender = new HookSender({ clock: options.clock });
  }

  /** Returns undefined above the limit, and the existing registration when `id` is known. */
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

  /** Sends an event to all its subscribers. @param atMs not before this time */
  send(event: string, content: object, atMs?: number): void {
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

/** Whether this sandbox accepts the webhook URL. */
export const isHookUrl = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 2_048 && /^https?:\/\//.test(value) && URL.canParse(value);
