/** The keywords of JSON Schema that a CRD may use, and how Kubernetes' own keywords combine. */
import { forbidden, invalid, notSupported, wrongType, type FieldError } from '../field-error.ts'
import { listKeywordProblems } from './list-keyword-rules.ts'
import { objectFields } from '../prune-unknown-fields.ts'
import { childSchemas, isGiven, raw } from '../crd/raw-schema.ts'
import { validationRuleProblems } from '../crd/validation-rule-shape.ts'
import type { StructuralSchema } from '../structural-schema.ts'

interface Scope {
  readonly path: string
  readonly isRoot: boolean
  readonly isInsideMeta: boolean
  /** Why defaults are not allowed here, if they are not. */
  readonly defaultsForbidden: string | undefined
}

/** The problems of a whole schema, without the structural ones. */
export function keywordProblems(schema: StructuralSchema, path: string): FieldError[] {
  return nodeProblems(schema, {
    path,
    isRoot: true,
    isInsideMeta: false,
    defaultsForbidden: undefined,
  })
}

function nodeProblems(schema: StructuralSchema, scope: Scope): FieldError[] {
  const { path } = scope
  const errors = standardProblems(schema, scope)
  if (schema.uniqueItems === true) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    errors.push(forbidden(`${path}.uniqueItems`, detail))
  }
  const { additionalProperties, properties = {} } = schema
  const isOpen = additionalProperties === undefined || additionalProperties === true
  if (!isOpen && Object.keys(properties).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive'
    errors.push(forbidden(`${path}.additionalProperties`, detail))
  }
  for (const [child, childPath] of childSchemas(schema, path)) {
    errors.push(...nodeProblems(child, childScope(schema, childPath, scope)))
  }
  if (raw(schema)['x-kubernetes-preserve-unknown-fields'] === false) {
    const field = `${path}.x-kubernetes-preserve-unknown-fields`
    errors.push(invalid(field, false, 'must be true or undefined'))
  }
  errors.push(...mapTypeProblems(schema, path))
  errors.push(...listKeywordProblems(schema, path))
  errors.push(...validationRuleProblems(schema, path))
  return errors
}

function childScope(schema: StructuralSchema, childPath: string, scope: Scope): Scope {
  const inner = { ...scope, path: childPath, isRoot: false }
  const step = childPath.slice(scope.path.length)
  if (step === '.additionalProperties' && scope.isInsideMeta) {
    const reason = 'inside additionalProperties applying to object metadata'
    return { ...inner, defaultsForbidden: reason }
  }
  const property = /^\.properties\[(.*)\]$/s.exec(step)?.[1]
  const isResource = scope.isRoot || schema['x-kubernetes-embedded-resource'] === true
  if (property === undefined || !isResource || !objectFields.has(property)) return inner
  const defaultsForbidden = scope.isRoot ? `in top-level ${property}` : scope.defaultsForbidden
  return { ...inner, isInsideMeta: true, defaultsForbidden }
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

const unsupportedKeywords = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
] as const

function standardProblems(schema: StructuralSchema, scope: Scope): FieldError[] {
  const { path } = scope
  const { type, items } = raw(schema)
  const errors: FieldError[] = []
  if (type !== undefined && type !== '' && !types.includes(type)) {
    errors.push(notSupported(`${path}.type`, type, types))
  }
  if (schema.default !== undefined && scope.defaultsForbidden !== undefined) {
    errors.push(forbidden(`${path}.default`, `must not be set ${scope.defaultsForbidden}`))
  }
  for (const keyword of unsupportedKeywords) {
    if (!isGiven(schema, keyword)) continue
    errors.push(forbidden(`${path}.${keyword}`, `${keyword} is not supported`))
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative'
    errors.push(forbidden(`${path}.type`, detail))
  }
  if (Array.isArray(items) && items.length > 0) {
    errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'))
  }
  if (scope.isInsideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must not be used inside of resource meta'
    errors.push(forbidden(`${path}.x-kubernetes-embedded-resource`, detail))
  }
  return errors
}

const mapTypes = ['atomic', 'granular']

function mapTypeProblems(schema: StructuralSchema, path: string): FieldError[] {
  const { type, 'x-kubernetes-map-type': mapType } = raw(schema)
  if (mapType === undefined) return []
  const errors: FieldError[] = []
  if (type !== 'object') {
    errors.push(
      wrongType(`${path}.type`, type, 'must be object if x-kubernetes-map-type is specified'),
    )
  }
  if (!mapTypes.includes(mapType)) {
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, mapTypes))
  }
  return errors
}
