/**
 * Returns whether an `Accept` header allows a media type, as defined in RFC 9110: the most specific matching range
 * decides, and a weight of 0 excludes. A missing header allows everything.
 */
export function accepts(accept: string | undefined, mediaType: string): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const [type = ''] = mediaType.split('/');
  const precedence = [mediaType, `${type}/*`, '*/*'];
  const ranges = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return { name, weight: weightOf(parameters) };
  });
  for (const name of precedence) {
    const range = ranges.find((candidate) => candidate.name === name);
    if (range) return range.weight > 0;
  }
  return false;
}

/** Returns the weight in the parameters of a media range or encoding; 1 if there is none. */
export function weightOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
}
