import { builtinData } from '../../data/index.ts'

const mismatch = /^json: cannot unmarshal (\w+)(?: (\S+))? into Go struct field \S+ of type (\S+)$/

/** Go's names for the types of JSON values. */
const goKinds: Readonly<Record<string, string>> = {
  array: 'slice',
  bool: 'bool',
  number: 'int64',
  object: 'map',
  string: 'string',
}

/**
 * A real server does not decode the result of a strategic merge patch but converts it, with other
 * messages for a value of a wrong type. Translates such a decoding error and keeps all others.
 */
export function conversionProblem(problem: string): string {
  const [, given = '', number = '', type = ''] = mismatch.exec(problem) ?? []
  if (problem.startsWith('illegal base64')) return `error decoding from json: ${problem}`
  const kind = /[.eE]/.test(number) ? 'float64' : goKinds[given]
  if (kind === undefined) return problem
  // Integers overflow, except in an IntOrString, which decodes itself.
  if (kind === 'int64' && type === 'int32') {
    return `json: cannot unmarshal number ${number} into Go value of type int32`
  }
  if (type.startsWith('map[') || type === 'v1.ResourceList')
    return `cannot restore map from ${kind}`
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`
  if (structNames().has(type)) return `cannot restore struct from: ${kind}`
  const isNamed = type.includes('.')
  const isText = isNamed || type === 'string'
  // Go converts an integer to a string (the character with that code point), and any number to
  // another type of number.
  const isConvertible = isText ? kind === 'int64' : /^u?int|^float/.test(type) && given === 'number'
  if (isConvertible) return `cannot convert ${kind} to ${type}`
  return `unrecognized type: ${isNamed ? 'string' : type}`
}

let structs: ReadonlySet<string> | undefined

/** `v1.PodSpec`, ...: other types with names of that form are strings. */
function structNames(): ReadonlySet<string> {
  structs ??= new Set(
    Object.keys(builtinData.proto().messages).map((name) => name.split('.').slice(-2).join('.')),
  )
  return structs
}
