import { paylinkPaymentsApi, publicPaylinksApi } from '@tollbridge/contracts';
import { Text } from '@tollbridge/rpc';
import { LanguageField } from '../texts/language-field';
import { declareLike, htmlPage, type OwnRoute, type RouteDocumentation } from '../../routes/gateway-route';

const { getPublicPayLink, startPayLinkCheckout } = publicPaylinksApi.operations;
const { recordPayLinkPayment } = paylinkPaymentsApi.operations;

class LinkPage {
  @Text('The link', { maxLength: 64, example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  id: string;

  @LanguageField()
  lang?: string;
}

const key = '5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31';
const payment = '9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20';
const transaction = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';

const redirect = (description: string, example: string): RouteDocumentation['replies'][number] => ({
  description,
  headers: {
    location: { description: 'The page to open by GET', schema: { type: 'string', examples: [example] } },
  },
});

export const openPayLink: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(getPublicPayLink, 'openPayLink', {
    path: '/l/{id}',
    input: LinkPage,
    pathFields: ['id'],
    summary: 'Open the page of a PayLink',
    description:
      'The page that payers open: a button for the checkout, and instructions for a plain transfer with a form for its transaction. Reading it stores nothing. A browser with a payment in flight, by the cookie `tollbridge_checkout`, is redirected to it.',
  }),
  documentation: {
    tag: 'PayLinks',
    replies: {
      200: htmlPage('The page'),
      303: redirect('This browser has a payment of the PayLink in flight', `/checkout/${key}/${payment}`),
    },
    failures: 'text/html',
  },
};

export const submitPayLink: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(recordPayLinkPayment, 'submitPayLink', {
    path: '/l/{id}',
    input: LinkPage,
    pathFields: ['id'],
    summary: 'Submit the form of the page of a PayLink',
    description: 'Submits the transaction, as `POST /api/paylinks/{id}/pay` does.',
  }),
  documentation: {
    tag: 'PayLinks',
    body: {
      type: 'application/x-www-form-urlencoded',
      schema: {
        type: 'object',
        required: ['txHash'],
        properties: {
          txHash: { type: 'string', description: 'Hash of the transaction', examples: [transaction] },
        },
      },
      example: { txHash: transaction },
    },
    replies: { 200: htmlPage('The outcome of the submission') },
    failures: 'text/html',
  },
};

export const startLinkCheckout: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(startPayLinkCheckout, 'openPayLinkCheckout', {
    path: '/l/{id}/checkout',
    input: LinkPage,
    pathFields: ['id'],
    summary: 'Submit the pay button of the page of a PayLink',
    description:
      'Starts a checkout, as `POST /api/paylinks/{id}/checkout` does, and opens its page. While this browser has an unpaid checkout of the same amount, or a payment in flight, it opens that one.',
  }),
  documentation: {
    tag: 'PayLinks',
    body: {
      type: 'application/x-www-form-urlencoded',
      schema: {
        type: 'object',
        properties: {
          key: { type: 'string', description: 'Random UUID of the page', examples: [key] },
          amount: {
            type: 'string',
            description: 'Amount in whole tokens, where the payer chooses it',
            examples: ['3.5'],
          },
        },
      },
      example: { key },
    },
    replies: { 303: redirect('The checkout to pay', `/checkout/${key}`) },
    failures: 'text/html',
  },
};

export const reopenPayLink: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(getPublicPayLink, 'reopenPayLink', {
    path: '/l/{id}/checkout',
    input: LinkPage,
    pathFields: ['id'],
    summary: 'Return to the page of a PayLink from a reloaded form',
    description: '',
  }),
  documentation: {
    tag: 'PayLinks',
    replies: { 303: redirect('The page of the PayLink', '/l/0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d') },
    failures: 'text/html',
  },
};

export const payLinkRoutes = [openPayLink, submitPayLink, startLinkCheckout, reopenPayLink];
