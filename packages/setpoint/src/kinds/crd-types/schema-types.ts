import { SetpointError } from '../../errors/index.ts'
import { asList, asObject } from './crd-document.ts'
import {
  named,
  union,
  type InterfaceSource,
  type Member,
  type TypeNode,
} from './typescript-source.ts'

/** Deeper than any maintained schema; a document nested further is broken or malicious. */
const depthMax = 100

/** Names with a meaning in the printed file; a CRD must not use them. */
const reservedNames = [
  'EmbeddedResource',
  'ExactKind',
  'IntOrString',
  'ObjectMeta',
  'Record',
  'StoredMetadata',
]

interface Place {
  /** The name of an interface at this place. */
  readonly name: string
  readonly depth: number
  /** Whether the property of this type already has the description. */
  readonly isProperty?: boolean
}

/**
 * Turns the schemas of one CRD into interfaces. Every object with properties gets a name, made of
 * the names on the path to it, so that users can refer to the parts.
 */
export class SchemaTypes {
  /** In the order of the schema: an object comes before its content. */
  readonly interfaces: InterfaceSource[] = []
  /** Names that the interfaces use and `setpoint/kinds` exports. */
  readonly imports = new Set<string>()
  readonly #names = new Set(reservedNames)

  /** Reserves a type name: the requested one, or with a number if it is taken. */
  takeName(wanted: string): string {
    let name = wanted
    for (let count = 2; this.#names.has(name); count += 1) name = `${wanted}${count}`
    this.#names.add(name)
    return name
  }

  /** Adds an interface for an object schema whose first members the caller decides. */
  addInterface(first: readonly Member[], schema: unknown, options: InterfaceOptions): void {
    const { description, properties, required } = readObjectSchema(schema)
    const { name, depth = 0, doc = description, optional = [] } = options
    const members: Member[] = [...first]
    const source = { name, members, doc, open: isOpen(schema) }
    this.interfaces.push(source)
    for (const [property, propertySchema] of properties) {
      if (first.some((member) => member.name === property)) continue
      const place = { name: name + pascalCase(property), depth: depth + 1, isProperty: true }
      members.push({
        name: property,
        optional: !required.has(property) || optional.includes(property),
        type: this.typeOf(propertySchema, place),
        doc: readObjectSchema(propertySchema).description,
      })
    }
  }

  /** The type of the values that a schema accepts. */
  typeOf(schema: unknown, place: Place): TypeNode {
    if (place.depth > depthMax) {
      throw new SetpointError(
        'CRD_INVALID',
        `the schema is nested deeper than ${depthMax} levels`,
        {
          hint: 'no CRD needs that; look for a schema that contains itself',
        },
      )
    }
    const type = this.#presentTypeOf(asObject(schema), place)
    return asObject(schema).nullable === true ? union(type, named('null')) : type
  }

  #presentTypeOf(schema: Readonly<Record<string, unknown>>, place: Place): TypeNode {
    if (schema['x-kubernetes-int-or-string'] === true) return this.#imported('IntOrString')
    const literals = asList(schema.enum).map(literalOf)
    if (literals.length > 0 && literals.every((literal) => literal !== undefined)) {
      return union(...literals)
    }
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'number':
        return named(schema.type)
      case 'integer':
        return named('number')
      case 'array': {
        const item = { name: `${place.name}Item`, depth: place.depth + 1 }
        return { form: 'array', of: this.typeOf(schema.items, item) }
      }
      case 'object':
        return this.#objectTypeOf(schema, place)
      default:
        return named('unknown')
    }
  }

  #objectTypeOf(schema: Readonly<Record<string, unknown>>, place: Place): TypeNode {
    const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
    const { properties } = readObjectSchema(schema)
    const own = properties.filter(([name]) => !isEmbedded || !(name in embeddedMembers))
    if (own.length > 0) {
      const name = this.takeName(place.name)
      const first = isEmbedded ? Object.values(embeddedMembers) : []
      if (isEmbedded) this.imports.add('ObjectMeta')
      const doc = place.isProperty === true ? { doc: '' } : {}
      this.addInterface(first, schema, { name, depth: place.depth, ...doc })
      return named(name)
    }
    if (isEmbedded) return this.#imported('EmbeddedResource')
    const values = schema.additionalProperties
    if (typeof values !== 'object') return { form: 'record', of: named('unknown') }
    const value = { name: `${place.name}Value`, depth: place.depth + 1 }
    return { form: 'record', of: this.typeOf(values, value) }
  }

  #imported(name: string): TypeNode {
    this.imports.add(name)
    return named(name)
  }
}

interface InterfaceOptions {
  readonly name: string
  readonly depth?: number
  /** Replaces the schema's own description. */
  readonly doc?: string | undefined
  /** Properties that may be absent even where the schema requires them. */
  readonly optional?: readonly string[]
}

/** The members of every embedded resource, whether its schema repeats them or not. */
const embeddedMembers: Readonly<Record<string, Member>> = {
  apiVersion: { name: 'apiVersion', optional: false, type: named('string') },
  kind: { name: 'kind', optional: false, type: named('string') },
  metadata: { name: 'metadata', optional: true, type: named('ObjectMeta') },
}

/** An identifier with capitals instead of separators; empty if no valid character is left. */
export function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

function readObjectSchema(schema: unknown): {
  readonly description: string | undefined
  readonly properties: readonly (readonly [string, unknown])[]
  readonly required: ReadonlySet<unknown>
} {
  const { description, properties, required } = asObject(schema)
  return {
    description: typeof description === 'string' ? description : undefined,
    properties: Object.entries(asObject(properties)),
    required: new Set(asList(required)),
  }
}

function isOpen(schema: unknown): boolean {
  return (
    (schema ?? undefined) === undefined ||
    asObject(schema)['x-kubernetes-preserve-unknown-fields'] === true
  )
}

function literalOf(value: unknown): TypeNode | undefined {
  if (value === null) return named('null')
  if (typeof value === 'string' || typeof value === 'boolean') return { form: 'literal', value }
  return typeof value === 'number' && Number.isFinite(value)
    ? { form: 'literal', value }
    : undefined
}
