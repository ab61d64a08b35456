import { connect } from 'node:net';

/**
 * Sends a line to a server of this machine and answers the beginning of what comes back.
 * @param {number} port
 * @param {string} message
 * @param {string} expected what a ready server's answer contains
 * @returns {Promise<boolean>}
 */
export function answers(port, message, expected) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 1000 });
    let received = '';
    const done = (/** @type {boolean} */ result) => {
      socket.destroy();
      resolve(result);
    };
    socket.setEncoding('utf8');
    socket.once('connect', () => message && socket.write(message));
    socket.on('data', (text) => {
      received += text;
      if (received.includes(expected)) done(true);
    });
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => done(false));
  });
}
