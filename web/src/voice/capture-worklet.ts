declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

const samplesPerPiece = 2_048;

/** Passes the microphone's samples to the page. Its output is silent; it exists only to keep the processor running. */
class Capture extends AudioWorkletProcessor {
  private piece = new Float32Array(samplesPerPiece);
  private length = 0;

  process([microphone]: Float32Array[][]): boolean {
    const [samples] = microphone ?? [];
    if (!samples) return true;
    this.piece.set(samples, this.length);
    this.length += samples.length;
    if (this.length === samplesPerPiece) {
      this.port.postMessage(this.piece, [this.piece.buffer]);
      this.piece = new Float32Array(samplesPerPiece);
      this.length = 0;
    }
    return true;
  }
}

registerProcessor('capture', Capture);
