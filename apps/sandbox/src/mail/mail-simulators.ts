import { AgentmailSimulator } from '../agentmail/agentmail.simulator';
import { InboxesRepository } from '../agentmail/inboxes.repository';
import { MailtmAccounts } from '../mailtm/accounts.repository';
import { MailtmSimulator } from '../mailtm/mailtm.simulator';
import { ResendSimulator } from '../resend/resend.simulator';
import type { ServiceSimulatorParts } from '../simulators/service-simulator';
import { RequestRate } from '../simulators/request-rate';
import { providerOf, type MailProvider } from './domains';
import { MailRepository } from './mail.repository';
import { PostOffice } from './post-office';

export interface MailSimulators {
  mailtm: MailtmSimulator;
  agentmail: AgentmailSimulator;
  resend: ResendSimulator;
}

/** Creates the three mail providers, and the SMTP server that delivers mail from and to them. */
export function mailSimulators(parts: ServiceSimulatorParts): MailSimulators {
  const { database, clock, onError, smtp, hooksUrl, requestRates = {} } = parts;
  const [accounts, inboxes] = [new MailtmAccounts(database), new InboxesRepository(database)];
  const mails = new MailRepository(database);
  const office = new PostOffice({
    host: smtp?.host ?? '127.0.0.1',
    port: smtp?.port ?? 0,
    repository: mails,
    clock,
    onError,
    async hasMailbox(address) {
      const provider = providerOf(address);
      if (provider === 'mailtm') return (await accounts.withAddress(address)) !== undefined;
      if (provider === 'agentmail') return (await inboxes.find(address)) !== undefined;
      // The own domain accepts every local part, because agents create addresses freely.
      return provider === 'resend';
    },
    onDelivered(mail) {
      const provider = providerOf(mail.mailbox);
      if (provider === 'agentmail' || provider === 'resend') simulators[provider].received(mail);
    },
  });
  const shared = { mails, office, clock, hooksUrl };
  const rateOf = (name: MailProvider) => new RequestRate(clock, requestRates[name]);
  const simulators = {
    mailtm: new MailtmSimulator({ ...shared, accounts, rate: rateOf('mailtm') }),
    agentmail: new AgentmailSimulator({ ...shared, inboxes, rate: rateOf('agentmail') }),
    resend: new ResendSimulator({ ...shared, rate: rateOf('resend') }),
  };
  return simulators;
}
