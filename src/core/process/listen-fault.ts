import { StartError } from './start-error.ts';

/** Returns the error of a server that cannot listen, with what to change when an operator can. */
export function listenFault(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  const { code, syscall, message } = error;
  if (syscall === undefined) return error;
  const options = { cause: error };
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} of ${host} is taken. Set PORT to a free one.`, options);
  if (code === 'EACCES') {
    return new StartError(
      `This user may not listen on port ${port} of ${host}. Set PORT to one from 1024 to 65535.`,
      options,
    );
  }
  return new StartError(
    `The service cannot listen on ${host}: ${message}. Set HOST to an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all.`,
    options,
  );
}
