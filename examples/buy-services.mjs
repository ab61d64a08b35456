// Buys a gift card, a phone number that receives a code, a text message and a virtual card.
import {
  buyCard,
  createClient,
  getSandbox,
  listGiftCards,
  orderGiftCard,
  rentPhoneNumberAndAwaitCode,
  sendSms,
} from '@tollbridge/sdk';

const baseUrl = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const { merchant } = await getSandbox(createClient({ baseUrl }));
const client = createClient({ baseUrl, apiKey: merchant.secret });

const [product] = (await listGiftCards(client, { country: 'US' })).filter(
  ({ productId }) => productId === 1001,
);
const gift = await orderGiftCard(client, {
  productId: product.productId,
  quantity: 1,
  unitPrice: 25,
  senderName: 'Ada',
});
console.log(`${product.productName}: ${gift.cards.length} code for ${gift.amount} ${gift.currencyCode}`);

const { number, code } = await rentPhoneNumberAndAwaitCode(client, {
  service: 'tg',
  country: 44,
  timeout: 60,
});
console.log(`${number} received ${code}`);

const message = await sendSms(client, { to: '+447400123456', body: 'Your parcel has arrived.' });
console.log(`message of ${message.segments} part is ${message.status}`);

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const card = await buyCard(client, { wallet, amount: 25 });
console.log(`card of $${card.amount} is ${card.status}`);
