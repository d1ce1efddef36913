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
  let isValid = true
  const name = identifier.replace(/__[^_]+__/g, (part) => {
    const plain = unescapes.get(part)
    if (plain !== undefined) return plain
    const word = part.slice(2, -2)
    if (!reserved.has(word) || part.length !== identifier.length) isValid = false
    return word
  })
  return isValid ? name : undefined
}
