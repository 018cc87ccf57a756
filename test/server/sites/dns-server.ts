// A real DNS server that answers questions for TXT records, over UDP.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { atFileEnd } from '../../support/at-file-end.ts';

/** The texts of each name, which may change; a name without any does not exist. Each text is sent in two pieces, as long ones are. */
export async function openDnsServer(records: Map<string, string[]>): Promise<{ address: string }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = questionOf(query);
    const texts = records.get(name.toLowerCase()) ?? [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(texts.length > 0 ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(texts.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...texts.map(txtRecord)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  atFileEnd(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}` };
}

/** The name that is asked for, and where its question ends. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 5 };
}

function txtRecord(text: string): Buffer {
  const pieces = [text.slice(0, 9), text.slice(9)].map((piece) =>
    Buffer.from(`${String.fromCharCode(piece.length)}${piece}`, 'latin1'),
  );
  const data = Buffer.concat(pieces);
  // The name of the question, TXT, IN, a minute.
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length]);
  return Buffer.concat([head, data]);
}
