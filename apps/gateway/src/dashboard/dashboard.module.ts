import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { WebModule } from '../web/web.module';
import { DashboardController } from './dashboard.controller';
import { DemoSignIn } from './demo-sign-in';
import { PreviewController } from './preview.controller';
import { SessionController } from './session.controller';

@Module({
  imports: [AuthModule, WebModule],
  controllers: [SessionController, PreviewController, DashboardController],
  providers: [DemoSignIn],
})
export class DashboardModule {}
