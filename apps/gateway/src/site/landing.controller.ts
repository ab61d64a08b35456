import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { chainsApi } from '@tollbridge/contracts';
import { BusClient, callContext } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { varyBy } from '../http/vary';
import { wantsPage } from '../http/wants-page';
import { version } from '../version';
import { WebFiles } from '../web/web-files';
import { landingPage, type SystemState } from './landing-page';
import { sendSitePage } from './site-layout';

const { listChains } = chainsApi.operations;

// Many visitors cause at most one service call per second.
const freshMs = 1_000;

/** `GET /`: a page for people, links for programs. */
@Controller()
export class LandingController {
  private state: { readAtMs: number; value: Promise<SystemState> } | undefined;

  constructor(
    private readonly bus: BusClient,
    private readonly files: WebFiles,
    @Inject(ServiceConfig)
    private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL' | 'environment'>,
  ) {}

  @Get()
  async open(@Req() { headers }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    varyBy(reply, 'Accept');
    if (!wantsPage(headers.accept)) {
      void reply.send(links(this.config.GATEWAY_PUBLIC_URL));
      return;
    }
    const page = landingPage(await this.readState(), { isSandbox: this.config.environment === 'sandbox' });
    await sendSitePage(reply, { files: this.files, page });
  }

  private readState(): Promise<SystemState> {
    const now = performance.now();
    if (!this.state || now - this.state.readAtMs > freshMs)
      this.state = { readAtMs: now, value: this.askServices() };
    return this.state.value;
  }

  /** The list of chains comes from pay-orders over the bus, so a reply shows that both work. */
  private async askServices(): Promise<SystemState> {
    try {
      const { details } = await this.bus.call(listChains, {}, callContext());
      const open = details.filter(({ is_direct, is_available }) => is_direct && is_available);
      return { isUp: true, chains: details.length, directChains: open.map(({ name }) => name) };
    } catch {
      return { isUp: false, chains: 0, directChains: [] };
    }
  }
}

const links = (publicUrl: string) => {
  const base = publicUrl.replace(/\/+$/, '');
  return {
    name: 'Tollbridge',
    version,
    openapi: `${base}/openapi.json`,
    asyncapi: `${base}/asyncapi.json`,
    documentation: `${base}/docs`,
    guides: `${base}/guides`,
    chains: `${base}/api/v1/pay/chains`,
    services: `${base}/catalog`,
    x402: `${base}/supported`,
    sold: `${base}/discovery/resources`,
    mcp: `${base}/mcp`,
    llms: `${base}/llms.txt`,
    health: `${base}/health/ready`,
  };
};
