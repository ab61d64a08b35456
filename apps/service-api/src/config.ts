import { loadConfig, rotatingSecret, type Config } from '@tollbridge/config';
import {
  databaseSettings,
  managementSettings,
  retentionDays,
  retentionSettings,
  poolingSettings,
  serviceSettings,
  streamSettings,
} from '@tollbridge/bootstrap';
import { payoutSettings } from './payouts/settings';
import { hookSettings } from './hooks/settings';
import { mailSettings } from './mail/settings';
import { giftSettings } from './gift/providers/registry';
import { smsSettings } from './sms/settings';
import { cardSettings } from './cards/settings';
import { salesSettings } from './sales/settings';

export const settings = {
  ...managementSettings,
  ...serviceSettings('SERVICE_API', { managementPort: 9104 }),
  ...databaseSettings('SERVICE_API'),
  ...poolingSettings('SERVICE_API'),
  ...streamSettings('SERVICE_API'),
  ...retentionSettings,
  RETENTION_PURCHASE_DETAILS_DAYS: retentionDays({
    description: 'how long ended purchases keep phone numbers, e-mail addresses, names and account numbers',
    default: 365,
    min: 30,
  }),
  ...payoutSettings,
  SERVICE_API_REPLY_SECRET: rotatingSecret({
    description:
      'seals stored replies that contain secrets, at least 32 random characters; replays of calls under a secret that is not given fail',
    example: 'REPLACE_ME_with_at_least_32_random_characters',
    sandboxDefault: 'a_secret_of_the_sandbox_that_everybody_knows',
    minLength: 32,
  }),
  ...mailSettings,
  ...giftSettings,
  ...smsSettings,
  ...cardSettings,
  ...hookSettings,
  ...salesSettings,
};

export type ServiceApiConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): ServiceApiConfig {
  return loadConfig(settings, env);
}
