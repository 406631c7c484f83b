import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../core/errors.ts';

/** Removes the permission of other origins to read the response. */
export const allowOwnPagesOnly = (reply: FastifyReply): FastifyReply =>
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers');

/** Rejects requests that are not a fetch by a page of this service. @throws AppError `forbidden` */
export function requireOwnFetch(request: FastifyRequest, publicUrl: string): void {
  const { origin, 'sec-fetch-site': site, 'content-type': type = '' } = request.headers;
  const isOwn = origin === undefined ? site === 'same-origin' : isOwnOrigin(origin, request, publicUrl);
  if (!isOwn || !/^application\/json\s*(;|$)/i.test(type)) throw refusal(publicUrl);
}

/**
 * Rejects requests of pages of other origins to the routes that are added to this instance, and requests for another host,
 * as of a page whose name was pointed at this machine. Programs may call them.
 */
export function refuseOtherPages(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    allowOwnPagesOnly(reply);
    const { origin } = request.headers;
    const isOwn = origin === undefined || isOwnOrigin(origin, request, publicUrl);
    done(isOwn && isOwnHost(request, publicUrl) ? undefined : refusal(publicUrl));
  });
}

const refusal = (publicUrl: string): AppError =>
  new AppError('forbidden', {
    message: `Only pages of this service may send this request. Its address is ${new URL(publicUrl).origin}: open it there, or set PUBLIC_URL to the address that you use.`,
  });

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether an origin is that of PUBLIC_URL, or a loopback name with the port that received the request. */
const isOwnOrigin = (origin: string, request: FastifyRequest, publicUrl: string): boolean =>
  origin === new URL(publicUrl).origin ||
  loopback.some((name) => origin === `http://${name}${portSuffix(request.socket.localPort)}`);

/** Returns whether the host of a request is that of PUBLIC_URL or a loopback name. */
const isOwnHost = ({ host, hostname }: FastifyRequest, publicUrl: string): boolean =>
  host === new URL(publicUrl).host || loopback.includes(hostname);

const portSuffix = (port: number | undefined): string => (port === 80 ? '' : `:${port ?? ''}`);
