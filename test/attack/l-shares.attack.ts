import { expectStatus } from '../support/client.ts';
import { tokenOf } from '../support/social.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';
import { payloadsOf } from './lab/payloads.ts';

const lab = openLab();
const owner = await lab.open.signUp();
await lab.open.db.query(`update users set plan = 'creator' where id = $1`, [owner.id]);
const { id: conversationId } = await lab.open.createConversation(owner.token);

/** Creates a share with these texts and returns its link; null when they are refused. */
async function shareWith(title: string, note: string): Promise<string | null> {
  const body = { type: 'conversation', conversation_id: conversationId, title, note };
  const made = await lab.open.call('POST', '/v1/social/shares', { as: owner.token, body });
  return made.status === 400 ? null : tokenOf(expectStatus(made, 201).body);
}

const pageOf = async (baseUrl: string, token: string): Promise<string> => {
  const response = await fetch(`${baseUrl}/share/${token}`, { headers: { accept: 'text/html' } });
  if (response.status !== 200) throw new Error(`the page of a share: ${response.status}`);
  return response.text();
};

/** Counts each character of a page that can start or end markup. */
const signsOf = (html: string): string => ['<', '>', '"', "'"].map((sign) => html.split(sign).length - 1).join(' ');

attack('A184', 'markup in the title and note of shares, as JSON and as a page, on two instances', async (score) => {
  const harmless = await shareWith('Title', 'Note');
  const expected = signsOf(await pageOf(lab.open.baseUrl, harmless ?? ''));
  await score.each(
    payloadsOf('markup'),
    async (markup) => {
      const token = await shareWith(`A${markup}`, `B${markup}`);
      if (token === null) return null;
      for (const instance of [lab.open, lab.open.other]) {
        const { body, headers } = await instance.call('GET', `/v1/shares/${token}`);
        if (body.title !== `A${markup}`.trim() || body.note !== `B${markup}`.trim()) return `changed: ${body.title}`;
        const kind = headers.get('content-type') ?? '';
        if (!kind.startsWith('application/json') || headers.get('x-content-type-options') !== 'nosniff')
          return `a browser may render it: ${kind}`;
        const signs = signsOf(await pageOf(instance.baseUrl, token));
        if (signs !== expected) return `a page with other markup: ${signs} instead of ${expected}`;
      }
      return null;
    },
    4,
  );
});
