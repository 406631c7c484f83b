import { randomUUID } from 'node:crypto';
import { FormData } from 'undici';
import { assemble, pdfOf } from '../../support/pdf.ts';
import { createAgent, type Person, until } from '../person.ts';
import type { World } from '../world.ts';

const formats = ['txt', 'md', 'csv', 'json', 'pdf'] as const;

/** Uploads documents, queries them, and deletes them. */
export async function study(world: World, person: Person): Promise<void> {
  const as = person.token;
  const agentId = await createAgent(person, { name: 'Librarian' });
  const kept: string[] = [];
  for (const format of formats.toSorted(() => Math.random() - 0.5).slice(0, 3)) {
    const word = `zq${randomUUID().slice(0, 8)}`;
    const bytes = documentOf(format, word);
    const id = await upload(world, person, agentId, `book.${format}`, bytes);
    const status = await settled(world, person, agentId, id);
    if (status !== 'ready') world.findings.add('a document that did not become ready', `${id} ${format}: ${status}`);
    const params = { agent_id: agentId, doc_id: id };
    const { bytes: original } = await person.call('GET /knowledge/:agent_id/documents/:doc_id/content', { as, params });
    await person.call('GET /knowledge/:agent_id/documents/:doc_id/chunks', { as, params });
    if (!original.equals(bytes)) world.findings.add('an original that changed', `${id} ${format}`);
    const ask = async () => {
      const found = await person.call('POST /knowledge/:agent_id/query', {
        as,
        params: { agent_id: agentId },
        body: { query: `What is ${word}?`, limit: 3 },
      });
      return JSON.stringify(found.body.results);
    };
    const results = await ask();
    if (!results.includes(word)) {
      world.findings.add('a document that a query does not find', `${id} ${format} ${word}: ${results}`);
      if (!(await ask()).includes(word)) world.findings.add('a document that two queries do not find', id);
    }
    kept.push(id);
  }
  await failAndRetry(world, person, agentId);
  await person.call('GET /knowledge/:agent_id/documents', { as, params: { agent_id: agentId }, query: { limit: 5 } });
  for (const id of kept.slice(1)) await remove(world, person, agentId, id);
  if (Math.random() < 0.5) return;
  await person.call('DELETE /agents/:id', { as, params: { id: agentId }, whenRepeated: [404] });
  for (const [id, document] of world.ledger.documents) if (document.agentId === agentId) world.ledger.gone.add(id);
}

async function upload(world: World, person: Person, agentId: string, name: string, bytes: Buffer): Promise<string> {
  const form = () => {
    const made = new FormData();
    made.append('file', new Blob([new Uint8Array(bytes)]), name);
    return made;
  };
  const { body } = await person.call('POST /knowledge/:agent_id/documents', {
    as: person.token,
    params: { agent_id: agentId },
    form,
  });
  world.tally.count('documents');
  world.ledger.documents.set(body.id, { agentId, sizeBytes: bytes.length });
  return body.id;
}

const settled = (world: World, person: Person, agentId: string, id: string): Promise<string> =>
  until(world, `the end of processing of ${id}`, async () => {
    const params = { agent_id: agentId, doc_id: id };
    const { body } = await person.call('GET /knowledge/:agent_id/documents/:doc_id', { as: person.token, params });
    return body.status === 'processing' ? null : (body.status as string);
  });

/** Checks that an unreadable document fails, and fails again on retry. */
async function failAndRetry(world: World, person: Person, agentId: string): Promise<void> {
  const id = await upload(world, person, agentId, 'broken.pdf', Buffer.from(assemble(['<< /Type /Catalog >>'])));
  const before = await settled(world, person, agentId, id);
  const params = { agent_id: agentId, doc_id: id };
  await person.call('POST /knowledge/:agent_id/documents/:doc_id/retry', { as: person.token, params });
  const after = await settled(world, person, agentId, id);
  if (before !== 'failed' || after !== 'failed')
    world.findings.add('a broken document that did not fail', `${id}: ${before}, ${after}`);
  await remove(world, person, agentId, id);
}

async function remove(world: World, person: Person, agentId: string, id: string): Promise<void> {
  const params = { agent_id: agentId, doc_id: id };
  await person.call('DELETE /knowledge/:agent_id/documents/:doc_id', { as: person.token, params, whenRepeated: [404] });
  world.ledger.gone.add(id);
}

const filler = 'The tide comes and goes, and the bridge stays where it was built.';

function documentOf(format: (typeof formats)[number], word: string): Buffer {
  const fact = `The word ${word} means a lantern with ${word.length} windows.`;
  const paragraphs = Array.from({ length: 60 }, (_, n) => `${n}. ${filler}${n === 30 ? ` ${fact}` : ''}`);
  switch (format) {
    case 'csv':
      return Buffer.from(`number,text\n${paragraphs.map((text, n) => `${n},"${text}"`).join('\n')}\n`);
    case 'json':
      return Buffer.from(JSON.stringify({ paragraphs }));
    case 'pdf':
      return Buffer.from(pdfOf([paragraphs.slice(0, 25).join('\n'), paragraphs.slice(25).join('\n')]));
    default:
      return Buffer.from(paragraphs.join('\n\n'));
  }
}
