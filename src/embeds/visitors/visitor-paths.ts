/** Every path of visitors. They are not of the GraphQL schema: their credential and transport are their own. */
export const visitorPaths = {
  sessions: '/v1/embed/sessions',
  messages: '/v1/embed/messages',
  stream: '/v1/embed/messages/stream',
  stop: '/v1/embed/messages/stop',
  feedback: '/v1/embed/messages/:message_id/feedback',
  conversation: '/v1/embed/conversation',
} as const;

/** Whether a path belongs to visitors of websites, whose frame is of our own origin: no other origin may read the answers. */
export const isVisitorPath = (url: string): boolean => url.startsWith('/v1/embed/');
