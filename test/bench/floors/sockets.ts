import { WebSocketServer } from 'ws';
import { listen } from './listen.ts';

// The minimum of an idle socket in Node: only the library, which replies to frames and keeps no state per client.

const answers: Record<string, string> = {
  connect: JSON.stringify({ op: 'ready' }),
  subscribe: JSON.stringify({ op: 'subscribed', id: '1' }),
};
const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false });

listen((_request, response) => void response.writeHead(404).end()).on('upgrade', (request, stream, head) =>
  sockets.handleUpgrade(request, stream, head, (socket) =>
    socket.on('message', (data: Buffer) => {
      const { op } = JSON.parse(data.toString()) as { op: string };
      socket.send(answers[op] ?? '');
    }),
  ),
);
