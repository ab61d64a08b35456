// A seller with the text protocol of the x402 e2e tests, using the paywall in the folder TOLLBRIDGE_ROOT.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { PORT, EVM_NETWORK, EVM_PAYEE_ADDRESS: payTo, FACILITATOR_URL, TOLLBRIDGE_ROOT } = process.env;
const require = createRequire(join(TOLLBRIDGE_ROOT, 'package.json'));
const express = require('express');
const { Paywall } = require('@tollbridge/paywall');
const { paid } = require('@tollbridge/paywall/express');

const ways = {
  '/exact/evm/eip3009': { scheme: 'exact' },
  '/exact/evm/permit2': { scheme: 'exact', assetTransferMethod: 'permit2' },
  '/upto/evm/permit2': { scheme: 'upto' },
};
const app = express();
for (const [path, way] of Object.entries(ways)) {
  const paywall = new Paywall({
    baseUrl: `http://localhost:${PORT}`,
    gateway: FACILITATOR_URL,
    accepts: [{ ...way, network: EVM_NETWORK, payTo }],
  });
  // Like the official servers: a maximum of 2,000 units, and a charge of 1,000.
  const isMaximum = way.scheme === 'upto';
  app.get(path, paid(paywall, { price: isMaximum ? '$0.002' : '$0.001' }), (request, response) => {
    if (isMaximum) request.payment.chargeOnly(1000n);
    response.json({
      message: 'Protected endpoint accessed successfully',
      timestamp: new Date().toISOString(),
    });
  });
}
app.get('/health', (_request, response) => response.json({ status: 'ok' }));
app.post('/close', (_request, response) => {
  response.json({ message: 'closed' });
  setTimeout(() => process.exit(0), 100);
});
app.listen(Number(PORT), () => process.stdout.write('Server listening\n'));
process.on('SIGTERM', () => process.exit(0));
