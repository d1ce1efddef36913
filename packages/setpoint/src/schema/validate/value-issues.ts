/**
 * The errors of a value's validation, each with the text by which the server detects repetitions.
 */
import { invalid, nilField, notSupported, typeInvalid, type FieldError } from '../field-error.ts'
import { goJson, goQuote } from '../go/go-print.ts'
import type { JsonValue } from '../structural-schema.ts'

/** An error, and the key that identifies repetitions. */
export interface Issue {
  readonly key: string
  readonly error: FieldError
}

/** The field of an error: the path inside the value, below the prefix. */
export function nameIn(prefix: string | undefined, path: string): string {
  const name = path.startsWith('.') ? path.slice(1) : path
  if (name === '') return prefix ?? nilField
  return prefix === undefined ? name : `${prefix}.${name}`
}

/** A value of the wrong type or format; the last argument has the expected and the actual one. */
export function typeMismatch(
  field: string,
  path: string,
  [expected, found]: readonly [string, string],
): Issue {
  const detail = `${path} in body must be of type ${expected}: ${goQuote(found)}`
  return { key: detail, error: typeInvalid(field, found, detail) }
}

/** A value outside its enum. Entries that are not strings are printed as JSON. */
export function notInEnum(
  field: string,
  value: JsonValue,
  { path, allowed }: { path: string; allowed: readonly JsonValue[] },
): Issue {
  const texts = allowed.map((entry) => (typeof entry === 'string' ? entry : goJson(entry)))
  return { key: `${path} enum ${texts.join(' ')}`, error: notSupported(field, value, texts) }
}

/** A list or object with too few entries. */
export function tooFew(field: string, size: number, detail: string): Issue {
  return { key: detail, error: invalid(field, size, detail) }
}

/** A key that `additionalProperties: false` does not allow. */
export function forbiddenProperty(field: string, path: string, key: string): Issue {
  const detail = `${path}.${key} in body is a forbidden property`
  return { key: detail, error: invalid(field, key, detail) }
}
