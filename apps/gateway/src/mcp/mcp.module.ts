import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ClientAddressModule } from '../client-address/client-address.module';
import { DiscoveryModule } from '../discovery/discovery.module';
import { LiveStateModule } from '../live-state/live-state.module';
import { SiteModule } from '../site/site.module';
import { Callers } from './caller';
import { McpFailures } from './mcp-failures';
import { McpMessages } from './mcp-messages';
import { McpRoute } from './mcp-route';
import { OrderSubscriptions } from './order-subscriptions';
import { PurchaseCosts } from './purchase-costs';
import { McpResources } from './resources';
import { ToolCalls } from './tool-calls';
import { ToolRunner } from './tool-runner';

@Module({
  imports: [AuthModule, ClientAddressModule, DiscoveryModule, LiveStateModule, SiteModule],
  providers: [
    Callers,
    McpFailures,
    McpMessages,
    McpResources,
    McpRoute,
    OrderSubscriptions,
    PurchaseCosts,
    ToolCalls,
    ToolRunner,
  ],
})
export class McpModule {}
