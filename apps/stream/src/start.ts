import { ConfigurationError } from '@tollbridge/config';
import { openIdentity, startService, type RunningService } from '@tollbridge/bootstrap';
import { StreamModule } from './app.module';
import { readConfig, type StreamConfig } from './config';
import { SocketServer } from './sockets/socket-server';

export interface RunningStream extends RunningService {
  url: string;
}

export async function start(env?: NodeJS.ProcessEnv): Promise<RunningStream> {
  const config = readConfig(env);
  const service = await startService({
    app: 'stream',
    module: StreamModule,
    config,
    natsUrl: config.STREAM_NATS_URL,
    identity: openIdentity('stream', config),
    answersCalls: false,
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.STREAM_MANAGEMENT_PORT_NUMBER,
  }).catch((error: ListenError) => {
    throw explainListenError(error, config);
  });
  return { ...service, url: service.context.get(SocketServer).url };
}

type ListenError = NodeJS.ErrnoException & { port?: number; address?: string };

function explainListenError(error: ListenError, config: StreamConfig): Error {
  if (error.code !== 'EADDRINUSE') return error;
  const name =
    error.port === config.STREAM_PORT_NUMBER ? 'STREAM_PORT_NUMBER' : 'STREAM_MANAGEMENT_PORT_NUMBER';
  return new ConfigurationError([
    `${name} ${error.port} on ${error.address} is in use: choose another, or stop what uses it`,
  ]);
}
