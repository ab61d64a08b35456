/** The configuration of the app, read by setting name. */
export type ProviderConfig = Readonly<Record<string, unknown>>;

/** Whether this deployment has configured a provider. */
export interface Availability {
  isAvailable(provider: string): boolean;
}

/** The settings of each provider. A provider is configured when all settings of one of its lists are set. */
export const providers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  reloadly: [['RELOADLY_CLIENT_ID', 'RELOADLY_CLIENT_SECRET']],
  mailtm: [['MAILTM_URL']],
  agentmail: [['AGENTMAIL_API_KEY']],
  resend: [['RESEND_API_KEY']],
  sms: [['SMS_NUMBERS_URL', 'SMS_NUMBERS_KEY']],
  twilio: [['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN']],
  cards: [['SERVICE_API_CARD_ISSUER']],
  chains: [['CHAINS_FILE']],
};

export class ConfiguredProviders implements Availability {
  constructor(private readonly config: ProviderConfig) {}

  isAvailable(provider: string): boolean {
    const alternatives = Object.hasOwn(providers, provider) ? providers[provider]! : [];
    return alternatives.some((names) => names.every((name) => this.isSet(name)));
  }

  private isSet(name: string): boolean {
    const value = this.config[name];
    // A setting that chooses a provider is `none` when no provider is chosen.
    return value !== undefined && value !== null && value !== '' && value !== 'none';
  }
}
