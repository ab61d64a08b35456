import { ListOf, Text } from '../decorators';

/** Name of a shop, displayed to payers. */
export const StoreName = () =>
  Text(
    "Name of the shop: `storeName` of the merchant's settings, one line of at most 64 characters; null without one. It is not verified",
    { nullable: true, maxLength: 128, example: 'Corner Café' },
  );

/** Colour of a shop's pages. */
export const StoreColor = () =>
  Text("Colour of the buttons: `storeColor` of the merchant's settings; null without one", {
    nullable: true,
    maxLength: 7,
    example: '#1d4fc4',
  });

/** URL of a shop's logo. */
export const StoreLogo = () =>
  Text(
    "Path of the shop's logo on this server, from `storeLogo` of the merchant's settings; null without one",
    { nullable: true, maxLength: 128, example: '/assets/logos/5f70bf18a086007016e948b04aed3b82' },
  );

/** Origins that may embed a shop's pages in a frame. */
export const EmbedOrigins = () =>
  ListOf(
    'string',
    "Origins of pages that may show this page in a frame: `embedOrigins` of the merchant's settings",
    { maxItems: 10, example: ['https://shop.example'] },
  );
