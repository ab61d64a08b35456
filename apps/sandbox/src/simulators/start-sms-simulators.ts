import type { Clock } from '@tollbridge/database';
import fastify from 'fastify';
import { FiveSimSimulator } from '../fivesim/fivesim';
import { SmsActivateSimulator } from '../sms-activate/sms-activate';
import { TwilioSimulator } from '../twilio/twilio';
import { registerServices } from './service-simulators';

export interface RunningSmsSimulators {
  /** Base URL, which the prefix of a simulator follows. */
  url: string;
  smsActivate: SmsActivateSimulator;
  fivesim: FiveSimSimulator;
  twilio: TwilioSimulator;
  close(): Promise<void>;
}

/** Starts the number and message providers in the process of a test. They need no database. */
export async function startSmsSimulators(clock: Clock, hooksUrl?: string): Promise<RunningSmsSimulators> {
  const simulators = {
    smsActivate: new SmsActivateSimulator({ clock, hooksUrl }),
    fivesim: new FiveSimSimulator({ clock }),
    twilio: new TwilioSimulator({ clock }),
  };
  const server = fastify({ forceCloseConnections: true, bodyLimit: 1024 * 1024 });
  registerServices(server, simulators);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const close = async (): Promise<void> => {
    await server.close();
    await Promise.all([simulators.smsActivate.stop(), simulators.twilio.stop()]);
  };
  return { url, ...simulators, close };
}
