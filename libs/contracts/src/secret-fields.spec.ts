import { fieldsOf, itemOf, type BusOperation, type Class, type FieldDeclaration } from '@tollbridge/rpc';
import { allEvents, features, internalFeatures } from '.';

const operations = [...features, ...internalFeatures].flatMap(
  (feature) => Object.values(feature.operations) as BusOperation[],
);

interface Found {
  path: string;
  field: FieldDeclaration;
  /** Whether the field, or an object that contains it, is marked as secret. */
  isMarked: boolean;
}

/** Returns every field of a class and its nested classes, by class and name. */
function fieldsBelow(source: Class<unknown>, isMarked = false): Found[] {
  const item = itemOf(source) ?? source;
  return fieldsOf(item).flatMap((field) => {
    const found = { path: `${item.name}.${field.name}`, field, isMarked: isMarked || field.isSecret };
    return [found, ...(field.nested ? fieldsBelow(field.nested.class(), found.isMarked) : [])];
  });
}

const onBus = [
  ...operations.flatMap(({ input, output }) => [input, output]),
  ...allEvents.map(({ data }) => data as Class<unknown>),
].flatMap((source) => fieldsBelow(source));

const secretWords =
  /^(secret|password|passphrase|credential|token|otp|cvv|cvc|code|pin|private|mnemonic|seed|bearer|jwt)s?$/;
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');

/** Names, or single fields, that look like secrets but are not secret, by the reason. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  'a token on a chain, or its contract': [
    ...['settle_token', 'pay_token', 'from_token', 'deposit_token', 'token_in', 'token_out', 'tokens'],
    ...['inputToken', 'outputToken', 'tokenIn', 'tokenOut', 'token_in_address', 'tokenAddress'],
    ...['volumeByToken', 'gasInOutputToken'],
    ...['CheckoutOption', 'MinAmount', 'OptionQuote', 'PayOption', 'OrderException', 'QuoteFee'].map(
      (it) => `${it}.token`,
    ),
    ...['CreatePayLinkRequest', 'PayLink', 'PublicPayLink', 'PayLinkPaymentChanged'].map(
      (it) => `${it}.token`,
    ),
    ...[
      'PayoutRequest',
      'PayoutPreview',
      'PayoutReply',
      'PayoutRecord',
      'PayoutSummary',
      'PayoutChanged',
    ].map((it) => `${it}.token`),
    ...['LedgerEntry', 'LedgerAssetProof', 'TokenVolume', 'PaymentException'].map((it) => `${it}.token`),
    ...['TransactionsQuery', 'TransactionFilters', 'TransactionRecord'].map((it) => `${it}.token`),
  ],
  'the code of a country or currency': [
    ...['countryCode', 'currencyCode', 'amountCurrencyCode'],
    ...['senderCurrencyCode', 'recipientCurrencyCode', 'destinationCurrencyCode'],
    ...['localTransactionCurrencyCode', 'internationalTransactionCurrencyCode'],
    ...['requestedAmountCurrencyCode', 'deliveredAmountCurrencyCode'],
  ],
  'the code of an error or warning': [
    ...['BatchError.code', 'TransactionFailure.code', 'LedgerProblem.code', 'PayoutWarning.code'],
  ],
  'an object with marked fields': ['pinDetail', 'pinDetails'],
  'a time of a secret': ['previousSecretValidUntil', 'previousSecretUntil', 'secretCreatedAt'],
  'the address of an image that anyone may load': ['qr_code_url'],
};
const harmlessNames = Object.values(harmless).flat();

describe('fields on the bus', () => {
  it('have a mark or a listed reason if their names look like secrets', () => {
    const named = onBus.filter(
      ({ field, isMarked }) => !isMarked && wordsOf(field.name).some((word) => secretWords.test(word)),
    );
    const isListed = ({ path, field }: Found) =>
      harmlessNames.includes(field.name) || harmlessNames.includes(path);
    expect([...new Set(named.filter((found) => !isListed(found)).map(({ path }) => path))]).toEqual([]);
    const used = new Set(named.flatMap(({ path, field }) => [path, field.name]));
    expect(harmlessNames.filter((name) => !used.has(name))).toEqual([]);
  });

  it('have a mark if their descriptions or examples describe a secret', () => {
    const isShown = ({ schema }: FieldDeclaration): boolean =>
      /\bshown only once|\bsecret half|\bstored nowhere|\bit is money/i.test(String(schema['description'])) ||
      /(^|[^a-z])(tb_(test|live)_(sk|ws)_|whsec_)/.test(JSON.stringify(schema['examples'] ?? null));
    const shown = onBus.filter(({ field, isMarked }) => !isMarked && !field.nested && isShown(field));
    expect(shown.map(({ path }) => path)).toEqual([]);
  });
});

describe('isSealed', () => {
  it('marks the operations that create, read or receive a secret', () => {
    const sealed = operations.filter(({ isSealed }) => isSealed).map(({ app, name }) => `${app}.${name}`);
    expect(sealed.sort()).toEqual([
      'merchant.changeAttempt',
      'merchant.createKey',
      'merchant.regenerateKey',
      'merchant.rotateWebhookSecret',
      'merchant.verifyChallenge',
      'merchant.verifyReceiver',
      'sandbox.describe',
      'service-api.awaitCode',
      'service-api.cardData',
      'service-api.codeStatus',
      'service-api.createEmailAccount',
      'service-api.createEmailAccountAndWait',
      'service-api.getCard',
      'service-api.getEmailMessage',
      'service-api.listEmailMessages',
      'service-api.orderGiftCard',
      'service-api.payBill',
      'service-api.quoteSale',
      'service-api.readSold',
      'service-api.receiveHook',
      'service-api.sell',
      'service-api.sellAwaited',
      'service-api.sendEmail',
      'service-api.sendFromAgentInbox',
      'service-api.sendSms',
      'service-api.topUpPhone',
    ]);
  });
});

describe('events', () => {
  it('contain no secret, because every receiver of the stream could read it', () => {
    const secrets = allEvents.flatMap(({ data }) => fieldsBelow(data as Class<unknown>));
    expect(secrets.filter(({ isMarked }) => isMarked)).toEqual([]);
  });
});
