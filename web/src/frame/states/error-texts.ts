/** Texts of the error page, apart from those of the frame because visitors' pages load them. */
export const texts = {
  addressWrongHereGone: 'The address is wrong, or the page no longer exists.',
  noSuchPage: 'Page not found',
  notWork: 'Something went wrong',
  toTheStart: 'To the start',
};
