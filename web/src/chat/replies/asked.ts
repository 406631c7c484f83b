let asked: { agentId: string; question: string } | null = null;

/** Passes a question to the next new chat with an agent. In memory only, so that no link can send a message. */
export function askInChat(agentId: string, question: string): void {
  asked = { agentId, question };
}

/** Returns the question for an agent and removes it. */
export function takeQuestion(agentId: string): string | null {
  if (asked?.agentId !== agentId) return null;
  const { question } = asked;
  asked = null;
  return question;
}
