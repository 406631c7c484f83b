/** Texts of the screens in this folder. */
export const texts = {
  serviceCantReachedCheck: 'The service can’t be reached. Check your connection and try again.',
  serviceNotAvailableRight: 'The service is not available right now. Try again in a moment.',
  somethingWentWrongPage: 'Something went wrong on this page. Reload it and try again.',
  youAreSignedOut: 'You are signed out.',
} as const;
