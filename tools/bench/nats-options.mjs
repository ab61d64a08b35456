import { eventUser } from '../local/nats-users.mjs';

export function connectOptions(url) {
  const { host, username, password } = new URL(url);
  return {
    noAsyncTraces: true,
    servers: host,
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
  };
}

/** Returns options for publishing events, as an app or as the operator of all apps. */
export const eventOptions = ({ natsUrl, natsPasswords }, app) => ({
  ...connectOptions(natsUrl),
  user: eventUser(app),
  pass: natsPasswords[app],
});
