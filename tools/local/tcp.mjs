import { connect } from 'node:net';

/**
 * Sends a line to a server on this machine, and checks the beginning of its reply.
 * @param {number} port
 * @param {string} message
 * @param {string} expected the text in the reply of a ready server
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
