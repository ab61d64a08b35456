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

/** For the events of an app, or of all apps for the operator. */
export const eventOptions = ({ natsUrl, natsPasswords }, app) => ({
  ...connectOptions(natsUrl),
  user: eventUser(app),
  pass: natsPasswords[app],
});
