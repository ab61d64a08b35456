import { PageRenderer } from '../pages/parts/layout';
import type { RemoteWalletSettings } from '../pages/wallets/remote-wallets';
import type { GatewayConfig } from '../config';
import type { WebFiles } from '../web/web-files';

/** Renders pages like the gateway, without a build of `apps/web`. */
export function rendererFixture(
  settings: Partial<RemoteWalletSettings & Pick<GatewayConfig, 'environment'>> = {},
): PageRenderer {
  const files: Pick<WebFiles, 'entry' | 'pageStyle'> = {
    pageStyle: () => 'body { margin: 0 }',
    entry: () => ({ file: '/assets/checkout-1a2b3c4d.js', imports: [], styles: [] }),
  };
  const none = {
    GATEWAY_WALLETCONNECT_PROJECT_ID: '',
    GATEWAY_WALLETCONNECT_RELAY_URL: 'wss://relay.example',
    GATEWAY_TON_WALLETS: '',
    environment: 'production' as const,
  };
  return new PageRenderer(files as WebFiles, { ...none, ...settings });
}
