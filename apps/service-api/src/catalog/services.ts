import type { ServicePrice } from '@tollbridge/contracts';
import type { ListedService } from './service';

const free: ServicePrice = { model: 'free', description: 'Costs nothing.' };
const faceValue = (description: string): ServicePrice => ({ model: 'face_value', description });
const providerPrice = (description: string): ServicePrice => ({ model: 'provider_price', description });
const payoutFee: ServicePrice = {
  model: 'percentage',
  description: '0.5 % of the total; where payouts are sent on the chain, the gas is paid out of it.',
};

const recipients = [{ address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', amount: 12.5 }];
const payout = {
  wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  chain: 'base',
  token: 'USDC',
  recipients,
};

const gifts: ListedService[] = [
  {
    id: 'giftcard-products',
    name: 'List gift cards',
    category: 'gift',
    description: 'The gift cards that are sold for a country, with their prices, fees and brands.',
    price: free,
    routes: [{ method: 'GET', route: '/gift/giftcards/products', request: { country: 'US' } }],
    keywords: ['voucher', 'brand', 'shopping', 'giftcards'],
    provider: 'reloadly',
  },
  {
    id: 'giftcard-order',
    name: 'Order a gift card',
    category: 'gift',
    description: 'Buys gift cards of a brand; the codes are shown to you, or sent to an e-mail address.',
    price: faceValue('The price of the cards, and the fee that the list of products shows.'),
    routes: [
      {
        method: 'POST',
        route: '/gift/giftcards/order',
        request: {
          productId: 10,
          countryCode: 'US',
          quantity: 1,
          unitPrice: 25,
          customIdentifier: 'order-17',
          senderName: 'Tea Shop',
          recipientEmail: 'friend@example.com',
        },
      },
    ],
    keywords: ['voucher', 'buy', 'shopping', 'giftcards', 'code'],
    provider: 'reloadly',
  },
  {
    id: 'service-balance',
    name: 'See the service balance',
    category: 'gift',
    description: 'What this deployment has left at its provider of gift cards, airtime and bills.',
    price: free,
    routes: [{ method: 'GET', route: '/gift/balance', request: {} }],
    keywords: ['account', 'funds', 'money'],
    provider: 'reloadly',
  },
];

const airtimeAndBills: ListedService[] = [
  {
    id: 'airtime-detect',
    name: 'Find the operator of a phone number',
    category: 'airtime',
    description: 'Which mobile operator a phone number belongs to, and what can be topped up there.',
    price: free,
    routes: [
      { method: 'GET', route: '/gift/airtime/detect', request: { phone: '+14155550123', country: 'US' } },
    ],
    keywords: ['mobile', 'carrier', 'lookup', 'telephone'],
    provider: 'reloadly',
  },
  {
    id: 'airtime-topup',
    name: 'Top up mobile airtime',
    category: 'airtime',
    description: 'Adds airtime to a prepaid mobile phone anywhere in the world.',
    price: faceValue('The amount of the top-up.'),
    routes: [
      {
        method: 'POST',
        route: '/gift/airtime/topup',
        request: {
          operatorId: 535,
          amount: 10,
          useLocalAmount: false,
          customIdentifier: 'topup-17',
          recipientPhone: { countryCode: 'US', number: '4155550123' },
        },
      },
    ],
    keywords: ['recharge', 'prepaid', 'credit', 'telephone', 'topup'],
    provider: 'reloadly',
  },
  {
    id: 'utility-billers',
    name: 'List billers',
    category: 'utilities',
    description: 'The companies that accept payments of electricity, water, television and internet bills.',
    price: free,
    routes: [
      {
        method: 'GET',
        route: '/gift/utilities/billers',
        request: { country: 'NG', type: 'ELECTRICITY_BILL_PAYMENT' },
      },
    ],
    keywords: ['utility', 'power', 'company'],
    provider: 'reloadly',
  },
  {
    id: 'utility-pay',
    name: 'Pay a bill',
    category: 'utilities',
    description: 'Pays an electricity, water, television or internet bill.',
    price: faceValue('The amount of the bill, and the fee of the biller.'),
    routes: [
      {
        method: 'POST',
        route: '/gift/utilities/pay',
        request: { subscriberAccountNumber: '4223568280', amount: 20, billerId: 5, useLocalAmount: false },
      },
    ],
    keywords: ['utility', 'power', 'payment', 'invoice'],
    provider: 'reloadly',
  },
];

const email: ListedService[] = [
  {
    id: 'email-domains',
    name: 'List e-mail domains',
    category: 'email',
    description: 'The domains of disposable e-mail addresses.',
    price: free,
    routes: [{ method: 'GET', route: '/email/domains', request: {} }],
    keywords: ['email', 'temporary'],
    provider: 'mailtm',
  },
  {
    id: 'email-account',
    name: 'Make a disposable e-mail address',
    category: 'email',
    description: 'A new inbox with an address, a password and a token that its messages are read with.',
    price: free,
    routes: [{ method: 'POST', route: '/email/account', request: { username: 'till17' } }],
    keywords: ['email', 'temporary', 'throwaway', 'inbox'],
    provider: 'mailtm',
  },
  {
    id: 'email-messages',
    name: 'Read e-mail messages',
    category: 'email',
    description: 'The messages of a disposable inbox, and each of them in full.',
    price: free,
    routes: [
      { method: 'GET', route: '/email/messages', request: { token: 'eyJhbGciOiJIUzI1NiJ9.e30.sample' } },
      {
        method: 'GET',
        route: '/email/messages/{id}',
        request: { id: '6573c8a0b1f2', token: 'eyJhbGciOiJIUzI1NiJ9.e30.sample' },
      },
    ],
    keywords: ['email', 'inbox', 'temporary'],
    provider: 'mailtm',
  },
  {
    id: 'email-account-and-wait',
    name: 'Make an e-mail address and wait for a code',
    category: 'email',
    description:
      'A new disposable inbox; waits up to two minutes for its first message and takes the verification code out of it.',
    price: free,
    routes: [{ method: 'POST', route: '/email/account-and-wait', request: {} }],
    keywords: ['email', 'temporary', 'otp', 'sign-up', 'confirmation'],
    provider: 'mailtm',
  },
];

const professionalEmail: ListedService[] = [
  {
    id: 'agentmail-inbox',
    name: 'Make a professional inbox',
    category: 'email-pro',
    description: 'A lasting inbox for an agent that sends and receives e-mail.',
    price: providerPrice('What the plan of this deployment charges for an inbox.'),
    routes: [{ method: 'POST', route: '/agentmail/inboxes', request: { name: 'support' } }],
    keywords: ['email', 'agent', 'mailbox'],
    provider: 'agentmail',
  },
  {
    id: 'agentmail-send',
    name: 'Send e-mail from a professional inbox',
    category: 'email-pro',
    description: 'Sends a message from an inbox that was made here.',
    price: providerPrice('What the plan of this deployment charges for a message.'),
    routes: [
      {
        method: 'POST',
        route: '/agentmail/send',
        request: {
          inbox_id: 'support@agentmail.to',
          to: 'friend@example.com',
          subject: 'Your tea',
          text: 'It is on its way.',
        },
      },
    ],
    keywords: ['email', 'agent', 'mailbox', 'message'],
    provider: 'agentmail',
  },
  {
    id: 'resend-send',
    name: 'Send e-mail from your own domain',
    category: 'email-pro',
    description: 'Sends a message as text and HTML from a domain of this deployment.',
    price: providerPrice('What the plan of this deployment charges for a message.'),
    routes: [
      {
        method: 'POST',
        route: '/resend/send',
        request: {
          to: 'friend@example.com',
          subject: 'Your tea',
          text: 'It is on its way.',
          html: '<p>It is on its way.</p>',
        },
      },
    ],
    keywords: ['email', 'message', 'transactional', 'custom'],
    provider: 'resend',
  },
  {
    id: 'resend-agent-email',
    name: 'Give an agent an e-mail address',
    category: 'email-pro',
    description: 'An address of its own for an agent, under a domain of this deployment.',
    price: free,
    routes: [{ method: 'POST', route: '/resend/agent-email', request: { agentId: 'till-17' } }],
    keywords: ['email', 'custom', 'identity'],
    provider: 'resend',
  },
];

const sms: ListedService[] = [
  {
    id: 'sms-number',
    name: 'Rent a phone number for a verification code',
    category: 'sms',
    description: 'A virtual phone number that takes the code of one service, and whether the code has come.',
    price: providerPrice('What a number for the service costs in the country.'),
    routes: [
      { method: 'POST', route: '/sms/number', request: { service: 'tg', country: 1 } },
      { method: 'GET', route: '/sms/status/{id}', request: { id: '123456789' } },
    ],
    keywords: ['otp', 'virtual', 'temporary', 'text', 'telephone', 'receive'],
    provider: 'sms',
  },
  {
    id: 'sms-number-and-wait',
    name: 'Rent a phone number and wait for its code',
    category: 'sms',
    description: 'The same in one call: waits for the verification code and answers it.',
    price: providerPrice('What a number for the service costs in the country; nothing when no code comes.'),
    routes: [
      { method: 'POST', route: '/sms/number-and-wait', request: { service: 'tg', country: 1, timeout: 120 } },
    ],
    keywords: ['otp', 'virtual', 'temporary', 'text', 'telephone', 'receive'],
    provider: 'sms',
  },
  {
    id: 'sms-send',
    name: 'Send an SMS',
    category: 'sms',
    description: 'Sends a text message to a phone.',
    price: providerPrice('What a message to the country costs.'),
    routes: [
      { method: 'POST', route: '/sms/send', request: { to: '+14155550123', body: 'Your tea is ready.' } },
    ],
    keywords: ['mobile', 'telephone', 'notification'],
    provider: 'twilio',
  },
];

const cards: ListedService[] = [
  {
    id: 'card-issue',
    name: 'Get a virtual card',
    category: 'card',
    description: 'Issues a prepaid virtual card that pays online, loaded with dollars.',
    price: faceValue('The dollars on the card, and the fee of its issuer.'),
    routes: [
      {
        method: 'POST',
        route: '/card/get-card',
        request: { wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', amount: 50 },
      },
    ],
    keywords: ['visa', 'debit', 'payment', 'prepaid', 'top-up'],
    provider: 'cards',
  },
  {
    id: 'card-data',
    name: 'See your virtual cards',
    category: 'card',
    description: 'Number, security code and expiry of a card of yours, and the list of all your cards.',
    price: free,
    routes: [
      { method: 'GET', route: '/card/card-data', request: { card_id: 'the id of the card' } },
      {
        method: 'GET',
        route: '/card/my-cards',
        request: { wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      },
    ],
    keywords: ['visa', 'debit', 'cvv', 'details'],
    provider: 'cards',
  },
];

const payouts: ListedService[] = [
  {
    id: 'payout-preview',
    name: 'Preview a batch payout',
    category: 'payout',
    description:
      'What paying up to 1,000 recipients costs in tokens, fee and gas, and what to look at before.',
    price: free,
    routes: [{ method: 'POST', route: '/payout/preview', request: payout }],
    keywords: ['usdc', 'payroll', 'disperse', 'airdrop', 'stablecoin'],
    provider: 'chains',
  },
  {
    id: 'payout-batch',
    name: 'Submit a batch payout',
    category: 'payout',
    description:
      'Prepares a payout of USDC or another token to up to 1,000 recipients, to be approved by a second key.',
    price: payoutFee,
    routes: [{ method: 'POST', route: '/payout/batch', request: payout }],
    keywords: ['usdc', 'payroll', 'disperse', 'airdrop', 'stablecoin', 'bulk'],
    provider: 'chains',
  },
];

/** All services, in the order of the catalog. */
export const services: readonly ListedService[] = [
  ...gifts,
  ...airtimeAndBills,
  ...email,
  ...professionalEmail,
  ...sms,
  ...cards,
  ...payouts,
];
