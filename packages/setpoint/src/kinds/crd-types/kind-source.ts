import { printList, quoted } from './typescript-source.ts'

/** The arguments of `defineKind` that are known from a document. */
interface KindSource {
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly singular?: string | undefined
  readonly shortNames?: readonly string[] | undefined
  readonly scope: string
  readonly subresources?: readonly string[] | undefined
  readonly verbs?: readonly string[] | undefined
  /** The expression of its protobuf table. */
  readonly protobuf?: string | undefined
}

/**
 * The statement that creates a kind's value, besides the interface of the same name. Its type is
 * written out for projects with `isolatedDeclarations`.
 */
export function printKind(name: string, source: KindSource): string {
  const call = `/* @__PURE__ */ defineKind<${name}>({`
  const head = `export const ${name}: ExactKind<${name}> =`
  const line = `${head} ${call}`
  // Prettier has three forms: everything fits on a line, everything except the brace fits, or
  // neither.
  const [opening, closing] =
    line.length <= 100
      ? [line, '})']
      : line.length === 101
        ? [`${line.slice(0, -1)}\n  {`, '  },\n)']
        : [`${head}\n  ${call}`, '  })']
  const indent = line.length <= 100 ? '  ' : '    '
  const properties = [
    stringProperty(`${indent}apiVersion:`, source.apiVersion),
    stringProperty(`${indent}kind:`, source.kind),
    stringProperty(`${indent}plural:`, source.plural),
    stringProperty(`${indent}singular:`, source.singular),
    listProperty(`${indent}shortNames:`, source.shortNames),
    stringProperty(`${indent}scope:`, source.scope),
    listProperty(`${indent}subresources:`, source.subresources),
    listProperty(`${indent}verbs:`, source.verbs),
    source.protobuf === undefined ? undefined : `${indent}protobuf: ${source.protobuf},`,
  ]
  return [opening, ...properties.filter((property) => property !== undefined), closing].join('\n')
}

function stringProperty(head: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const line = `${head} ${quoted(value)},`
  const indent = /^ */.exec(head)?.[0] ?? ''
  return line.length <= 100 ? line : `${head}\n${indent}  ${quoted(value)},`
}

function listProperty(head: string, values: readonly string[] | undefined): string | undefined {
  if (values === undefined || values.length === 0) return undefined
  return printList({ before: `${head} `, items: values.map(quoted), brackets: '[]', after: ',' })
}
