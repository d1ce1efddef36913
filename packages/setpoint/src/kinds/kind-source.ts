import { printList, quoted } from './typescript-source.ts'

/** What `defineKind` is called with, as far as it is known from a document rather than from code. */
interface KindSource {
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly singular?: string | undefined
  readonly shortNames?: readonly string[] | undefined
  readonly scope: string
  readonly subresources?: readonly string[] | undefined
  readonly verbs?: readonly string[] | undefined
}

/** The statement that makes a kind's value, beside the interface of the same name. */
export function printKind(name: string, source: KindSource): string {
  const call = `/* @__PURE__ */ defineKind<${name}>({`
  const line = `export const ${name} = ${call}`
  const isLong = line.length > 100
  const indent = isLong ? '    ' : '  '
  const properties = [
    stringProperty(`${indent}apiVersion:`, source.apiVersion),
    stringProperty(`${indent}kind:`, source.kind),
    stringProperty(`${indent}plural:`, source.plural),
    stringProperty(`${indent}singular:`, source.singular),
    listProperty(`${indent}shortNames:`, source.shortNames),
    stringProperty(`${indent}scope:`, source.scope),
    listProperty(`${indent}subresources:`, source.subresources),
    listProperty(`${indent}verbs:`, source.verbs),
  ]
  return [
    isLong ? `export const ${name} =\n  ${call}` : line,
    ...properties.filter((property) => property !== undefined),
    isLong ? '  })' : '})',
  ].join('\n')
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
