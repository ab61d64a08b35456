import { describeCrossChainRoutes } from '@tollbridge/routing-conformance';
import { aRouteRequest } from '../testing/route-request.builder';
import { ScriptedOneClick, testPublicKey } from '../testing/scripted-oneclick';
import { OneClick } from './oneclick.adapter';

describeCrossChainRoutes('1Click', async () => {
  const scripted = await ScriptedOneClick.start();
  return {
    routes: new OneClick({ baseUrl: scripted.server.url, publicKey: testPublicKey }),
    request: aRouteRequest(),
    fund: ({ address }, amountAtomic) => Promise.resolve(scripted.fund(address, amountAtomic)),
    passDeadline: ({ deposit }) => Promise.resolve(scripted.passDeadline(deposit.address)),
    close: () => scripted.server.close(),
  };
});
