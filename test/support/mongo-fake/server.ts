import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createCommands } from './commands.ts';
import { readCommands, writeReply } from './wire.ts';

/**
 * Speaks the part of MongoDB's wire protocol that the `mongodb` driver and Agenda's backend use, with documents in
 * memory, for tests of the MongoDB path on machines without MongoDB.
 */
export async function startMongoFake() {
  const answer = createCommands();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    readCommands(socket, (command) => writeReply(socket, command, answer(command.document)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `mongodb://127.0.0.1:${port}/jobs`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
