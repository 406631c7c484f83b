/**
 * All paths for visitors. They are not part of the GraphQL schema, because they have a different credential and
 * transport.
 */
export const visitorPaths = {
  sessions: '/v1/embed/sessions',
  messages: '/v1/embed/messages',
  stream: '/v1/embed/messages/stream',
  stop: '/v1/embed/messages/stop',
  feedback: '/v1/embed/messages/:message_id/feedback',
  conversation: '/v1/embed/conversation',
} as const;

/**
 * Returns whether a path is for visitors of websites. Their frame has the origin of this service, so no other origin
 * may read the responses.
 */
export const isVisitorPath = (url: string): boolean => url.startsWith('/v1/embed/');
