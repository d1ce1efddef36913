/** A field as a segment of a JSON pointer. */
export function pointerToken(field: string): string {
  return /[~/]/.test(field) ? field.replaceAll('~', '~0').replaceAll('/', '~1') : field
}

/** The fields of a JSON pointer. */
export function pointerFields(pointer: string): string[] {
  const tokens = pointer.slice(1).split('/')
  if (!pointer.includes('~')) return tokens
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}
