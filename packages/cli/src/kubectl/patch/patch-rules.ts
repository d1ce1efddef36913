import type { Client } from 'setpoint/client'
import type { ApiResource } from '../api-resources.ts'

interface PublishedSchema {
  readonly $ref?: string
  readonly allOf?: readonly PublishedSchema[]
  readonly properties?: Readonly<Record<string, PublishedSchema>>
  readonly additionalProperties?: PublishedSchema | boolean
  readonly items?: PublishedSchema
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string
    readonly version: string
    readonly kind: string
  }[]
}

type Schemas = Readonly<Record<string, PublishedSchema>>

/** How a field of a built-in kind is patched, as the server publishes it in its OpenAPI. */
export class PatchRules {
  readonly #schemas: Schemas
  readonly #schema: PublishedSchema

  constructor(schemas: Schemas, schema: PublishedSchema) {
    this.#schemas = schemas
    this.#schema = schema
  }

  /** The patch strategy of a list, or of an object that is replaced as a whole. */
  get strategy(): 'merge' | 'replace' | undefined {
    const words = (this.#schema['x-kubernetes-patch-strategy'] ?? '').split(',')
    return (['merge', 'replace'] as const).find((word) => words.includes(word))
  }

  /** Fields that the file does not have are removed, including those of other managers. */
  get retainsKeys(): boolean {
    return (this.#schema['x-kubernetes-patch-strategy'] ?? '').includes('retainKeys')
  }

  /** The field that identifies the items of a list. */
  get mergeKey(): string | undefined {
    return this.#schema['x-kubernetes-patch-merge-key']
  }

  /** The rules of a field. */
  field(name: string): PatchRules {
    const { properties = {}, additionalProperties } = this.#resolved(this.#schema)
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    const other = typeof additionalProperties === 'object' ? additionalProperties : {}
    return new PatchRules(this.#schemas, own ?? other)
  }

  /** The rules of the items of a list. */
  get items(): PatchRules {
    return new PatchRules(this.#schemas, this.#resolved(this.#schema).items ?? {})
  }

  #resolved(schema: PublishedSchema): PublishedSchema {
    const ref = schema.$ref ?? schema.allOf?.[0]?.$ref
    const target = ref === undefined ? undefined : this.#schemas[ref.split('/').at(-1) ?? '']
    return target === undefined ? schema : this.#resolved(target)
  }
}

/**
 * Schemas of built-in types; custom resources in groups of Kubernetes, such as the Gateway API,
 * have other names.
 */
const ownSchema = /^io\.k8s\.(?:api|kube-aggregator|apiextensions-apiserver)\./

/** The rules of a kind; `undefined` for kinds without strategic merge patches. */
export async function readPatchRules(
  { transport }: Client,
  { group, version, kind }: ApiResource,
): Promise<PatchRules | undefined> {
  // Custom resources have no rules: their group has a dot and is not one of Kubernetes.
  if (group.includes('.') && !group.endsWith('.k8s.io')) return undefined
  const path = group === '' ? `/openapi/v3/api/${version}` : `/openapi/v3/apis/${group}/${version}`
  const text = await transport.text({ method: 'GET', path, what: `schemas of ${group}/${version}` })
  const { components } = JSON.parse(text) as { components?: { schemas?: Schemas } }
  const schemas = components?.schemas ?? {}
  const found = Object.entries(schemas).find(
    ([name, schema]) =>
      ownSchema.test(name) &&
      schema['x-kubernetes-group-version-kind']?.some(
        (each) => each.group === group && each.version === version && each.kind === kind,
      ) === true,
  )
  return found === undefined ? undefined : new PatchRules(schemas, found[1])
}
