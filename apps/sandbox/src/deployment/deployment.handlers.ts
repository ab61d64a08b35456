import { Controller, Inject } from '@nestjs/common';
import { sandboxApi, type SandboxReply } from '@tollbridge/contracts';
import { Handles } from '@tollbridge/rpc';
import { tollbridgePayAbi } from '@tollbridge/onchain';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { parseNetworks, type SandboxConfig } from '../config';
import { describeNetworks } from '../networks/networks';
import { simulatorPaths } from '../simulators/simulators';
import { readDeployment } from './local-deployment';

@Controller()
@Handles(sandboxApi)
export class DeploymentHandlers {
  private readonly reply: Promise<SandboxReply>;

  constructor(@Inject(ServiceConfig) config: SandboxConfig) {
    this.reply = describe(config);
    // The first request reports the failure.
    this.reply.catch(() => undefined);
  }

  describe(): Promise<SandboxReply> {
    return this.reply;
  }
}

async function describe(config: SandboxConfig): Promise<SandboxReply> {
  const { chains, accounts, merchant } = readDeployment(config.SANDBOX_WORLD_FILE);
  return {
    environment: config.environment,
    gateway: config.GATEWAY_PUBLIC_URL,
    chains: chains.map(({ caip2, chainId, rpcUrl, payContract, tokens }) => {
      return { caip2, chainId, rpcUrl, payContract, tokens, payAbi: tollbridgePayAbi };
    }),
    accounts,
    networks: await describeNetworks(
      parseNetworks(config.SANDBOX_NETWORKS),
      config.SANDBOX_SIMULATORS_PUBLIC_URL,
    ),
    merchant,
    simulators: Object.fromEntries(
      Object.entries(simulatorPaths).map(([name, path]) => [
        name,
        `${config.SANDBOX_SIMULATORS_PUBLIC_URL}${path}`,
      ]),
    ),
    smtp: `smtp://${new URL(config.SANDBOX_SIMULATORS_PUBLIC_URL).hostname}:${config.SANDBOX_SMTP_PORT_NUMBER}`,
  };
}
