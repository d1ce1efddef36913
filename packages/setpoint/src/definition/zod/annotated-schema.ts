/** Adds Kubernetes' own keywords (see kubernetes-checks.ts) to a converted schema. */
import type * as core from 'zod/v4/core'
import type { StructuralSchema, ValidationRule } from '../../schema/index.ts'
import { celName } from '../options/cel-name.ts'
import { annotationsOf, type Annotation } from '../kubernetes-checks.ts'
import { wholeLength } from './zod-checks.ts'
import { reject, type Place } from './zod-place.ts'

/** The schema with the annotations of `zodSchema`; invalid ones are rejected. */
export function withAnnotations(
  zodSchema: core.$ZodType,
  schema: StructuralSchema,
  place: Place,
): StructuralSchema {
  return annotationsOf(zodSchema).reduce(
    (annotated, annotation) => withAnnotation(annotation, annotated, place),
    schema,
  )
}

function withAnnotation(
  annotation: Annotation,
  schema: StructuralSchema,
  place: Place,
): StructuralSchema {
  switch (annotation.kind) {
    case 'rule':
      return withRule(annotation.rule, schema, place)
    case 'immutable':
      return withRule({ rule: 'self == oldSelf', message: 'the value is immutable' }, schema, place)
    case 'list-map':
      return { ...schema, ...listMap(annotation.keys, schema, place) }
    case 'list-set':
      return { ...schema, ...listSet(schema, place) }
    case 'atomic':
      return { ...schema, ...atomic(schema, place) }
    case 'properties':
      return { ...schema, ...propertyCount(annotation, schema, place) }
    case 'embedded-resource':
      return embeddedResource(schema)
  }
}

function withRule(rule: ValidationRule, schema: StructuralSchema, place: Place): StructuralSchema {
  if (/\boldSelf\b/.test(rule.rule) && !place.isCorrelatable) {
    reject(
      place,
      'inside a list without keys a server cannot match old and new items',
      "give the list keys with .check(listMap('name')) and a .max(...), or put the rule on the list",
    )
  }
  const isTyped = schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true
  if (!isTyped) {
    reject(place, 'CEL needs the type of the field of a rule', 'describe the field with zod')
  }
  if (rule.optionalOldSelf === true && !/\boldSelf\b/.test(rule.rule)) {
    reject(place, 'optionalOldSelf is set, but the rule does not use oldSelf', 'remove it')
  }
  return {
    ...schema,
    'x-kubernetes-validations': [...(schema['x-kubernetes-validations'] ?? []), rule],
  }
}

function listMap(
  keys: readonly string[],
  schema: StructuralSchema,
  place: Place,
): StructuralSchema {
  const item = schema.items
  if (schema.type !== 'array' || item?.type !== 'object') {
    return reject(place, 'listMap(...) is for lists of objects', 'use listSet() or atomic()')
  }
  if (keys.length === 0) return reject(place, 'listMap() names no key', "write listMap('name')")
  for (const key of keys) {
    const field = item.properties?.[key]
    const isScalar = field !== undefined && !['object', 'array', undefined].includes(field.type)
    const isPresent = item.required?.includes(key) === true || field?.default !== undefined
    if (!isScalar || !isPresent || field.nullable === true) {
      reject(
        place,
        `the key "${key}" of a list map must be a scalar field of every entry`,
        'make it required or give it a default',
      )
    }
  }
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys }
}

function atomic(schema: StructuralSchema, place: Place): StructuralSchema {
  if (schema.type === 'array') return { 'x-kubernetes-list-type': 'atomic' }
  if (schema.type === 'object') return { 'x-kubernetes-map-type': 'atomic' }
  return reject(place, 'atomic() is for lists and objects', 'remove it')
}

function propertyCount(
  { min, max }: { readonly min?: number; readonly max?: number },
  schema: StructuralSchema,
  place: Place,
): StructuralSchema {
  if (schema.type !== 'object') {
    return reject(place, 'the number of entries is for maps and objects', 'use .min() or .max()')
  }
  return {
    ...(min === undefined ? {} : { minProperties: wholeLength(min, place) }),
    ...(max === undefined ? {} : { maxProperties: wholeLength(max, place) }),
  }
}

function listSet(schema: StructuralSchema, place: Place): StructuralSchema {
  const type = schema.items?.type
  const isScalar = type !== undefined && type !== 'object' && type !== 'array'
  if (schema.type !== 'array' || !isScalar || schema.items?.nullable === true) {
    return reject(place, 'listSet() is for lists of scalars', 'use listMap(...) or atomic()')
  }
  return { 'x-kubernetes-list-type': 'set' }
}

/** Removes apiVersion, kind and metadata: the server adds their schemas to an embedded object. */
function embeddedResource(schema: StructuralSchema): StructuralSchema {
  const known = ['apiVersion', 'kind', 'metadata']
  const { properties, required, ...rest } = schema
  const others = Object.entries(properties ?? {}).filter(([name]) => !known.includes(name))
  const otherRequired = (required ?? []).filter((name) => !known.includes(name))
  return {
    ...rest,
    'x-kubernetes-embedded-resource': true,
    ...(others.length === 0 ? {} : { properties: Object.fromEntries(others) }),
    ...(otherRequired.length === 0 ? {} : { required: otherRequired }),
  }
}

/**
 * A transition rule on an optional field is not evaluated when the field appears or disappears, so
 * an immutable one needs a second rule on its parent.
 */
export function immutableFieldRules(
  shape: Readonly<Record<string, core.$ZodType>>,
  place: Place,
): ValidationRule[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    if (field._zod.optin !== 'optional' || !isImmutable(field) || !place.isCorrelatable) return []
    const property = celName(name)
    if (property === undefined) {
      reject(
        { ...place, path: `${place.path}.${name}` },
        'CEL cannot name this field',
        'rename it, or make it required',
      )
      return []
    }
    return [
      {
        rule: `has(self.${property}) == has(oldSelf.${property})`,
        message: `${name} is immutable: it can neither be added nor removed`,
      },
    ]
  })
}

/** Whether the field is marked immutable on any of its wrapping schemas. */
function isImmutable(schema: core.$ZodType): boolean {
  if (annotationsOf(schema).some((annotation) => annotation.kind === 'immutable')) return true
  const def = schema._zod.def as { readonly innerType?: core.$ZodType }
  return def.innerType !== undefined && isImmutable(def.innerType)
}
