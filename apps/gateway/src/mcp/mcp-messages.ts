import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { RouteTable } from '../routes/route-table';
import { McpFailures } from './mcp-failures';
import { mcpServer, type Exchange } from './mcp-server';
import { McpResources } from './resources';
import { toolsOf } from './tool';
import { ToolRunner } from './tool-runner';

/** The limit of one process, because each subscription occupies a connection. */
export const maxSubscriptions = 500;

/** Answers messages with the official package, using a separate server for each message. */
@Injectable()
export class McpMessages implements OnModuleDestroy {
  private readonly exchanges = new WeakMap<Request, Exchange>();
  private handler: Promise<McpHttpHandler> | undefined;

  constructor(
    private readonly table: RouteTable,
    private readonly runner: ToolRunner,
    private readonly resources: McpResources,
    private readonly failures: McpFailures,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Ends the calls in progress and the open subscriptions. */
  async onModuleDestroy(): Promise<void> {
    await (await this.handler)?.close();
  }

  /** @param request the request of the message, in the type that the package expects */
  async answer(request: Request, message: Record<string, unknown>, exchange: Exchange): Promise<Response> {
    const handler = await this.load();
    this.exchanges.set(request, exchange);
    return handler.fetch(request, { parsedBody: message });
  }

  /** Loaded at the first request, because the package takes a second and 30 MB. */
  load(): Promise<McpHttpHandler> {
    this.handler ??= this.open().catch((error: unknown) => {
      this.handler = undefined;
      throw error;
    });
    return this.handler;
  }

  private async open(): Promise<McpHttpHandler> {
    const sdk = await import('@modelcontextprotocol/server');
    const tools = toolsOf(this.table.routes);
    const { runner, resources, failures } = this;
    const surroundings = { sdk, tools, runner, resources, failures };
    return sdk.createMcpHandler(
      ({ requestInfo, era }) => mcpServer(surroundings, this.exchanges.get(requestInfo!)!, era),
      { maxSubscriptions, onerror: (err) => this.logger.debug({ err }, 'MCP message rejected') },
    );
  }
}
