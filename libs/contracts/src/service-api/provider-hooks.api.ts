import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { Flag, Secret, Text, TextMap } from '../decorators';

/** Maximum size of a provider webhook. Real webhooks have a few kilobytes. */
export const hookLimitBytes = 64 * 1024;

/** Headers that can contain a provider's signature. The gateway forwards no other header. */
export const hookHeaders = [
  'svix-id',
  'svix-timestamp',
  'svix-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-reloadly-signature',
  'x-reloadly-request-timestamp',
  'x-twilio-signature',
] as const;
export type HookHeader = (typeof hookHeaders)[number];

/** A longer header cannot be a signature, and is dropped. */
export const maxHookHeaderLength = 512;

/** Form of provider names in webhook URLs. */
export const hookProviderForm = /^[a-z][a-z0-9-]{0,31}$/;
/** Form of the secret in the webhook URL, for providers that do not sign webhooks. */
export const hookTokenForm = /^[\w-]{1,128}$/;

export class ProviderHook {
  @Text('Provider named in the URL', { pattern: hookProviderForm, example: 'reloadly' }) provider: string;
  @Secret('Raw body, base64', { minLength: 0, maxLength: Math.ceil(hookLimitBytes / 3) * 4, example: 'e30=' })
  body: string;
  @TextMap('Headers that can carry the signature', {
    example: { 'svix-id': 'msg_1', 'svix-timestamp': '1795348800', 'svix-signature': 'v1,…' },
    optional: true,
    maxEntries: hookHeaders.length,
    maxLength: maxHookHeaderLength,
  })
  headers?: Record<string, string>;
  @Secret('Rest of the URL, after the provider', {
    optional: true,
    pattern: hookTokenForm,
    example: 'a1b2c3',
  })
  token?: string;
}

export class ProviderHookTaken {
  @Flag('Whether the webhook is genuine. Its content is then read from the provider') received: boolean;
}

/**
 * Provider webhooks that the gateway forwards. A webhook is only a hint: the service trusts only data that it reads
 * from the provider.
 */
export const providerHooksApi = internalFeature('service-api', 'provider-hooks', {
  receiveHook: internalOperation({
    summary: 'Verify the sender of a webhook, and poll the purchase it concerns immediately',
    input: ProviderHook,
    output: ProviderHookTaken,
    errors: ['UNAUTHORIZED', 'NOT_FOUND'],
  }),
});
