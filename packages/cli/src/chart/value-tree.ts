import { toYaml } from '../generate/index.ts'

/** A JSON schema. */
type Schema = Readonly<Record<string, unknown>>

/** A value of the chart with its comment and its schema, or a group of values. */
export type ValueNode =
  | { readonly comment: string; readonly value: unknown; readonly schema: Schema }
  | { readonly comment: string; readonly fields: ValueTree }

/** Values by name, in the order of values.yaml. */
export type ValueTree = Readonly<Record<string, ValueNode>>

/** values.yaml: every value with its default, after a comment. */
export function valuesYaml(tree: ValueTree, depth = 0): string {
  const spaces = '  '.repeat(depth)
  return Object.entries(tree)
    .map(([name, node]) => {
      const comment = node.comment
        .split('\n')
        .map((line) => `${spaces}# ${line}\n`)
        .join('')
      if ('fields' in node)
        return `${comment}${spaces}${name}:\n${valuesYaml(node.fields, depth + 1)}`
      const text = toYaml({ [name]: node.value })
      return `${comment}${text.replaceAll(/^(?=.)/gm, spaces)}`
    })
    .join(depth === 0 ? '\n' : '')
}

/** values.schema.json: Helm refuses unknown values and wrong types. */
export function valuesSchema(tree: ValueTree): object {
  const global = { type: 'object', description: 'Helm gives it to subcharts.' }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...groupSchema(tree, { global }),
  }
}

function groupSchema(tree: ValueTree, more: Readonly<Record<string, object>> = {}): object {
  const properties = Object.entries(tree).map(([name, node]) => [
    name,
    {
      description: node.comment.replaceAll('\n', ' '),
      ...('fields' in node ? groupSchema(node.fields) : node.schema),
    },
  ])
  return {
    type: 'object',
    additionalProperties: false,
    properties: { ...Object.fromEntries(properties), ...more } as unknown,
  }
}
