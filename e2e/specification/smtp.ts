import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends one message by SMTP. Throws if the server rejects the recipient. */
export async function sendMail(smtp: string, to: string, subject: string, text: string): Promise<void> {
  const { hostname, port } = new URL(smtp);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let unread = '';
  socket.on('data', (chunk: string) => void (unread += chunk));
  const expectReply = async (digit: string): Promise<void> => {
    while (!/^\d{3} .*\r\n$/m.test(unread)) await once(socket, 'data');
    const reply = unread;
    unread = '';
    if (!reply.startsWith(digit)) throw new Error(`SMTP: ${reply}`);
  };
  const message = `From: shop@example.com\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n.`;
  try {
    await expectReply('2');
    for (const [line, digit] of [
      ['EHLO example.com', '2'],
      ['MAIL FROM:<shop@example.com>', '2'],
      [`RCPT TO:<${to}>`, '2'],
      ['DATA', '3'],
      [message, '2'],
    ]) {
      socket.write(`${line}\r\n`);
      await expectReply(digit!);
    }
  } finally {
    socket.end('QUIT\r\n');
  }
}
