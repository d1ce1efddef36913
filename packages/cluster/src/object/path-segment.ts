/** The problems of a name that becomes a segment of a path. */
export function pathSegmentProblems(text: string): string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`]
  return ['/', '%'].filter((part) => text.includes(part)).map((part) => `may not contain '${part}'`)
}
