import { Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module';
import { DashboardModule } from './dashboard/dashboard.module';
import { DemoModule } from './demo/demo.module';
import { DiscoveryModule } from './discovery/discovery.module';
import { DocumentsModule } from './documents/documents.module';
import { ExportsModule } from './exports/exports.module';
import { HealthModule } from './health/health.module';
import { HttpModule } from './http/http.module';
import { LiveStateModule } from './live-state/live-state.module';
import { LogosModule } from './logos/logos.module';
import { McpModule } from './mcp/mcp.module';
import { OperationsModule } from './operations/operations.module';
import { PagesModule } from './pages/pages.module';
import { PaymentFramesModule } from './payment-frames/payment-frames.module';
import { ProviderHooksModule } from './provider-hooks/provider-hooks.module';
import { gatewayRoutes } from './routes/gateway-routes';
import { RoutesModule } from './routes/routes.module';
import { SiteModule } from './site/site.module';
import { SolanaPayModule } from './solana-pay/solana-pay.module';
import { StreamModule } from './stream/stream.module';
import { WebModule } from './web/web.module';

@Module({
  imports: [
    RoutesModule.forRoot(gatewayRoutes),
    HttpModule.forRoot(),
    AuthModule,
    OperationsModule,
    DocumentsModule,
    PagesModule,
    SolanaPayModule,
    ExportsModule,
    PaymentFramesModule,
    ProviderHooksModule,
    DemoModule,
    StreamModule,
    LiveStateModule,
    LogosModule,
    HealthModule,
    WebModule,
    SiteModule,
    DashboardModule,
    McpModule,
    DiscoveryModule,
  ],
})
export class GatewayModule {}
