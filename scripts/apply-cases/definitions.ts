const text = { type: 'string' }
const integer = { type: 'integer' }

const spec = {
  type: 'object',
  properties: {
    text,
    count: integer,
    ratio: { type: 'number' },
    flag: { type: 'boolean' },
    when: { type: 'string', format: 'date-time' },
    either: { 'x-kubernetes-int-or-string': true },
    maybe: { type: 'string', nullable: true },
    defaulted: { type: 'string', default: 'd' },
    replicas: integer,
    struct: {
      type: 'object',
      properties: { a: text, b: text, deep: { type: 'object', properties: { c: text, d: text } } },
    },
    atomicStruct: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { a: text, b: text },
    },
    map: { type: 'object', additionalProperties: text },
    atomicMap: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      additionalProperties: text,
    },
    structs: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { x: text, y: text } },
    },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    numbers: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'number' } },
    atomicList: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: text },
    plainList: {
      type: 'array',
      items: { type: 'object', properties: { name: text, value: text } },
    },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: text,
          value: text,
          tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
          options: { type: 'object', properties: { a: text, b: text } },
        },
      },
    },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: integer, protocol: { type: 'string', default: 'TCP' }, name: text },
      },
    },
    groups: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: {
        type: 'object',
        required: ['id'],
        properties: {
          id: integer,
          members: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', required: ['name'], properties: { name: text, role: text } },
          },
        },
      },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    halfFree: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: text, inner: { type: 'object', properties: { a: text } } },
    },
    anything: { 'x-kubernetes-preserve-unknown-fields': true },
    embedded: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    strictEmbedded: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object', properties: { a: text } } },
    },
  },
}

const status = {
  type: 'object',
  properties: {
    phase: text,
    replicas: integer,
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: text, status: text, reason: text },
      },
    },
  },
}

const widgetVersion = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
})

const evolvingVersion = (name: string, storage: boolean, properties: object) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
  },
})

const group = 'applycases.setpoint.dev'

function definition(kind: string, versions: readonly object[]) {
  const plural = `${kind.toLowerCase()}s`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions,
    },
  }
}

/**
 * The custom resources of the recorded sequences: with every type of list and map, and without a
 * schema.
 */
export const customResourceDefinitions = [
  definition('Gadget', [widgetVersion('v1', true), widgetVersion('v2', false)]),
  definition('Blob', [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  ]),
  definition('Evolving', [
    evolvingVersion('v1', true, { a: text, list: { type: 'array', items: text } }),
    evolvingVersion('v2', false, {
      a: text,
      b: text,
      list: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    }),
  ]),
]
