import { ordersApi } from '@tollbridge/contracts';
import { Text, type JsonSchema } from '@tollbridge/rpc';
import { declareLike, type OwnRoute } from '../routes/gateway-route';

const { walletCall, getOrder } = ordersApi.operations;

class SolanaPayOrder {
  @Text('The order', { maxLength: 64, example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  id: string;
}

const textField = (description: string, example: string): JsonSchema => ({
  type: 'string',
  description,
  examples: [example],
});
const objectOf = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const json = (description: string, properties: Record<string, JsonSchema>, example: object) => ({
  description,
  content: { type: 'application/json', schema: objectOf(properties), example },
});

const path = '/solana-pay/{id}';
const tag = 'Payments';
const shown = { label: 'demo-merchant', icon: 'https://api.example.com/logos/chains/solana.svg' };
const made = { transaction: 'AQABAg==', message: 'Pay 1.005 USDC' };
const account = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri';

export const describeSolanaPay: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(getOrder, 'describeSolanaPay', {
    path,
    input: SolanaPayOrder,
    pathFields: ['id'],
    errors: ['NOT_FOUND', 'ROUTE_UNAVAILABLE'],
    summary: 'Show an order to a Solana wallet',
    description:
      "First request of Solana Pay's transaction requests. The link for wallets and QR codes is `solana:` and this URL.",
  }),
  documentation: {
    tag,
    replies: {
      200: json(
        'What the wallet shows',
        {
          label: textField('Name of the merchant, as the order has it', shown.label),
          icon: textField('URL of an image', shown.icon),
        },
        shown,
      ),
    },
  },
};

export const makeSolanaPay: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(walletCall, 'makeSolanaPayTransaction', {
    method: 'POST',
    path,
    input: SolanaPayOrder,
    pathFields: ['id'],
    summary: 'Make the transaction that pays an order from a Solana wallet',
    description:
      "Second request of Solana Pay's transaction requests. Failures have `message`, which wallets show.",
  }),
  documentation: {
    tag,
    body: {
      type: 'application/json',
      schema: objectOf({ account: textField('The wallet that pays', account) }),
      example: { account },
    },
    replies: {
      200: json(
        'What the wallet signs and sends',
        {
          transaction: textField('The transaction without its signature, base64', made.transaction),
          message: textField('What the payment is for', made.message),
        },
        made,
      ),
    },
  },
};

export const solanaPayRoutes = [describeSolanaPay, makeSolanaPay];
