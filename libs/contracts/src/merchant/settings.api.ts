import {
  anyObject,
  feature,
  internalFeature,
  internalOperation,
  merchantAuth,
  operation,
} from '@tollbridge/rpc';
import { AnyObject, Flag, Text } from '../decorators';

const example = {
  storeName: 'Corner Café',
  webhookUrl: 'https://shop.example/webhooks',
  defaultToken: 'USDC',
  defaultChain: 'base',
};

export class SettingsQuery {}

export class PutSettingsRequest {
  @AnyObject(
    [
      'The whole settings object with any fields. These fields have a meaning:',
      '`webhookUrl`: public address that receives webhooks; absent, null or empty disables them, and one that cannot be used is stored with a warning.',
      '`storeName`: shown to payers beside the receiving address.',
      '`storeColor`: colour of the buttons of checkout and PayLink pages, such as `#1d4fc4`.',
      '`storeLogo`: image beside the name, as a `data:` URL with base64 of a PNG, JPEG or WebP of at most 32 KiB and 1,024 pixels a side.',
      '`embedOrigins`: at most 10 origins, such as `https://shop.example`, of pages that may show them in a frame.',
      '`defaultChain`, `defaultToken`: defaults for payment requests and PayLinks; checked when used.',
      '`priceSpreadBps`: what payers pay above a price in a currency, 0 to 1,000 basis points.',
      '`defaultCurrency`: ISO 4217 code of the currency of statistics and lists.',
      '`receiveAddresses`: at most 64, the receiving address by chain family (`evm`, `ton`, `solana`, ...) or chain, for payment requests that give none',
    ].join(' '),
    { maxBytes: 64 * 1024, maxDepth: 20, example },
  )
  settings: Record<string, unknown>;
}

export class SettingsDeleted {
  @Flag('Always true: the settings are deleted') ok: boolean;
}

const settings = anyObject('The stored settings; `{}` before the first PUT', example);
// The settings include the webhook and receiving addresses, so the `write` permission cannot change them.
const changes = merchantAuth('settings');

/** Settings that a merchant stores as one object, for the dashboard and the merchant's own tools. */
export const settingsApi = feature('merchant', 'settings', 'Merchant settings', {
  getSettings: operation('GET /api/settings', {
    summary: 'Read your settings',
    input: SettingsQuery,
    output: settings,
    auth: merchantAuth('read'),
  }),
  putSettings: operation('PUT /api/settings', {
    operationId: 'replaceSettings',
    summary: 'Replace your settings',
    description:
      'At most 64 KiB of JSON and 20 levels. Of two concurrent requests, one is stored as a whole. Returns the stored settings. No sample field is enforced: a `webhookUrl` that cannot be used is stored, and no webhooks are sent. A PUT without a previously stored `webhookUrl` removes it. The reply says both in `warnings` (`[{code, field, message}]`; `_warnings` when the settings contain a field named `warnings`). Warnings are never stored, even when a client sends them back.',
    input: PutSettingsRequest,
    output: settings,
    body: 'settings',
    auth: changes,
  }),
  deleteSettings: operation('DELETE /api/settings/all', {
    summary: 'Delete your settings',
    input: SettingsQuery,
    output: SettingsDeleted,
    auth: changes,
  }),
});

export class StoreLogoLookup {
  @Text('Hash of the content, the last part of the path of the logo', {
    pattern: /^[0-9a-f]{32}$/,
    patternMessage: 'must be the hash of a logo',
    example: '5f70bf18a086007016e948b04aed3b82',
  })
  hash: string;
}

export class StoreLogoReply {
  @Text('Media type of the image', { example: 'image/png' }) type: string;
  @Text('The image in base64', { maxLength: 64 * 1024, example: 'iVBORw0KGgo=' }) content: string;
}

/** Operations for the pages of the gateway. */
export const internalStorefrontsApi = internalFeature('merchant', 'storefronts', {
  readStoreLogo: internalOperation({
    summary: 'Read the logo of a shop',
    input: StoreLogoLookup,
    output: StoreLogoReply,
    errors: ['NOT_FOUND'],
  }),
});
