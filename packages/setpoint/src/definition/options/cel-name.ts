// Reserved words of CEL; Kubernetes writes a field of such a name between underscores.
const reservedWords = new Set(
  (
    'true false null in as break const continue else for function if import let loop package ' +
    'namespace return var void while'
  ).split(' '),
)

/** The name of a field in a CEL rule; `undefined` when CEL cannot name it. */
export function celName(field: string): string | undefined {
  if (reservedWords.has(field)) return `__${field}__`
  const escaped = field
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined
}
