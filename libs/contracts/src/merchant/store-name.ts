import { Text } from '@tollbridge/rpc';

/** Name of a shop, as payers see it. */
export const StoreName = () =>
  Text({
    description:
      "Name of the shop: `storeName` of the merchant's settings, one line of at most 64 characters; null without one. It is not verified",
    nullable: true,
    maxLength: 128,
    example: 'Corner Café',
  });
