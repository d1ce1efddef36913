import { goQuote, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { builtinData } from '../data/index.ts'

/** How a strategic merge handles the fields below one field. */
export interface PatchSchema {
  /** The name of the Go struct; undefined for maps and scalars, which have no declared fields. */
  readonly structName: string | undefined
  readonly field: (name: string) => PatchField
}

/** How a strategic merge handles a field. */
export interface PatchField {
  readonly strategy: string
  readonly mergeKey: string
  /** The schema of the value, or of the items of a list. */
  readonly schema: PatchSchema
}

function resolve(schema: JsonObject): { readonly schema: JsonObject; readonly name: string } {
  const ref = schema['ref']
  if (typeof ref !== 'string') return { schema, name: '' }
  return { schema: builtinData.schemas().schemas[ref] ?? {}, name: ref.split('.').at(-1) ?? '' }
}

const compiled = new WeakMap<JsonObject, PatchSchema>()

function schemaOf(reference: JsonObject): PatchSchema {
  const { schema, name } = resolve(reference)
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const properties = schema['properties']
  const isStruct = isJsonObject(properties) || name === 'RawExtension'
  const made = isStruct ? structSchema(name, (properties ?? {}) as JsonObject) : openSchema(schema)
  compiled.set(schema, made)
  return made
}

function structSchema(name: string, properties: JsonObject): PatchSchema {
  const fields = new Map<string, PatchField>()
  return {
    structName: name,
    field: (field) => {
      const known = fields.get(field)
      if (known !== undefined) return known
      const property = Object.hasOwn(properties, field) ? properties[field] : undefined
      if (!isJsonObject(property)) {
        const what = `for the json field ${goQuote(field)}`
        throw new Error(`unable to find api field in struct ${name} ${what}`)
      }
      const made = fieldOf(property)
      fields.set(field, made)
      return made
    },
  }
}

function openSchema(schema: JsonObject): PatchSchema {
  const kind = isJsonObject(schema['additionalProperties']) ? 'map' : 'slice'
  return {
    structName: undefined,
    field: () => {
      const message = 'merging an object in json but data type is not struct, instead is:'
      throw new Error(`${message} ${kind}`)
    },
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function fieldOf(property: JsonObject): PatchField {
  const strategies = textOf(property['x-kubernetes-patch-strategy']).split(',')
  const items = property['items']
  return {
    // retainKeys only matters to clients that create patches.
    strategy: strategies.find((strategy) => strategy !== 'retainKeys') ?? '',
    mergeKey: textOf(property['x-kubernetes-patch-merge-key']),
    schema: schemaOf(isJsonObject(items) ? items : property),
  }
}

/** The schema of a built-in kind by its definition. */
export function patchSchemaOf(definitionName: string): PatchSchema {
  const definition = builtinData.schemas().schemas[definitionName]
  if (definition === undefined) throw new Error(`no definition ${definitionName}`)
  return schemaOf({ ref: definitionName })
}
