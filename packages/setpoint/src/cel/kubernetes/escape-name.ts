/** Names of fields as identifiers: `a-b` is written `a__dash__b` in expressions. */

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}
const unescapes = new Map(Object.entries(escapes).map(([plain, escaped]) => [escaped, plain]))

/** The identifier of a field, or `undefined` if the name has other characters. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined
  if (reserved.has(name)) return `__${name}__`
  return name.replace(/__|[-./]/g, (part) => escapes[part] ?? part)
}

/** The name of the field that an identifier stands for, or `undefined` if it is not one. */
export function unescapeName(identifier: string): string | undefined {
  const parts = identifier.match(/__[^_]+__/g) ?? []
  const isKnown = parts.every(
    (part) => unescapes.has(part) || (part === identifier && reserved.has(part.slice(2, -2))),
  )
  if (!isKnown) return undefined
  return identifier.replace(/__[^_]+__/g, (part) => unescapes.get(part) ?? part.slice(2, -2))
}
