/** An event as a browser sees it. */
export interface Frame {
  event: string;
  data: string;
}

/**
 * The events of a stream, read to the letter of https://html.spec.whatwg.org/#event-stream-interpretation: a line ends with
 * CR, LF or both, and an empty one sends the event off. Comments are passed over.
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
