/** Whether the client already has the document with this ETag: the answer is then a 304. */
export function isUnchanged(headers: Readonly<Record<string, string>>, etag: string): boolean {
  const known = headers['if-none-match']
  if (known === undefined) return false
  return known
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === '*' || each === etag)
}
