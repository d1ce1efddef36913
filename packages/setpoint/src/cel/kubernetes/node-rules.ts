/** The compiled rules of a schema, in the shape of the schema. Nodes without rules are left out. */
import type { StructuralSchema } from '../../schema/index.ts'
import { RuleCompiler, type CompiledRule } from './compile-rule.ts'
import { escapeName } from './escape-name.ts'
import { schemaType, type SchemaType } from './schema-type.ts'

/** The rules of a node and below it. */
export interface NodeRules {
  readonly schema: StructuralSchema
  readonly isRoot: boolean
  readonly compiled: readonly CompiledRule[]
  readonly items: NodeRules | undefined
  readonly values: NodeRules | undefined
  readonly properties: ReadonlyMap<string, NodeRules>
  readonly allOf: readonly NodeRules[]
}

const known = new WeakMap<StructuralSchema, { readonly rules: NodeRules | undefined }>()

/** The rules of a schema; they are compiled once. `undefined` if there are none. */
export function nodeRulesOf(schema: StructuralSchema): NodeRules | undefined {
  let entry = known.get(schema)
  if (entry === undefined) {
    const type = hasRules(schema) ? schemaType(schema, true) : undefined
    entry = { rules: type && compileNode(schema, schema, { isRoot: true, type }) }
    known.set(schema, entry)
  }
  return entry.rules
}

function hasRules(schema: StructuralSchema): boolean {
  const { items, additionalProperties, properties = {} } = schema
  return (
    (schema['x-kubernetes-validations'] ?? []).length > 0 ||
    (items !== undefined && hasRules(items)) ||
    (typeof additionalProperties === 'object' && hasRules(additionalProperties)) ||
    Object.values(properties).some(hasRules)
  )
}

interface Scope {
  readonly isRoot: boolean
  readonly type: SchemaType | undefined
}

/** `rules` has the rules; `schema` the structure, which `allOf` does not repeat. */
function compileNode(
  rules: StructuralSchema,
  schema: StructuralSchema,
  { isRoot, type }: Scope,
): NodeRules | undefined {
  const isEmbedded = (child: StructuralSchema): boolean =>
    child['x-kubernetes-embedded-resource'] === true
  const child = (
    one: StructuralSchema | boolean | undefined,
    other: StructuralSchema | boolean | undefined,
  ): NodeRules | undefined =>
    typeof one === 'object' && typeof other === 'object'
      ? compileNode(one, other, { isRoot: isEmbedded(other), type: type?.element })
      : undefined
  const items = child(rules.items, schema.items)
  const values = child(rules.additionalProperties, schema.additionalProperties)
  const properties = compileProperties(rules, schema, type)
  const allOf = (rules.allOf ?? []).flatMap(
    (nested) => compileNode(nested, schema, { isRoot, type }) ?? [],
  )
  const own = rules['x-kubernetes-validations'] ?? []
  const isEmpty =
    own.length === 0 && !items && !values && properties.size === 0 && allOf.length === 0
  if (isEmpty) return undefined
  const compiler = type && new RuleCompiler(schema, type)
  const compiled = compiler === undefined ? [] : own.map((rule) => compiler.compile(rule))
  return { schema, isRoot, compiled, items, values, properties, allOf }
}

function compileProperties(
  rules: StructuralSchema,
  schema: StructuralSchema,
  type: SchemaType | undefined,
): ReadonlyMap<string, NodeRules> {
  const found = new Map<string, NodeRules>()
  for (const [name, property] of Object.entries(rules.properties ?? {})) {
    const node = schema.properties?.[name]
    if (node === undefined) continue
    const isRoot = node['x-kubernetes-embedded-resource'] === true
    const identifier = escapeName(name)
    const fieldType =
      identifier === undefined ? schemaType(node, isRoot) : type?.fields?.get(identifier)
    const compiled = fieldType && compileNode(property, node, { isRoot, type: fieldType })
    if (compiled !== undefined) found.set(name, compiled)
  }
  return found
}
