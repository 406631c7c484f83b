/** An event as a browser sees it. */
export interface Frame {
  event: string;
  data: string;
}

/**
 * Parses the events of a stream exactly as https://html.spec.whatwg.org/#event-stream-interpretation says: a line ends with
 * CR, LF or both, an empty line dispatches the event, and comments are ignored.
 */
export function readFrames(text: string): Frame[] {
  const frames: Frame[] = [];
  let event = '';
  let data: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === '') {
      if (data.length > 0) frames.push({ event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      continue;
    }
    const [, name = line, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }
  return frames;
}
