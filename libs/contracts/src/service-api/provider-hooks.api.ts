import { Flag, internalFeature, internalOperation, Text, TextMap } from '@tollbridge/rpc';

/** The most that a webhook of a provider holds; theirs have a few kilobytes. */
export const hookLimitBytes = 64 * 1024;

/** The headers that signatures of providers stand in; no other one travels on. */
export const hookHeaders = [
  ...(['svix-id', 'svix-timestamp', 'svix-signature'] as const),
  ...(['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const),
  ...(['x-reloadly-signature', 'x-reloadly-request-timestamp', 'x-twilio-signature'] as const),
] as const;
export type HookHeader = (typeof hookHeaders)[number];

/** Longer ones are no signature, and are left behind. */
export const maxHookHeaderLength = 512;

/** The names of providers in addresses. */
export const hookProviderForm = /^[a-z][a-z0-9-]{0,31}$/;
/** What stands in the address of a webhook whose provider signs nothing. */
export const hookTokenForm = /^[\w-]{1,128}$/;

export class ProviderHook {
  @Text({ description: 'Who is said to have sent it', pattern: hookProviderForm, example: 'reloadly' })
  provider: string;
  @Text({
    description: 'The body as it came, in base64',
    minLength: 0,
    maxLength: Math.ceil(hookLimitBytes / 3) * 4,
    example: 'e30=',
  })
  body: string;
  @TextMap({
    description: 'Those headers that signatures stand in',
    example: { 'svix-id': 'msg_1', 'svix-timestamp': '1795348800', 'svix-signature': 'v1,…' },
    optional: true,
    maxEntries: hookHeaders.length,
    maxLength: maxHookHeaderLength,
  })
  headers?: Record<string, string>;
  @Text({
    description: 'What stood in the address behind the provider',
    optional: true,
    pattern: hookTokenForm,
    example: 'a1b2c3',
  })
  token?: string;
}

export class ProviderHookTaken {
  @Flag({ description: 'That it is genuine; what it is about is asked for at its provider', example: true })
  received: boolean;
}

/**
 * Webhooks of providers, as the gateway passes them on. They are hints: whatever one says, only what its provider answers
 * when it is asked is believed.
 */
export const providerHooksApi = internalFeature('service-api', 'provider-hooks', {
  receiveHook: internalOperation({
    summary: 'Check who sent a webhook, and look at once at what it is about',
    input: ProviderHook,
    output: ProviderHookTaken,
    errors: ['UNAUTHORIZED', 'NOT_FOUND'],
  }),
});
