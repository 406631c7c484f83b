import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';

const model = new ChatOpenAI({
  model: 'bench',
  apiKey: 'bench',
  streaming: true,
  configuration: { baseURL: process.env.OPENAI_BASE_URL },
});

const answer = async ({ messages }) => ({
  messages: await model.invoke([{ role: 'system', content: 'You are a patient tutor.' }, ...messages]),
});

export const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', answer)
  .addEdge('__start__', 'answer')
  .addEdge('answer', '__end__')
  .compile();
