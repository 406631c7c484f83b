import { plural } from '../parts/values/count.ts';

/** Texts of the screens in this folder. */
export const texts = {
  agentsPeoplePublished: 'Agents that people have published.',
  by: 'by {value}',
  byYou: 'by you',
  category: 'Category',
  explore: 'Explore',
  findAgent: 'Find an agent',
  noAgentFound: 'No agent found',
  noAgentPublic: 'No public agents yet',
  noDescription: 'No description',
  order: 'Order',
  popular: 'Popular',
  publishYours: 'Publish one of yours: open it under Agents and turn on Public.',
  recent: 'Recent',
  startChat: 'Start a chat',
  trending: 'Trending',
  tryOtherWordsAnother: 'Try other words or another category.',
  messages: (total: number) => plural(total, { one: '# message', other: '# messages' }),
  facts: '{author} · {messages} · published {time}',
} as const;
