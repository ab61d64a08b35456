const keyOf = (text: string): string => `whsec_${Buffer.from(text).toString('base64')}`;

/** What the simulators sign under to the address that this world was started with. Known to everybody. */
export const hookSecrets = {
  reloadly: 'sandbox-reloadly-webhook-secret',
  agentmail: keyOf('sandbox-agentmail-webhooks'),
  resend: keyOf('sandbox-resend-webhooks-01'),
  lithic: keyOf('sandbox-lithic-webhooks-01'),
  /** Stands in the address: this provider signs nothing. */
  smsActivate: 'sandbox-numbers-webhook-token',
} as const;
