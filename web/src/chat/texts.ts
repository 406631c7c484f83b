import { count } from '../parts/values/count.ts';

/** Texts of the screens in this folder. */
export const texts = {
  cantReadAloud: 'This can’t be read aloud.',
  code: (language: string) => `Code, ${language}`,
  copyCode: 'Copy code',
  dictate: 'Dictate',
  discard: 'Discard',
  done: 'Done',
  fileNotRead: 'A file could not be read.',
  isWriting: (agentName: string) => `${agentName} is writing.`,
  levelMicrophone: 'Microphone level',
  microphoneDenied:
    'The browser does not let this page use the microphone. Allow it in the address bar, then try again.',
  microphoneInUse: 'The microphone can’t be opened. Close other programs that use it, then try again.',
  mention: 'People and agents',
  noMicrophone: 'No microphone was found. Connect one and try again, or type instead.',
  noMicrophoneAccess:
    'This browser gives no access to the microphone. Use a current browser over https, or type instead.',
  notWrapLines: 'Do not wrap lines',
  nothingUnderstoodSpeakCloser: 'Nothing was understood. Speak closer to the microphone and try again.',
  ofCharacters: (length: number, maximumCharacters: number) =>
    `${count(length)} of ${count(maximumCharacters)} characters`,
  onlySmallFiles: 'Only files of at most 200 kB can be dropped here.',
  onlyTxtMdFiles: 'Only .txt and .md files can be dropped here.',
  recordingNotWrittenDown: 'The recording was not transcribed.',
  replyLonger: (slice: string) => `${slice} … The reply is longer.`,
  stop: 'Stop',
  table: 'Table',
  wrapLines: 'Wrap lines',
  writeMessage: 'Write a message',
  writingDown: 'Transcribing …',
} as const;
