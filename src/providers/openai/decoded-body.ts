import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import { ProviderError } from './failures.ts';

/** Receives the bytes of a response as they arrive. */
export interface ByteSink {
  add(piece: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

/**
 * Returns a sink that decodes a response with this `content-encoding` and passes the decoded bytes to `sink`. Requests
 * do not accept an encoding, but some providers and proxies compress anyway.
 */
export function decodedInto(sink: ByteSink, encoding: string | null): ByteSink {
  const decoder = decoderOf(encoding);
  if (decoder === null) return sink;
  decoder.on('data', (piece: Buffer) => sink.add(piece));
  decoder.once('end', () => sink.end());
  decoder.once('error', (cause) =>
    sink.fail(new ProviderError('encoding', { detail: String((cause as NodeJS.ErrnoException).code) })),
  );
  return {
    add: (piece) => void decoder.write(piece),
    end: () => void decoder.end(),
    fail: (error) => {
      decoder.destroy();
      sink.fail(error);
    },
  };
}

function decoderOf(encoding: string | null) {
  switch (encoding?.trim().toLowerCase() ?? '') {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new ProviderError('encoding');
  }
}
