/** The texts of the chat. */
export const english = {
  open: 'Open the chat',
  close: 'Close the chat',
  ai: 'AI',
  notice: 'You are talking to an AI, which can be wrong. The operator of this website can read this conversation.',
  message: 'Message',
  placeholder: 'Ask something',
  send: 'Send',
  stop: 'Stop',
  again: 'Try again',
  more: 'More',
  anew: 'Start over',
  forget: 'Delete my data',
  forgotten: 'Your data was deleted.',
  writing: 'is writing',
  waiting: 'No connection. Trying again.',
  gone: 'This chat is not available.',
  signIn: 'Please sign in on this website first.',
  failed: 'That did not work. Please try again.',
  good: 'Good reply',
  bad: 'Bad reply',
  person: 'I am human',
  you: 'You',
};

export type Texts = typeof english;
