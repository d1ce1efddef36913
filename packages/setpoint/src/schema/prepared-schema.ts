/**
 * The parts of one schema node that the validator needs, computed once: the types, the format if
 * the server knows it, the compiled pattern. Cached per schema object as long as it lives, because
 * a server validates every write against the same few schemas.
 */
import { toGoRegExp, type GoRegExp } from './go/go-reg-exp.ts'
import { isKnownFormat, stringFormat } from './formats/string-formats.ts'
import type { StructuralSchema } from './structural-schema.ts'

/** A schema node with its keywords prepared for validation. */
export interface PreparedSchema {
  readonly schema: StructuralSchema
  readonly types: readonly string[]
  readonly format: string | undefined
  readonly checkFormat: ((text: string) => boolean) | undefined
  readonly pattern: GoRegExp | undefined
}

const forValues = new WeakMap<StructuralSchema, PreparedSchema>()

/** Prepares a node; the result for ordinary values is cached. */
export function prepare(schema: StructuralSchema, isForDefaults: boolean): PreparedSchema {
  if (isForDefaults) return build(schema, true)
  let prepared = forValues.get(schema)
  if (prepared === undefined) {
    prepared = build(schema, false)
    forValues.set(schema, prepared)
  }
  return prepared
}

function build(schema: StructuralSchema, isForDefaults: boolean): PreparedSchema {
  const own = schema.type === undefined ? [] : [schema.type]
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true && !isForDefaults
  const types = isIntOrString ? ['integer', 'string'] : own
  const format = formatOf(schema, types.length === 1 ? types[0] : undefined, isForDefaults)
  return {
    schema,
    types,
    format,
    checkFormat: format === undefined ? undefined : stringFormat(format),
    pattern:
      schema.pattern === undefined || schema.pattern === ''
        ? undefined
        : toGoRegExp(schema.pattern),
  }
}

function formatOf(
  schema: StructuralSchema,
  type: string | undefined,
  isForDefaults: boolean,
): string | undefined {
  const { format } = schema
  if (format === undefined || format === '') return undefined
  return isForDefaults || isKnownFormat(type, format) ? format : undefined
}
