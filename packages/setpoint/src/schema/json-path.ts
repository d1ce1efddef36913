/**
 * The JSONPath of printer columns and scale paths: `.spec.image`, `.spec.ports[0]`,
 * `.status.conditions[?(@.type=="Ready")].status`, `.metadata.labels['a\.b/c']`. Servers parse
 * columns with kubectl's larger dialect and hardly report errors: a path that they misread gives an
 * empty cell, one that they cannot parse drops the column and all after it. Both are refused here,
 * and so are slices, unions and `..`, which print surprising cells.
 */
import { isJsonObject, jsonEquals } from './json-value.ts'
import type { JsonValue } from './structural-schema.ts'
import { spend } from './work-meter.ts'

/** The comparison of an item with a filter takes longer than other steps. */
const stepsPerFilteredItem = 4

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

/** The steps of a path, or why it is invalid. */
export type ParsedJsonPath =
  | { readonly steps: readonly JsonPathStep[]; readonly problem?: undefined }
  | { readonly steps?: undefined; readonly problem: string }

/** Parses a path that starts with a dot; `.` alone is the whole object. */
export function parseJsonPath(text: string): ParsedJsonPath {
  if (!text.startsWith('.')) return { problem: `must start with a dot: ${text}` }
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

/** Characters that end a name unless they are escaped by a backslash. */
const special = /[\s.,[\]$@{}]/u
const dottedName = /^\.((?:\\.|[^\s.,[\]$@{}\\])+)/su

function readDotted(rest: string): Read | string {
  if (rest.startsWith('..')) return 'recursive descent (..) is not supported'
  if (rest.startsWith('.[')) return 'a dot before [ finds no field: remove the dot'
  const raw = dottedName.exec(rest)?.[1]
  if (raw === undefined) return `a field name is missing before ${JSON.stringify(rest)}`
  const next = rest.slice(raw.length + 1)
  if (next === '\\') return 'nothing follows the backslash'
  if (next !== '' && !/^[.[\]]/.test(next)) {
    return `${JSON.stringify(next.charAt(0))} ends the name before it: write \\${next.charAt(0)}`
  }
  if (raw === '*') return { step: { kind: 'wildcard' }, length: 2 }
  return { step: { kind: 'field', name: unescape(raw) }, length: raw.length + 1 }
}

function unescape(name: string): string {
  return name.replaceAll('\\', '')
}

const bracketedName = /^\[('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")\]/su
const literalForms = `'(?:\\\\['\\\\]|[^'\\\\])*'|"(?:\\\\["\\\\]|[^"\\\\])*"|true|false|-?[0-9]+(?:\\.[0-9]+)?`
const filter = new RegExp(
  `^\\[\\?\\(\\s*@((?:\\.[A-Za-z0-9_-]+)+)\\s*(==|!=)\\s*(${literalForms})\\s*\\)\\]`,
  'su',
)

function readBracketed(rest: string): Read | string {
  const name = bracketedName.exec(rest)
  if (name !== null) return readQuotedName(name[1] ?? '')
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
    .map((field) => ({ kind: 'field' as const, name: field }))
  const step = { kind: 'filter', path: steps, isEqual: operator === '==' } as const
  return { step: { ...step, value: literalValue(literal) }, length: all.length }
}

/** A quoted name is parsed again as a dotted one, so special characters end it here too. */
function readQuotedName(literal: string): Read | string {
  const body = literal.slice(1, -1)
  const plain = unescape(body)
  const escaped = plain.replace(/[\s.,[\]$@{}]/gu, '\\$&')
  if (/[\],']/u.test(plain)) {
    return `a name with ] , or ' cannot stand in brackets: write .${escaped}`
  }
  if (literal.startsWith('"')) {
    return `the name ${literal} needs single quotes: write ['${escaped}']`
  }
  if (plain === '' || plain === '*') return `the brackets [${literal}] name no field`
  if (special.test(body.replace(/\\./gsu, ''))) {
    return `the name ${literal} ends at its first special character: write ['${escaped}']`
  }
  return { step: { kind: 'field', name: plain }, length: literal.length + 2 }
}

function literalValue(literal: string): JsonValue {
  if (/^['"]/.test(literal)) return literal.slice(1, -1).replace(/\\(.)/gsu, '$1')
  return /^[tf]/.test(literal) ? literal === 'true' : Number(literal)
}

/**
 * All values at the path, one after the other; none when a step is missing. A caller that needs
 * only the first value does not pay for the others.
 */
export function* evaluateJsonPath(
  steps: readonly JsonPathStep[],
  value: JsonValue,
): Generator<JsonValue, undefined> {
  const [step, ...rest] = steps
  if (step === undefined) {
    yield value
    return undefined
  }
  for (const item of follow(step, value)) yield* evaluateJsonPath(rest, item)
  return undefined
}

function follow(step: JsonPathStep, value: JsonValue): Iterable<JsonValue> {
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
      return filtered(step, Array.isArray(value) ? value : [])
  }
}

function* filtered(
  step: Extract<JsonPathStep, { kind: 'filter' }>,
  list: readonly JsonValue[],
): Generator<JsonValue> {
  for (const item of list) {
    spend(stepsPerFilteredItem)
    for (const found of evaluateJsonPath(step.path, item)) {
      if (jsonEquals(found, step.value) !== step.isEqual) continue
      yield item
      break
    }
  }
}
