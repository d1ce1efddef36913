import type { JsonObject, JsonValue, StructuralSchema } from 'setpoint/schema'
import type { ServedResource } from '../resources/served-resource.ts'
import { metaDefinition, referenceTo, type DefinitionNames } from './definition-names.ts'

/** The definitions of a custom resource and of its list. */
export function customSchemas(
  resource: ServedResource,
  names: DefinitionNames,
  form: Form = 'v3',
): Record<string, JsonObject> {
  const { kind, listKind } = resource
  return {
    [names.kind]: { ...ownSchema(resource, form), ...kindExtensions(resource, kind) },
    [names.list]: {
      description: `${listKind} is a list of ${kind}`,
      type: 'object',
      required: ['items'],
      properties: withIdentity(
        {
          items: {
            type: 'array',
            items: referenceTo(names.kind),
            description: `List of ${resource.plural}. More info: ${conventions}`,
          },
        },
        'ListMeta',
      ),
      ...kindExtensions(resource, listKind),
    },
  }
}

/** The version of OpenAPI: clients of version 2 refuse fields besides those of a definition. */
type Form = 'v2' | 'v3'

function ownSchema({ schema = anything }: ServedResource, form: Form): JsonObject {
  if (form === 'v2' && schema['x-kubernetes-preserve-unknown-fields'] === true) {
    return { type: 'object' }
  }
  const { properties, ...root } = publishedSchema(schema, form)
  return { ...root, properties: withIdentity(properties, 'ObjectMeta') }
}

const anything: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** The extensions by which kubectl finds the kind of a definition and its selectable fields. */
function kindExtensions({ group, version, selectable }: ServedResource, kind: string): JsonObject {
  const fields = [...selectable.names].filter((name) => !name.startsWith('metadata.'))
  return {
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(fields.length === 0
      ? {}
      : { 'x-kubernetes-selectable-fields': fields.map((fieldPath) => ({ fieldPath })) }),
  }
}

/** These fields have the same schema in every object. The definition cannot change it. */
function withIdentity(
  properties: JsonValue | undefined,
  metadata: 'ListMeta' | 'ObjectMeta',
): JsonObject {
  return {
    ...(properties as JsonObject | undefined),
    apiVersion: { type: 'string', description: identityProse.apiVersion },
    kind: { type: 'string', description: identityProse.kind },
    metadata: {
      allOf: [referenceTo(metaDefinition(metadata))],
      description: identityProse[metadata],
    },
  }
}

const conventions =
  'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md'

/** The descriptions that a real server adds to these fields of every definition. */
const identityProse = {
  apiVersion: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
  kind: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
  ObjectMeta: `Standard object's metadata. More info: ${conventions}#metadata`,
  ListMeta: `Standard list metadata. More info: ${conventions}#types-kinds`,
} as const

const integerOrString: JsonValue = [{ type: 'integer' }, { type: 'string' }]

/** A schema as it is published: some of its extensions are also expressed in plain OpenAPI. */
function publishedSchema(schema: StructuralSchema, form: Form): JsonObject {
  const { properties, items, additionalProperties, ...rest } = schema
  const published = { ...rest } as JsonObject
  if (properties !== undefined) {
    published['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, publishedSchema(property, form)]),
    )
  }
  if (items !== undefined) published['items'] = publishedSchema(items, form)
  if (additionalProperties !== undefined) {
    published['additionalProperties'] =
      typeof additionalProperties === 'object'
        ? publishedSchema(additionalProperties, form)
        : additionalProperties
  }
  if (schema['x-kubernetes-int-or-string'] === true) published['anyOf'] ??= integerOrString
  const isOpen = form === 'v2' && schema['x-kubernetes-preserve-unknown-fields'] === true
  const isResource = schema['x-kubernetes-embedded-resource'] === true && !isOpen
  return isResource ? asResource(published) : published
}

/** An embedded resource requires kind and apiVersion. */
function asResource(published: JsonObject): JsonObject {
  const required = new Set((published['required'] ?? []) as string[])
  return {
    ...published,
    required: [...required.add('kind').add('apiVersion')],
    properties: withIdentity(published['properties'], 'ObjectMeta'),
  }
}
