import { Text } from '@tollbridge/rpc';

/** The name of a shop as payers see it. */
export const StoreName = () =>
  Text({
    description:
      'The name of the shop: `storeName` of the settings of the merchant, in one line of at most 64 characters; null without one. It is not verified',
    nullable: true,
    maxLength: 128,
    example: 'Corner Café',
  });
