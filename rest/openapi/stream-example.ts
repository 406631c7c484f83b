import { uuid } from './example-uuid.ts';

/** A short reply as Server-Sent Events. */
export const streamExample = [
  `event: delta\nid: gen_${uuid}:3\ndata: {"content":"No:"}\n\n`,
  `event: delta\nid: gen_${uuid}:20\ndata: {"content":" 91 is 7 times 13."}\n\n`,
  `event: done\nid: gen_${uuid}:done\ndata: {"message_id":"msg_${uuid}","conversation_id":"conv_${uuid}"}\n\n`,
].join('');
