import { useEffect, useRef } from 'react';
import { texts } from '../texts.ts';
import styles from './recorder.module.css';

/** Level meter of the microphone. */
export function Level({ stream }: { stream: MediaStream }) {
  const bar = useRef<HTMLMeterElement>(null);
  useEffect(() => {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Uint8Array(analyser.fftSize);
    const timer = setInterval(() => {
      analyser.getByteTimeDomainData(samples);
      const peak = samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample - 128)), 0);
      if (bar.current) bar.current.value = peak / 128;
    }, 80);
    return () => {
      clearInterval(timer);
      void context.close();
    };
  }, [stream]);
  return <meter ref={bar} className={styles.level} min={0} max={1} aria-label={texts.levelMicrophone} />;
}
