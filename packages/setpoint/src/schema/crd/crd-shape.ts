/**
 * The JSON types of a CRD's fields. A server cannot decode a manifest with other types and responds
 * with 400; they are checked first, so that the other checks can rely on them.
 */
import type { CrdManifest } from './crd-manifest.ts'
import { invalid, typeInvalid, type FieldError } from '../field-error.ts'
import { isInt64 } from '../go/go-print.ts'
import { isJsonObject } from '../json-value.ts'
import { ValueValidation } from '../validate/value-validation.ts'
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'

const text: StructuralSchema = { type: 'string' }
const flag: StructuralSchema = { type: 'boolean' }
const number: StructuralSchema = { type: 'integer', format: 'int32' }
const texts: StructuralSchema = { type: 'array', items: text }
const textMap: StructuralSchema = { type: 'object', additionalProperties: text }
const anyObject: StructuralSchema = { type: 'object' }

function object(properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema {
  return { type: 'object', properties }
}

function list(items: StructuralSchema): StructuralSchema {
  return { type: 'array', items }
}

const version = object({
  name: text,
  served: flag,
  storage: flag,
  deprecated: flag,
  deprecationWarning: text,
  schema: object({ openAPIV3Schema: anyObject }),
  subresources: object({
    status: anyObject,
    scale: object({ specReplicasPath: text, statusReplicasPath: text, labelSelectorPath: text }),
  }),
  additionalPrinterColumns: list(
    object({
      name: text,
      type: text,
      format: text,
      description: text,
      priority: number,
      jsonPath: text,
    }),
  ),
  selectableFields: list(object({ jsonPath: text })),
})

const webhook = object({
  clientConfig: object({
    url: text,
    service: object({ name: text, namespace: text, path: text, port: number }),
    caBundle: text,
  }),
  conversionReviewVersions: texts,
})

const manifest = object({
  apiVersion: text,
  kind: text,
  metadata: object({
    name: text,
    generateName: text,
    labels: textMap,
    annotations: textMap,
    finalizers: texts,
    ownerReferences: list(anyObject),
    generation: { type: 'integer' },
  }),
  spec: object({
    group: text,
    scope: text,
    preserveUnknownFields: flag,
    names: object({
      plural: text,
      singular: text,
      kind: text,
      listKind: text,
      shortNames: texts,
      categories: texts,
    }),
    versions: list(version),
    conversion: object({ strategy: text, webhook }),
  }),
})

/** Values of the wrong type anywhere in the manifest, including inside its schemas. */
export function shapeProblems(crd: CrdManifest): FieldError[] {
  const value = crd as unknown as JsonValue
  const validation = new ValueValidation({ prefix: undefined, isForDefaults: false })
  validation.check(manifest, value, '')
  const errors = validation.issues.map((issue) => issue.error)
  if (errors.length > 0) return errors
  const wrongIdentity = identityProblems(crd)
  if (wrongIdentity.length > 0) return wrongIdentity
  return crd.spec.versions.flatMap(({ schema }, index) => {
    const root = schema?.openAPIV3Schema as unknown as JsonValue | undefined
    const path = `spec.versions[${index}].schema.openAPIV3Schema`
    return root === undefined ? [] : schemaProblems(root, path)
  })
}

/** Absent ones are accepted: the request path already determines them. */
function identityProblems({ apiVersion, kind }: Partial<CrdManifest>): FieldError[] {
  const expected = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }
  return Object.entries({ apiVersion: apiVersion ?? '', kind: kind ?? '' }).flatMap(
    ([field, found]) => {
      const name = expected[field as keyof typeof expected]
      return found === '' || found === name ? [] : [invalid(field, found, `must be ${name}`)]
    },
  )
}

type Shape =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'strings'
  | 'schema'
  | 'schemas'
  | 'schema map'
  | 'rules'

const keywordShapes: Readonly<Record<string, Shape>> = {
  ...keywords('string', 'id $schema $ref type format title description pattern'),
  ...keywords('string', 'x-kubernetes-list-type x-kubernetes-map-type'),
  ...keywords('number', 'maximum minimum multipleOf'),
  ...keywords('integer', 'maxLength minLength maxItems minItems maxProperties minProperties'),
  ...keywords('boolean', 'nullable exclusiveMaximum exclusiveMinimum uniqueItems'),
  ...keywords('boolean', 'x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource'),
  ...keywords('boolean', 'x-kubernetes-int-or-string'),
  ...keywords('strings', 'required x-kubernetes-list-map-keys'),
  ...keywords('schemas', 'allOf anyOf oneOf'),
  ...keywords('schema map', 'properties patternProperties definitions'),
  ...keywords('schema', 'not items additionalProperties additionalItems'),
  ...keywords('rules', 'x-kubernetes-validations'),
}

function keywords(shape: Shape, names: string): Record<string, Shape> {
  return Object.fromEntries(names.split(' ').map((name) => [name, shape]))
}

function schemaProblems(value: JsonValue, path: string): FieldError[] {
  if (!isJsonObject(value)) return [wrong(path, value, 'object')]
  return Object.entries(value).flatMap(([keyword, item]) => {
    const shape = Object.hasOwn(keywordShapes, keyword) ? keywordShapes[keyword] : undefined
    return shape === undefined ? [] : keywordProblems(shape, item, `${path}.${keyword}`)
  })
}

function keywordProblems(shape: Shape, value: JsonValue, path: string): FieldError[] {
  switch (shape) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === shape ? [] : [wrong(path, value, shape)]
    case 'integer':
      return typeof value === 'number' && isInt64(value) ? [] : [wrong(path, value, shape)]
    case 'strings':
      if (!Array.isArray(value)) return [wrong(path, value, 'array')]
      return value.flatMap((item, i) =>
        typeof item === 'string' ? [] : [wrong(`${path}[${i}]`, item, 'string')],
      )
    case 'schema':
      if (typeof value === 'boolean' && /additional\w+$/.test(path)) return []
      if (Array.isArray(value) && path.endsWith('.items'))
        return keywordProblems('schemas', value, path)
      return schemaProblems(value, path)
    case 'schemas':
      if (!Array.isArray(value)) return [wrong(path, value, 'array')]
      return value.flatMap((item, i) => schemaProblems(item, `${path}[${i}]`))
    case 'schema map':
      if (!isJsonObject(value)) return [wrong(path, value, 'object')]
      return Object.entries(value).flatMap(([key, item]) => schemaProblems(item, `${path}[${key}]`))
    case 'rules':
      if (!Array.isArray(value)) return [wrong(path, value, 'array')]
      return value.flatMap((item, i) =>
        isJsonObject(item) ? [] : [wrong(`${path}[${i}]`, item, 'object')],
      )
  }
}

function wrong(path: string, value: JsonValue, expected: string): FieldError {
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return typeInvalid(path, found, `must be of type ${expected}`)
}
