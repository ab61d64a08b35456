import { paylinksApi } from '@tollbridge/contracts';
import { Text } from '@tollbridge/rpc';
import { LanguageField } from './texts/language-field';
import { declareLike, htmlPage, type OwnRoute } from '../routes/gateway-route';

const { getPublicPayLink, recordPayLinkPayment } = paylinksApi.operations;

class LinkPage {
  @Text({ description: 'The link', maxLength: 64, example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  id: string;

  @LanguageField()
  lang?: string;
}

const transaction = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';

export const openPayLink: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(getPublicPayLink, 'openPayLink', {
    path: '/l/{id}',
    input: LinkPage,
    pathFields: ['id'],
    summary: 'Open the page of a PayLink',
    description: 'The page that payers open: the payment instructions, and a form for their transaction.',
  }),
  documentation: { tag: 'PayLinks', replies: { 200: htmlPage('The page') }, failures: 'text/html' },
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

export const payLinkRoutes = [openPayLink, submitPayLink];
