// The official server with a custom scheme: `ton-nanopay`, verified and recorded in the memory of this process.
import { x402Facilitator } from '@x402/core/facilitator';
import { x402ResourceServer } from '@x402/express';
import { inProcess, serveOfficialApp } from './official-app.mjs';
import { NanopayFacilitator, scheme } from './nanopay-facilitator.mjs';
import { makeBuyers } from './buyers.mjs';
import { priceAtomic } from './resource.mjs';

const { flow, network, payTo, verifyingContract } = JSON.parse(process.argv[2]);
const facilitator = new NanopayFacilitator(makeBuyers(), { network, verifyingContract });

const schemeServer = {
  scheme,
  defaultAssetTransferMethod: 'default',
  paymentFlows: { default: { supported: [flow], default: flow } },
  parsePrice: async (price) => price,
  enhancePaymentRequirements: async (requirements, { extra }) => ({
    ...requirements,
    extra: { ...requirements.extra, ...extra },
  }),
};
const resourceServer = new x402ResourceServer(
  inProcess(new x402Facilitator().register(network, facilitator)),
).register(network, schemeServer);
const price = { asset: 'USDT', amount: priceAtomic };
await serveOfficialApp(resourceServer, { scheme, network, payTo, price }, () => ({
  payments: facilitator.payments.size,
}));
