/** The configuration of the app, read by name: families are configured apart from each other. */
export type ProviderConfig = Readonly<Record<string, unknown>>;

/** Says of a provider whether this deployment has it. */
export interface Availability {
  isAvailable(provider: string): boolean;
}

/**
 * What must be set for a provider to be asked: all settings of one of the lists. The one place where the catalog knows
 * the names of settings.
 */
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
    const ways = Object.hasOwn(providers, provider) ? providers[provider]! : [];
    return ways.some((names) => names.every((name) => this.isSet(name)));
  }

  private isSet(name: string): boolean {
    const value = this.config[name];
    // Settings that choose a provider say `none` for none.
    return value !== undefined && value !== null && value !== '' && value !== 'none';
  }
}
