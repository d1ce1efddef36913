import { builtinData } from '../../data/index.ts'

const mismatch = /^json: cannot unmarshal (\w+)(?: (\S+))? into Go struct field \S+ of type (\S+)$/

/** JSON's words for what a value is, in Go's. */
const goKinds: Readonly<Record<string, string>> = {
  array: 'slice',
  bool: 'bool',
  number: 'int64',
  object: 'map',
  string: 'string',
}

/**
 * The result of a strategic merge patch is not decoded but converted by a real server, which has other
 * words for a value that does not fit. Takes what decoding says; what is not about fitting stays.
 */
export function conversionProblem(problem: string): string {
  const [, given = '', number = '', type = ''] = mismatch.exec(problem) ?? []
  const kind = number.includes('.') ? 'float64' : goKinds[given]
  if (kind === undefined) return problem
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`
  if (structNames().has(type)) return `cannot restore struct from: ${kind}`
  const isNamed = type.includes('.')
  const isText = isNamed || type === 'string'
  // Go can make a text of a whole number (the character with that number), and a number of any other.
  const isConvertible = isText ? kind === 'int64' : /^u?int|^float/.test(type) && given === 'number'
  if (isConvertible) return `cannot convert ${kind} to ${type}`
  return `unrecognized type: ${isNamed ? 'string' : type}`
}

let structs: ReadonlySet<string> | undefined

/** `v1.PodSpec`, ...: other names of that form are those of texts. */
function structNames(): ReadonlySet<string> {
  structs ??= new Set(
    Object.keys(builtinData.proto().messages).map((name) => name.split('.').slice(-2).join('.')),
  )
  return structs
}
