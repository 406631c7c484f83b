import { detectLanguage } from './detect-language.ts';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Call } from './journal.ts';
import { apiError, errorForStatus, sendError, sendJson } from './http.ts';
import type { Behaviour } from './script.ts';
import { textReader } from './text-frames.ts';

interface TranscriptionCall extends Call {
  rule: Behaviour | undefined;
}

/**
 * Handles POST /v1/audio/transcriptions without speech recognition: audio of the simulator's own speech endpoint
 * contains its text; for other audio, returns a description of its length without probabilities.
 */
export async function answerTranscription({ req, res, recorded, rule = {} }: TranscriptionCall): Promise<void> {
  if (rule.fault?.after === 'before_headers') return rule.fault.kind === 'hang' ? undefined : void res.destroy();
  if (rule.status) return sendError(res, errorForStatus(rule.status, rule.retryAfterSeconds, rule.error));
  const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  try {
    const heard = await receive(req, recorded.body, join(folder, 'audio'));
    if (rule.headersDelayMs) await sleep(rule.headersDelayMs);
    const { model, response_format: format = 'json', 'include[]': include } = recorded.body;
    if (typeof model !== 'string') throw apiError(400, 'you must provide a model parameter');
    const text = heard ?? (await describe(join(folder, 'audio')));
    const isSpeech = heard !== null;
    sendJson(
      res,
      200,
      rule.answer ??
        (format === 'verbose_json' ? verbose(text, isSpeech) : plain(text, isSpeech, include === 'logprobs')),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Parses the form into `body` and writes its file to `path`. Returns the text embedded in the file; null if there is
 * none.
 */
async function receive(req: IncomingMessage, body: Record<string, unknown>, path: string): Promise<string | null> {
  const reader = textReader();
  let saved: Promise<void> | undefined;
  const form = new Busboy({ headers: req.headers as BusboyHeaders });
  form.on('field', (name: string, value: string) => void (body[name] = value));
  form.on('file', (_field: string, file: Readable, filename: string) => {
    body['filename'] = filename;
    body['fileBytes'] = 0;
    file.on('data', (chunk: Buffer) => {
      body['fileBytes'] = Number(body['fileBytes']) + chunk.length;
      reader.read(chunk);
    });
    saved = pipeline(file, createWriteStream(path));
    saved.catch(() => undefined);
  });
  await pipeline(req, form).catch(() => {
    throw apiError(400, 'Could not parse multipart form');
  });
  if (!saved) throw apiError(400, 'you must provide a file parameter');
  await saved;
  return reader.texts.length > 0 ? reader.texts.join(' ') : null;
}

const shortestSeconds = 0.1;

/**
 * Describes an audio file.
 * @throws HttpError 400 for a file that is not audio or too short, as OpenAI does
 */
async function describe(path: string): Promise<string> {
  const { parseFile } = await import('music-metadata');
  const metadata = await parseFile(path, { duration: true, skipCovers: true }).catch(() => null);
  const container = metadata?.format.container;
  // A live-recorded WebM has no duration.
  const seconds = metadata?.format.duration ?? (/webm/i.test(container ?? '') ? undefined : 0);
  if (!container || !metadata?.format.codec)
    throw apiError(400, 'Audio file might be corrupted or unsupported', 'invalid_request_error', 'invalid_value');
  if (seconds !== undefined && seconds < shortestSeconds) {
    const message = `Audio file is too short. Minimum audio length is ${shortestSeconds} seconds.`;
    throw apiError(400, message, 'invalid_request_error', 'audio_too_short');
  }
  const length = seconds === undefined ? 'of unknown length' : `${seconds.toFixed(1)} seconds long`;
  return `[A recording ${length}. The simulator does not understand speech.]`;
}

const certainLogprob = -0.05;
/** Frequent English words. Short texts resemble many languages, so these decide. */
const english = /\b(?:the|and|is|are|you|of|this|that|what|how|hello|good)\b/i;
const languages = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt', 'pl', 'ru', 'tr', 'ar', 'hi', 'ja', 'ko', 'zh'];

/** Returns Whisper's verbose format, with the English name of the language and a probability for each segment. */
function verbose(text: string, isSpeech: boolean): object {
  const code = english.test(text) ? 'en' : detectLanguage(text, languages) || 'en';
  const language = new Intl.DisplayNames('en', { type: 'language' }).of(code)?.toLowerCase();
  const segment = {
    id: 0,
    seek: 0,
    start: 0,
    end: 0,
    text,
    tokens: text.split(/\s+/).map((_, i) => i),
    temperature: 0,
  };
  const certainty = { avg_logprob: certainLogprob, compression_ratio: 1, no_speech_prob: 0.01 };
  return { task: 'transcribe', language, duration: 0, text, segments: isSpeech ? [{ ...segment, ...certainty }] : [] };
}

const plain = (text: string, isSpeech: boolean, withProbabilities: boolean): object => ({
  text,
  ...(withProbabilities && {
    logprobs: isSpeech ? (text.match(/\s*\S+/g) ?? []).map((token) => ({ token, logprob: certainLogprob })) : [],
  }),
});
