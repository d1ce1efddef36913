/** The schemas of an aggregated API, for `kubectl explain` and the validation of kubectl. Pure. */
import type { JsonObject, JsonValue } from '../../schema/index.ts'
import { isJsonObject } from '../../schema/index.ts'
import type { ApiDeclaration } from '../declare/api-declaration.ts'
import { type ServedResource, verbsOf } from '../declare/serve-resource.ts'

/** The document at `/openapi/v3/apis/GROUP/VERSION`. */
export function openApiV3(api: ApiDeclaration): JsonObject {
  return {
    openapi: '3.0.0',
    info: infoOf([api]),
    paths: pathsOf(api, 'v3'),
    components: { schemas: schemasOf(api, (schema) => schema) },
  }
}

/** The document at `/openapi/v2`, of all APIs of the process. */
export function openApiV2(apis: readonly ApiDeclaration[]): JsonObject {
  const merged = (parts: readonly JsonObject[]): JsonObject =>
    Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
  return {
    swagger: '2.0',
    info: infoOf(apis),
    paths: merged(apis.map((api) => pathsOf(api, 'v2'))),
    definitions: merged(apis.map((api) => schemasOf(api, plainSchema))),
  }
}

function infoOf(apis: readonly ApiDeclaration[]): JsonObject {
  const versions = apis.map(({ group, version }) => `${group}/${version}`)
  return { title: versions.join(', '), version: 'unversioned' }
}

/** Names of schemas begin with the reversed group, as those of CRDs do. */
function schemaName({ definition: { group, version, kind } }: ServedResource): string {
  return [...group.split('.').reverse(), version, kind].join('.')
}

function groupVersionKind({ definition: { group, version, kind } }: ServedResource): JsonObject {
  return { group, version, kind }
}

type Convert = (schema: JsonValue) => JsonValue

function schemasOf({ resources }: ApiDeclaration, convert: Convert): JsonObject {
  return Object.fromEntries(
    resources.map((resource) => {
      const schema = resource.definition.schema() as unknown as JsonObject
      const properties = convert(schema['properties'] ?? {}) as JsonObject
      return [
        schemaName(resource),
        {
          ...(schema['description'] === undefined ? {} : { description: schema['description'] }),
          ...(schema['required'] === undefined ? {} : { required: schema['required'] }),
          type: 'object',
          properties: { ...identity, ...properties },
          'x-kubernetes-group-version-kind': [groupVersionKind(resource)],
        },
      ]
    }),
  )
}

const texts = { type: 'object', additionalProperties: { type: 'string' } }

/** The fields of every object; those of the metadata that users read and write. */
const identity: JsonObject = {
  apiVersion: {
    type: 'string',
    description: 'APIVersion defines the versioned schema of this representation of an object.',
  },
  kind: {
    type: 'string',
    description: 'Kind is the REST resource that this object represents.',
  },
  metadata: {
    type: 'object',
    description: "Standard object's metadata.",
    'x-kubernetes-preserve-unknown-fields': true,
    properties: {
      name: { type: 'string' },
      generateName: { type: 'string' },
      namespace: { type: 'string' },
      labels: texts,
      annotations: texts,
      uid: { type: 'string' },
      resourceVersion: { type: 'string' },
      creationTimestamp: { type: 'string', format: 'date-time' },
    },
  },
}

/** OpenAPI v2 has no alternatives and no nulls. */
const v3Keywords = new Set(['oneOf', 'anyOf', 'allOf', 'not', 'nullable', 'default'])

function plainSchema(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plainSchema)
  if (!isJsonObject(value)) return value
  // Fields of objects have the names of their authors, so only keywords of schemas are dropped.
  const isSchema = 'type' in value || 'x-kubernetes-preserve-unknown-fields' in value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isSchema || !v3Keywords.has(key))
      .map(([key, one]) => [key, plainSchema(one)]),
  )
}

interface Operation {
  readonly verb: string
  readonly method: string
  readonly isCollection: boolean
  /** What the client may add to the path. */
  readonly query: readonly string[]
}

const writing = ['dryRun', 'fieldManager', 'fieldValidation']
const selecting = [
  'fieldSelector',
  'labelSelector',
  'limit',
  'continue',
  'resourceVersion',
  'watch',
]

/** The operations of a resource. */
const operations: readonly Operation[] = [
  { verb: 'list', method: 'get', isCollection: true, query: selecting },
  { verb: 'create', method: 'post', isCollection: true, query: writing },
  { verb: 'get', method: 'get', isCollection: false, query: [] },
  { verb: 'update', method: 'put', isCollection: false, query: writing },
  { verb: 'patch', method: 'patch', isCollection: false, query: writing },
  { verb: 'delete', method: 'delete', isCollection: false, query: ['dryRun'] },
]

function pathsOf({ group, version, resources }: ApiDeclaration, form: 'v2' | 'v3'): JsonObject {
  const paths = resources.flatMap((resource): [string, JsonObject][] => {
    const { plural, scope } = resource.definition
    const isNamespaced = scope === 'Namespaced'
    const root = `/apis/${group}/${version}`
    const all = `${root}${isNamespaced ? '/namespaces/{namespace}' : ''}/${plural}`
    const names = isNamespaced ? ['namespace'] : []
    return [
      [all, pathItem(resource, { form, isCollection: true, names })],
      [
        `${all}/{name}`,
        pathItem(resource, { form, isCollection: false, names: [...names, 'name'] }),
      ],
    ]
  })
  return Object.fromEntries(paths)
}

interface PathOptions {
  readonly form: 'v2' | 'v3'
  readonly isCollection: boolean
  readonly names: readonly string[]
}

function pathItem(resource: ServedResource, options: PathOptions): JsonObject {
  const { form, isCollection, names } = options
  const served = verbsOf(resource)
  const own = operations.filter(
    (one) => one.isCollection === isCollection && served.includes(one.verb),
  )
  return {
    ...Object.fromEntries(own.map((one) => [one.method, operation(resource, one, form)])),
    parameters: names.map((name) => parameter(name, 'path', form)),
  }
}

function operation(resource: ServedResource, one: Operation, form: 'v2' | 'v3'): JsonObject {
  const { kind, group, version } = resource.definition
  const id = [one.verb, group, version, kind]
    .join('-')
    .replaceAll(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase())
  const schema = {
    $ref: `#/${form === 'v2' ? 'definitions' : 'components/schemas'}/${schemaName(resource)}`,
  }
  const ok = form === 'v2' ? { schema } : { content: { 'application/json': { schema } } }
  const hasBody = ['post', 'put'].includes(one.method)
  const inBody =
    hasBody && form === 'v2' ? [{ name: 'body', in: 'body', required: true, schema }] : []
  return {
    operationId: id,
    parameters: [...one.query.map((name) => parameter(name, 'query', form)), ...inBody],
    ...(hasBody && form === 'v3' ? { requestBody: { content: { '*/*': { schema } } } } : {}),
    responses: {
      200: { description: 'OK', ...(one.verb === 'list' || one.verb === 'delete' ? {} : ok) },
    },
    'x-kubernetes-action':
      one.verb === 'create' ? 'post' : one.verb === 'update' ? 'put' : one.verb,
    'x-kubernetes-group-version-kind': groupVersionKind(resource),
  }
}

function parameter(name: string, place: 'path' | 'query', form: 'v2' | 'v3'): JsonObject {
  const type = { type: name === 'limit' ? 'integer' : name === 'watch' ? 'boolean' : 'string' }
  return {
    name,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
    ...(form === 'v2'
      ? { ...type, uniqueItems: true }
      : { schema: { ...type, uniqueItems: true } }),
  }
}
