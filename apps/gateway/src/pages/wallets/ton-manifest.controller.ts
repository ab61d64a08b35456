import { Controller, Get, Inject } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { GatewayConfig } from '../../config';

/** The description of this site that TON Connect wallets show when they ask whether to connect. */
@Controller('tonconnect-manifest.json')
export class TonManifestController {
  constructor(@Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>) {}

  @Get()
  read(): object {
    const url = this.config.GATEWAY_PUBLIC_URL.replace(/\/+$/, '');
    return { url, name: 'Tollbridge checkout', iconUrl: `${url}/logos/chains/ton.svg` };
  }
}
