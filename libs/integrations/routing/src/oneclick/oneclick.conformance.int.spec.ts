import { describeCrossChainRoutes } from '@tollbridge/routing-conformance';
import { bitcoin, usdc } from '../testing/route-tokens';
import { ScriptedOneClick, testPublicKey } from '../testing/scripted-oneclick';
import { OneClick } from './oneclick.adapter';

describeCrossChainRoutes('1Click', async () => {
  const scripted = await ScriptedOneClick.start();
  return {
    routes: new OneClick({ baseUrl: scripted.server.url, publicKey: testPublicKey }),
    request: {
      from: bitcoin,
      to: usdc,
      amountOutAtomic: 1_000_000n,
      slippageBps: 50,
      recipient: '0xmerchant',
      refundTo: 'bc1qpayer',
      deadline: new Date(Date.now() + 7_200_000),
    },
    fund: ({ address }, amountAtomic) => Promise.resolve(scripted.fund(address, amountAtomic)),
    passDeadline: ({ deposit }) => Promise.resolve(scripted.passDeadline(deposit.address)),
    close: () => scripted.server.close(),
  };
});
