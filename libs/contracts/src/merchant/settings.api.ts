import { AnyObject, anyObject, feature, Flag, merchantAuth, operation } from '@tollbridge/rpc';

const example = {
  storeName: 'Corner Café',
  webhookUrl: 'https://shop.example/webhooks',
  defaultToken: 'USDC',
  defaultChain: 'base',
};

export class SettingsQuery {}

export class PutSettingsRequest {
  @AnyObject({
    description: [
      'The whole object, of any fields. These have a meaning:',
      '`webhookUrl`: where messages are posted, an address that can be posted to; absent, null or empty for none.',
      '`storeName`: shown to payers beside your address.',
      '`defaultChain`, `defaultToken`: for payment requests and PayLinks that name none; checked when they are used.',
      '`receiveAddresses`: who is paid, by chain family (`evm`, `ton`, `solana`, ...) or chain, where a payment request does not say',
    ].join(' '),
    maxBytes: 64 * 1024,
    maxDepth: 20,
    example,
  })
  settings: Record<string, unknown>;
}

export class SettingsDeleted {
  @Flag({ description: 'Always true: nothing is stored any more', example: true })
  ok: boolean;
}

const settings = anyObject('What you stored; `{}` when you stored nothing', example);
// The settings say where messages are posted and on which addresses the merchant is paid: `write` does not reach them.
const changes = merchantAuth('settings');

/** What a merchant stores as a whole, for the dashboard and for tools of his own. */
export const settingsApi = feature('merchant', 'settings', 'Merchant settings', {
  getSettings: operation({
    method: 'GET',
    path: '/api/settings',
    summary: 'Your settings',
    input: SettingsQuery,
    output: settings,
    errors: [],
    auth: merchantAuth('read'),
  }),
  putSettings: operation({
    operationId: 'replaceSettings',
    method: 'PUT',
    path: '/api/settings',
    summary: 'Replace your settings as a whole',
    description:
      'At most 64 KiB as JSON, and 20 levels deep. Of two at once, one is stored whole. Answers what is stored. A PUT that leaves out a `webhookUrl` that was stored removes it, and the reply says so in `warnings` (`[{code, field, message}]`; `_warnings` where you store a field of that name). Warnings are not stored, also when you send them back.',
    input: PutSettingsRequest,
    output: settings,
    body: 'settings',
    errors: [],
    auth: changes,
  }),
  deleteSettings: operation({
    method: 'DELETE',
    path: '/api/settings/all',
    summary: 'Delete your settings',
    input: SettingsQuery,
    output: SettingsDeleted,
    errors: [],
    auth: changes,
  }),
});
