import { anyObject } from '@tollbridge/rpc';
import { maxFrameItems } from '@tollbridge/nanopay-protocol';
import { binary, declareRoute, type OwnRoute } from '../routes/gateway-route';

export const frameType = 'application/octet-stream';

export const sendPaymentFrame: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareRoute('payments', 'sendPayments', {
    method: 'POST',
    path: '/payments',
    operationId: 'sendPaymentFrame',
    summary: 'Charge many nano-payments',
    description: `Accepts a binary frame of up to ${maxFrameItems} payments from a seller's paywall, as \`@tollbridge/paywall\` sends it (docs/nano-payments.md describes the format). The buyer signs each payment. A frame counts as one call, and may be sent again when no reply came: no payment is charged twice.`,
    output: anyObject('Outcomes, as bytes', {}),
    errors: ['SERVICE_UNAVAILABLE', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  }),
  documentation: {
    tag: 'Nano-payments',
    body: { type: frameType, schema: binary, example: 'TBF1…' },
    replies: {
      200: {
        description: 'One outcome for each payment of the frame, in the same order',
        content: { type: frameType, schema: binary, example: 'TBF1…' },
      },
    },
  },
};

export const paymentFrameRoutes = [sendPaymentFrame];
