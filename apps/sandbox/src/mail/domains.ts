/**
 * Domains of the sandbox's mailboxes. `.test` is reserved (RFC 6761), so mail to them cannot leave this machine by
 * accident.
 */
export const mailDomains = {
  mailtm: ['quickbox.test', 'tempbox.test'],
  agentmail: ['agentmail.test'],
  resend: ['tollbridge.test'],
} as const;

export type MailProvider = keyof typeof mailDomains;

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

export function providerOf(address: string): MailProvider | undefined {
  const providers = Object.keys(mailDomains) as MailProvider[];
  return providers.find((name) => (mailDomains[name] as readonly string[]).includes(domainOf(address)));
}
