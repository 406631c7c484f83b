import { count } from '../parts/count.ts';

/** Texts of the screens in this folder. */
export const texts = {
  browserNotLetPage:
    'The browser does not let this page use the microphone. Allow it in the address bar and try again.',
  cantReadAloud: 'This can’t be read aloud.',
  code: (language: string) => `Code, ${language}`,
  copyCode: 'Copy code',
  dictate: 'Dictate',
  discard: 'Discard',
  done: 'Done',
  levelMicrophone: 'Microphone level',
  mention: 'People and agents',
  notWrapLines: 'Do not wrap lines',
  nothingUnderstoodSpeakCloser: 'Nothing was understood. Speak closer to the microphone and try again.',
  ofCharacters: (length: number, maximumCharacters: number) =>
    `${count(length)} of ${count(maximumCharacters)} characters`,
  onlyTxtMdFiles: 'Only .txt and .md files can be dropped here.',
  recordingNotWrittenDown: 'The recording was not transcribed.',
  stop: 'Stop',
  table: 'Table',
  wrapLines: 'Wrap lines',
  writeMessage: 'Write a message',
  writingDown: 'Transcribing …',
} as const;
