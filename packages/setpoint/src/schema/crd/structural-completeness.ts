/** Fields inside a logical keyword must also be declared outside of it. */
import { required, type FieldError } from '../field-error.ts'
import type { StructuralSchema } from '../structural-schema.ts'

interface Paths {
  /** Where the declaration is missing. */
  readonly declared: string
  /** Where the keyword uses it. */
  readonly used: string
}

/** Properties and items that occur only inside `allOf`, `anyOf`, `oneOf` or `not`. */
export function completenessProblems(schema: StructuralSchema, path: string): FieldError[] {
  return branchesOf(schema).flatMap(([branch, name]) =>
    missingFor(branch, schema, { declared: path, used: `${path}.${name}` }),
  )
}

function branchesOf(schema: StructuralSchema): (readonly [StructuralSchema, string])[] {
  const { not, allOf = [], anyOf = [], oneOf = [] } = schema
  return [
    ...(not === undefined ? [] : [[not, 'not'] as const]),
    ...allOf.map((branch, index) => [branch, `allOf[${index}]`] as const),
    ...anyOf.map((branch, index) => [branch, `anyOf[${index}]`] as const),
    ...oneOf.map((branch, index) => [branch, `oneOf[${index}]`] as const),
  ]
}

function missingFor(
  branch: StructuralSchema,
  declaration: StructuralSchema | undefined,
  { declared, used }: Paths,
): FieldError[] {
  if (declaration === undefined) return [required(declared, `because it is defined in ${used}`)]
  const errors = branchesOf(branch).flatMap(([inner, name]) =>
    missingFor(inner, declaration, { declared, used: `${used}.${name}` }),
  )
  if (branch.items !== undefined) {
    const paths = { declared: `${declared}.items`, used: `${used}.items` }
    errors.push(...missingFor(branch.items, declaration.items, paths))
  }
  for (const [key, property] of Object.entries(branch.properties ?? {})) {
    const name = `properties[${key}]`
    const { properties = {} } = declaration
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined
    errors.push(
      ...missingFor(property, known, { declared: `${declared}.${name}`, used: `${used}.${name}` }),
    )
  }
  return errors
}
