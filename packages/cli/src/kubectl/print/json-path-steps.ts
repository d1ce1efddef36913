import { isJsonObject, jsonEquals, type JsonValue } from 'setpoint/schema'

/** One step of kubectl's JSONPath, which has more features than that of printer columns. */
type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'union'; readonly paths: readonly JsonPathSteps[] }
  | { readonly kind: 'indexes'; readonly indexes: readonly number[] }
  | { readonly kind: 'slice'; readonly from?: number; readonly to?: number; readonly by: number }
  | { readonly kind: 'wildcard' | 'descent' }
  | { readonly kind: 'filter'; readonly left: Operand; readonly test?: Test }

type Operand = { readonly path: readonly Step[] } | { readonly value: JsonValue }

interface Test {
  readonly operator: string
  readonly right: Operand
}

/** A parsed path. */
export type JsonPathSteps = readonly Step[]

const fieldName = /^(?:\\.|[^\s.,[\]$@{}\\])+/su

/**
 * Parses `.items[*].metadata.name`; a leading `$` or `@` is the current value. Throws an Error for
 * invalid paths.
 */
export function readSteps(text: string): JsonPathSteps {
  const steps: Step[] = []
  let rest = text.trim().replace(/^[$@]/, '')
  while (rest !== '') {
    if (rest.startsWith('..')) {
      steps.push({ kind: 'descent' })
      rest = rest.slice(rest.charAt(2) === '[' ? 2 : 1)
    } else if (rest.startsWith('[')) {
      const end = closingOf(rest)
      steps.push(bracketed(rest.slice(1, end)))
      rest = rest.slice(end + 1)
    } else {
      const name = fieldName.exec(rest.replace(/^\./, ''))?.[0] ?? ''
      const isLast = rest === '.'
      if (name === '' && !isLast) throw new Error(`unrecognized character in action: ${rest}`)
      if (name === '*') steps.push({ kind: 'wildcard' })
      else if (name !== '') steps.push({ kind: 'field', name: name.replaceAll('\\', '') })
      rest = isLast ? '' : rest.slice(name.length + (rest.startsWith('.') ? 1 : 0))
    }
  }
  return steps
}

/** The index of the closing bracket of a text; brackets in quotes do not count. */
function closingOf(text: string): number {
  let depth = 0
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '\\') at += 1
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '[') depth += 1
    else if (char === ']' && --depth === 0) return at
  }
  throw new Error('unterminated array')
}

function bracketed(text: string): Step {
  const trimmed = text.trim()
  if (trimmed === '*') return { kind: 'wildcard' }
  if (trimmed.startsWith('?(') && trimmed.endsWith(')')) return filter(trimmed.slice(2, -1))
  if (/^(?:-?\d+(?:,\s*-?\d+)*)$/.test(trimmed)) {
    return { kind: 'indexes', indexes: trimmed.split(',').map(Number) }
  }
  const slice = /^(-?\d*):(-?\d*)(?::(-?\d+))?$/.exec(trimmed)
  if (slice !== null) {
    const [, from = '', to = '', by = '1'] = slice
    return {
      kind: 'slice',
      by: Number(by),
      ...(from === '' ? {} : { from: Number(from) }),
      ...(to === '' ? {} : { to: Number(to) }),
    }
  }
  const names = [...trimmed.matchAll(/'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"/gsu)]
  if (names.length === 0) throw new Error(`invalid array index ${text}`)
  // kubectl parses a quoted name again as a path: its dots need a backslash.
  const paths = names.map(([, single, double]) => readSteps(`.${single ?? double ?? ''}`))
  return { kind: 'union', paths }
}

function filter(text: string): Step {
  const [, left = '', operator = '', right = ''] =
    /^((?:[^=!<>"']|"[^"]*"|'[^']*')+?)\s*(==|!=|>=|<=|>|<)\s*(.+)$/su.exec(text.trim()) ?? []
  if (operator === '') return { kind: 'filter', left: operand(text.trim()) }
  return { kind: 'filter', left: operand(left), test: { operator, right: operand(right) } }
}

function operand(text: string): Operand {
  const trimmed = text.trim()
  if (/^[@$.]/.test(trimmed)) return { path: readSteps(trimmed) }
  if (/^(['"]).*\1$/su.test(trimmed)) {
    return { value: trimmed.slice(1, -1).replace(/\\(.)/gsu, '$1') }
  }
  if (/^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(trimmed)) {
    return { value: JSON.parse(trimmed) as JsonValue }
  }
  throw new Error(`unrecognized identifier ${trimmed}`)
}

/** All values of a path; none for a missing field. */
export function followSteps(steps: JsonPathSteps, value: JsonValue): JsonValue[] {
  let found: JsonValue[] = [value]
  for (const step of steps) found = found.flatMap((item) => follow(step, item))
  return found
}

function follow(step: Step, value: JsonValue): JsonValue[] {
  switch (step.kind) {
    case 'field':
      return isJsonObject(value) && Object.hasOwn(value, step.name)
        ? [value[step.name] as JsonValue]
        : []
    case 'union':
      return step.paths.flatMap((path) => followSteps(path, value))
    case 'indexes':
      return step.indexes.flatMap((index) => {
        const item = Array.isArray(value) ? value.at(index) : undefined
        return item === undefined ? [] : [item]
      })
    case 'slice':
      return (Array.isArray(value) ? value.slice(step.from ?? 0, step.to) : []).filter(
        (_, index) => index % step.by === 0,
      )
    case 'wildcard':
      return childrenOf(value)
    case 'descent':
      return [value, ...childrenOf(value).flatMap((child) => follow(step, child))]
    case 'filter':
      return (Array.isArray(value) ? value : []).filter((item) => passes(step, item))
  }
}

/** The items or fields of a value; fields sorted by name, as in Go. */
function childrenOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return [...value]
  if (!isJsonObject(value)) return []
  return Object.keys(value)
    .sort()
    .map((name) => value[name] as JsonValue)
}

function passes({ left, test }: Step & { kind: 'filter' }, item: JsonValue): boolean {
  const found = valuesOf(left, item)
  if (test === undefined) return found.length > 0
  const [first] = found
  const [second] = valuesOf(test.right, item)
  return first !== undefined && second !== undefined && compares(test.operator, first, second)
}

function valuesOf(side: Operand, item: JsonValue): JsonValue[] {
  return 'path' in side ? followSteps(side.path, item) : [side.value]
}

function compares(operator: string, first: JsonValue, second: JsonValue): boolean {
  if (operator === '==') return jsonEquals(first, second)
  if (operator === '!=') return !jsonEquals(first, second)
  if (typeof first !== typeof second || typeof first === 'object') return false
  const [a, b] = [first, second] as [number, number]
  if (operator === '<') return a < b
  if (operator === '>') return a > b
  return operator === '<=' ? a <= b : a >= b
}
