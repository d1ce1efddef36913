/**
 * The JSONPath of printer columns, scale paths and selectable fields: `.spec.image`,
 * `.status.conditions[?(@.type=="Ready")].status`, `.spec.ports[0]`, `.metadata.labels['a.b/c']`.
 * Servers read columns with kubectl's larger dialect (slices, unions, `..`); those forms are refused
 * here with a reason, because they print surprising cells.
 */
import { isJsonObject, jsonEquals } from './json-value.ts'
import type { JsonValue } from './structural-schema.ts'

/** One step of a path. */
export type JsonPathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'wildcard' }
  | {
      readonly kind: 'filter'
      readonly path: readonly JsonPathStep[]
      readonly isEqual: boolean
      readonly value: JsonValue
    }

/** The steps of a path, or why it cannot be read. */
export type ParsedJsonPath =
  | { readonly steps: readonly JsonPathStep[]; readonly problem?: undefined }
  | { readonly steps?: undefined; readonly problem: string }

/** Parses a path that starts with a dot; `.` alone is the whole object. */
export function parseJsonPath(text: string): ParsedJsonPath {
  if (!text.startsWith('.') && !text.startsWith('[')) {
    return { problem: `must start with a dot: ${text}` }
  }
  if (text === '.') return { steps: [] }
  const steps: JsonPathStep[] = []
  let rest = text
  while (rest !== '') {
    const read = rest.startsWith('.') ? readDotted(rest) : readBracketed(rest)
    if (typeof read === 'string') return { problem: `${read} in ${text}` }
    steps.push(read.step)
    rest = rest.slice(read.length)
  }
  return { steps }
}

interface Read {
  readonly step: JsonPathStep
  readonly length: number
}

function readDotted(rest: string): Read | string {
  if (rest.startsWith('..')) return 'recursive descent (..) is not supported'
  // `.[0]` and `.['a']` mean the same as without the dot.
  if (rest.startsWith('.[')) {
    const inner = readBracketed(rest.slice(1))
    return typeof inner === 'string' ? inner : { ...inner, length: inner.length + 1 }
  }
  const raw = /^\.((?:\\.|[^.[\]\\])+)/su.exec(rest)?.[1]
  if (raw === undefined) return `a field name is missing before ${JSON.stringify(rest)}`
  const length = raw.length + 1
  if (raw === '*') return { step: { kind: 'wildcard' }, length }
  return { step: { kind: 'field', name: raw.replace(/\\(.)/gsu, '$1') }, length }
}

const quoted = `'(?:\\\\.|[^'\\\\])*'|"(?:\\\\.|[^"\\\\])*"`
const bracketedField = new RegExp(`^\\[(${quoted})\\]`, 'su')
const filter = new RegExp(
  `^\\[\\?\\(\\s*@((?:\\.[A-Za-z0-9_-]+)+)\\s*(==|!=)\\s*(${quoted}|true|false|null|-?[0-9.]+)\\s*\\)\\]`,
  'su',
)

function readBracketed(rest: string): Read | string {
  const field = bracketedField.exec(rest)
  if (field !== null) {
    return { step: { kind: 'field', name: unquote(field[1] ?? '') }, length: field[0].length }
  }
  if (rest.startsWith('[*]')) return { step: { kind: 'wildcard' }, length: 3 }
  const index = /^\[(-?[0-9]+)\]/.exec(rest)
  if (index !== null) {
    return { step: { kind: 'index', index: Number(index[1]) }, length: index[0].length }
  }
  if (rest.startsWith(']')) return 'an opening [ is missing'
  const match = filter.exec(rest)
  if (match === null) {
    return rest.includes(']')
      ? `the brackets ${rest.slice(0, rest.indexOf(']') + 1)} are not supported: use [0], [*], ['name'] or [?(@.name=="value")]`
      : 'a closing ] is missing'
  }
  const [all, path = '', operator, literal = ''] = match
  const steps = path
    .slice(1)
    .split('.')
    .map((name) => ({ kind: 'field' as const, name }))
  const value = /^['"]/.test(literal) ? unquote(literal) : (JSON.parse(literal) as JsonValue)
  return {
    step: { kind: 'filter', path: steps, isEqual: operator === '==', value },
    length: all.length,
  }
}

function unquote(literal: string): string {
  return literal.slice(1, -1).replace(/\\(.)/gsu, '$1')
}

/** Every value the path leads to; empty when something on the way is missing. */
export function evaluateJsonPath(steps: readonly JsonPathStep[], value: JsonValue): JsonValue[] {
  let current: JsonValue[] = [value]
  for (const step of steps) current = current.flatMap((item) => follow(step, item))
  return current
}

function follow(step: JsonPathStep, value: JsonValue): JsonValue[] {
  switch (step.kind) {
    case 'field':
      return isJsonObject(value) && Object.hasOwn(value, step.name)
        ? [value[step.name] as JsonValue]
        : []
    case 'index': {
      const item = Array.isArray(value) ? value.at(step.index) : undefined
      return item === undefined ? [] : [item]
    }
    case 'wildcard':
      return isJsonObject(value) ? Object.values(value) : Array.isArray(value) ? value : []
    case 'filter':
      return (Array.isArray(value) ? value : []).filter((item) =>
        evaluateJsonPath(step.path, item).some(
          (found) => jsonEquals(found, step.value) === step.isEqual,
        ),
      )
  }
}
