/** Texts of the search. */
export const texts = {
  allAgents: 'All agents',
  anyTime: 'Any time',
  anyWord: 'hello',
  exactWords: '"exact words"',
  last30Days: 'Last 30 days',
  lastYear: 'Last year',
  nothingFound: 'Nothing found',
  searchConversations: 'Search your conversations',
  thisOrThat: 'this or that',
  time: 'Time',
  tryOtherWordsFewer: 'Try other words, or fewer of them.',
  without: '-without',
} as const;
