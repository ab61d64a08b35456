import { Database, systemClock, type Clock } from '@tollbridge/database';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { MailtmSimulator } from '../mailtm/mailtm.simulator';
import type { RequestRates } from '../simulators/request-rate';
import { startServiceSimulators, type ServiceSimulators } from '../simulators/service-simulators';

export interface RunningMailSimulators {
  mailtm: string;
  agentmail: string;
  resend: string;
  smtpUrl: string;
  simulators: ServiceSimulators;
  errors: unknown[];
  /** Number of received requests. */
  requests(): number;
  /** Sends mail like any SMTP client. */
  send(mail: SendMailOptions): Promise<void>;
  close(): Promise<void>;
}

const maxConnections = 5;

/** Starts the mail simulators in the process of a test, on a migrated schema `sandbox` (`migrateSandbox`). */
export async function startMailSimulators(
  database: { runtimeUrl: string },
  requestRates?: RequestRates,
  clock: Clock = systemClock,
): Promise<RunningMailSimulators> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const opened = await Database.open({
    app: 'sandbox',
    url: database.runtimeUrl,
    entities: [],
    maxConnections,
    onError,
  });
  const parts = { database: opened, clock, onError, requestRates };
  const running = await startServiceSimulators(parts);
  const { smtpUrl } = running.simulators['mailtm'] as MailtmSimulator;
  return {
    mailtm: `${running.url}/mailtm`,
    agentmail: `${running.url}/agentmail`,
    resend: `${running.url}/resend`,
    smtpUrl,
    simulators: running.simulators,
    requests: running.requests,
    errors,
    async send(mail) {
      const transport = createTransport(smtpUrl, {});
      await transport.sendMail(mail).finally(() => transport.close());
    },
    async close() {
      await running.close();
      await opened.close();
    },
  };
}
