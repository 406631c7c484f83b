/** Texts of the screens in this folder. */
export const texts = {
  agentAnswers: (agentName: string) => `${agentName} is answering.`,
  agentSpeaks: (agentName: string) => `${agentName} is speaking. Speak to interrupt.`,
  browserCantTalk:
    'Voice conversations do not work in this browser. Use a current browser over https, or type instead.',
  close: 'Close',
  conversationGone: 'This conversation was deleted.',
  connecting: 'Connecting …',
  connectionLost: 'The connection was lost. Talking resumes when it is back.',
  endTalking: 'End',
  hearing: 'Listening to you …',
  interrupt: 'Interrupt',
  listening: 'Say something. A pause sends it.',
  microphoneLost: 'The microphone was disconnected. Connect it, then try again.',
  mute: 'Mute',
  muted: 'The microphone is muted.',
  noVoiceConnection: 'The voice connection could not be opened. Try again, or type: text messages still work.',
  nothingUnderstood: 'Nothing was understood. Speak closer to the microphone and say it again.',
  sayAgain: 'The connection was lost before this was understood. Say it again when it is back.',
  stopped: 'The voice conversation has ended.',
  talk: 'Talk',
  tooManyConnections:
    'You have reached the connection limit of your plan. Close other windows of the console, then try again.',
  understanding: 'Understanding …',
  voiceNotAllowed: 'Voice conversations are not allowed for this account. Type instead.',
  you: 'You',
} as const;
