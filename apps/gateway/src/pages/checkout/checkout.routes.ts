import { paymentsApi } from '@tollbridge/contracts';
import { Text } from '@tollbridge/rpc';
import { LanguageField } from '../texts/language-field';
import {
  binary,
  declareLike,
  htmlPage,
  openRoute,
  type OwnRoute,
  type RouteDocumentation,
} from '../../routes/gateway-route';

const { getPayment, executePayment, paymentStatus } = paymentsApi.operations;

const requestIdExample = '5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31';
const requestIdField = { description: 'The payment request', maxLength: 64, example: requestIdExample };

class RequestPage {
  @Text(requestIdField)
  id: string;
}

class LocalPage extends RequestPage {
  @LanguageField()
  lang?: string;
}

const PayerField = (): PropertyDecorator =>
  Text(
    'A wallet of the payer: its family (`evm`, `solana`, `ton`, `tron`, `sui`), a colon and its address. May be repeated, up to 5 times; other texts are ignored',
    { maxLength: 256, optional: true, example: 'evm:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
  );

class CheckoutQuery extends LocalPage {
  @PayerField()
  payer?: string;
}

class PaymentPage extends LocalPage {
  @Text('The payment', { maxLength: 64, example: '9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20' })
  payment: string;
}

class PaymentPageQuery extends PaymentPage {
  @PayerField()
  payer?: string;
}

const redirect = (description: string): RouteDocumentation['replies'][number] => ({
  description,
  headers: {
    location: {
      description: 'The page to open by GET',
      schema: { type: 'string', examples: [`/checkout/${requestIdExample}`] },
    },
  },
});

export const openCheckout: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(getPayment, 'openCheckout', {
    path: '/checkout/{id}',
    input: CheckoutQuery,
    pathFields: ['id'],
    summary: 'Open the checkout page of a payment request',
    description:
      'The page that a merchant sends payers to: it offers the ways to pay the request. With `payer`, the options that these wallets can pay come first.',
  }),
  documentation: { tag: 'Payments', replies: { 200: htmlPage('The page') }, failures: 'text/html' },
};

export const submitCheckout: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(executePayment, 'submitCheckout', {
    path: '/checkout/{id}/pay',
    input: LocalPage,
    pathFields: ['id'],
    summary: 'Submit the form of the checkout page',
    description: 'Starts the payment, as `POST /api/v1/payment/{id}/execute` does.',
  }),
  documentation: {
    tag: 'Payments',
    body: {
      type: 'application/x-www-form-urlencoded',
      schema: {
        type: 'object',
        required: ['from_token', 'from_chain'],
        properties: {
          from_token: { type: 'string', description: 'Token to pay with', examples: ['USDC'] },
          from_chain: { type: 'string', description: 'Chain to pay on', examples: ['eip155:8453'] },
          payer_address: {
            type: 'string',
            description: 'Address of the payer, where the option needs it',
            examples: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
          },
        },
      },
      example: { from_token: 'USDC', from_chain: 'eip155:8453' },
    },
    replies: { 303: redirect('The payment has started') },
    failures: 'text/html',
  },
};

export const reopenCheckout: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(getPayment, 'reopenCheckout', {
    path: '/checkout/{id}/pay',
    input: LocalPage,
    pathFields: ['id'],
    summary: 'Return to the checkout page from a reloaded form',
    description: '',
  }),
  documentation: { tag: 'Payments', replies: { 303: redirect('The checkout page') }, failures: 'text/html' },
};

export const openPaymentPage: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(paymentStatus, 'openPaymentPage', {
    path: '/checkout/{id}/{payment}',
    input: PaymentPageQuery,
    pathFields: ['id', 'payment'],
    summary: 'Open the page of a payment',
    description: 'Shows the payment instructions and the progress of the payment.',
  }),
  documentation: { tag: 'Payments', replies: { 200: htmlPage('The page') }, failures: 'text/html' },
};

export const openReceipt: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(paymentStatus, 'openReceipt', {
    path: '/checkout/{id}/{payment}/receipt',
    input: PaymentPage,
    pathFields: ['id', 'payment'],
    errors: [...paymentStatus.errors, 'CONFLICT'],
    summary: 'Open the receipt of a payment',
    description: 'A page to print, once the payment is completed. Returns 409 before.',
  }),
  documentation: { tag: 'Payments', replies: { 200: htmlPage('The receipt') }, failures: 'text/html' },
};

export const openReceiptPdf: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(paymentStatus, 'openReceiptPdf', {
    path: '/checkout/{id}/{payment}/receipt.pdf',
    input: PaymentPage,
    pathFields: ['id', 'payment'],
    errors: [...paymentStatus.errors, 'CONFLICT'],
    summary: 'Read the receipt of a payment as PDF',
    description: 'Once the payment is completed; returns 409 before.',
  }),
  documentation: {
    tag: 'Payments',
    replies: {
      200: {
        description: 'The document',
        content: { type: 'application/pdf', schema: binary, example: '%PDF-1.4…' },
      },
    },
    failures: 'text/html',
  },
};

export const readQrCode: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(getPayment, 'getPaymentQrCode', {
    path: '/api/v1/payment/{id}/qr.png',
    input: RequestPage,
    pathFields: ['id'],
    summary: 'Read the QR code of a checkout page',
    description: 'The code contains the URL of the checkout page and never changes.',
  }),
  documentation: {
    tag: 'Payments',
    replies: {
      200: {
        description: 'The image',
        content: { type: 'image/png', schema: binary, example: 'iVBORw0KGgo…' },
        headers: {
          'cache-control': {
            description: 'The image may be cached for a day',
            schema: { type: 'string', examples: ['public, max-age=86400, immutable'] },
          },
        },
      },
    },
  },
};

export const readTonManifest = openRoute(
  'pages',
  'readTonManifest',
  '/tonconnect-manifest.json',
  'Read what wallets of TON Connect show of this site',
);

export const checkoutRoutes = [
  openCheckout,
  submitCheckout,
  reopenCheckout,
  openPaymentPage,
  openReceipt,
  openReceiptPdf,
  readQrCode,
  readTonManifest,
];
