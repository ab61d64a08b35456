const keyOf = (text: string): string => `whsec_${Buffer.from(text).toString('base64')}`;

/** Signing secrets for the webhook URL in the settings of this sandbox. They are public. */
export const hookSecrets = {
  reloadly: 'sandbox-reloadly-webhook-secret',
  agentmail: keyOf('sandbox-agentmail-webhooks'),
  resend: keyOf('sandbox-resend-webhooks-01'),
  lithic: keyOf('sandbox-lithic-webhooks-01'),
  /** Part of the webhook URL, because this provider does not sign webhooks. */
  smsActivate: 'sandbox-numbers-webhook-token',
} as const;
