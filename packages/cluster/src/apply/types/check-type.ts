import { isJsonObject, type JsonValue } from 'setpoint/schema'
import {
  decidedKind,
  defaultKind,
  typeOfField,
  type ApplyType,
  type ListType,
  type MapType,
  type ScalarType,
} from './apply-type.ts'
import { goPlain, goSyntax, goTypeName } from './go-value.ts'
import { listItemElement } from './list-items.ts'
import { fieldElement, printPathElement, type PathElement } from '../fields/path-element.ts'
import { TypedError, type TypeProblem } from './typed-error.ts'

/**
 * Whether sets and keyed lists may have duplicate items: allowed in live objects, not in
 * configurations.
 */
interface CheckOptions {
  readonly allowDuplicates: boolean
}

const none: readonly TypeProblem[] = []

/** Throws a TypedError when the value does not match the type. */
export function assertType(value: JsonValue, type: ApplyType, options: CheckOptions): void {
  const problems = problemsOf(value, type, options)
  if (problems.length > 0) throw new TypedError(problems)
}

function problemsOf(
  value: JsonValue,
  type: ApplyType,
  options: CheckOptions,
): readonly TypeProblem[] {
  const kind = decidedKind(type, value) ?? defaultKind(type)
  if (kind === 'scalar') return scalarProblems(type.scalar, value, '')
  if (value === null) return none
  if (kind === 'map' && type.map !== undefined) {
    if (isJsonObject(value)) return mapProblems(value, type.map, options)
    return [{ path: '', message: `expected map, got &{${goPlain(value)}}` }]
  }
  if (type.list === undefined) return none
  if (Array.isArray(value)) return listProblems(value, type.list, options)
  return [{ path: '', message: `expected list, got &{${goPlain(value)}}` }]
}

/** The errors of a scalar; a map or a list is an error too. */
export function scalarProblems(
  scalar: ScalarType | undefined,
  value: JsonValue | undefined,
  prefix: string,
): readonly TypeProblem[] {
  if (value === undefined || value === null) return none
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (scalar === 'numeric') {
    if (isNumber) return none
    const message = `${prefix}expected numeric (int or float), got ${goTypeName(value)}`
    return [{ path: '', message }]
  }
  if (scalar === 'string') {
    if (typeof value === 'string') return none
    const got = `&value.valueUnstructured{Value:${goSyntax(value)}}`
    return [{ path: '', message: `${prefix}expected string, got ${got}` }]
  }
  if (scalar === 'boolean') {
    if (typeof value === 'boolean') return none
    return [{ path: '', message: `${prefix}expected boolean, got &{${goPlain(value)}}` }]
  }
  if (typeof value !== 'object') return none
  return [{ path: '', message: `${prefix}expected any scalar, got &{${goPlain(value)}}` }]
}

function below(element: PathElement, problems: readonly TypeProblem[]): readonly TypeProblem[] {
  if (problems.length === 0) return none
  const prefix = printPathElement(element)
  return problems.map(({ path, message }) => ({ path: prefix + path, message }))
}

function mapProblems(
  value: { readonly [key: string]: JsonValue },
  map: MapType,
  options: CheckOptions,
): readonly TypeProblem[] {
  let found: TypeProblem[] | undefined
  for (const [name, item] of Object.entries(value)) {
    const type = typeOfField(map, name)
    if (type === undefined) {
      // A server stops at the first undeclared field.
      const undeclared = { path: `.${name}`, message: 'field not declared in schema' }
      return [...(found ?? none), undeclared]
    }
    const problems = problemsOf(item, type, options)
    if (problems.length > 0) (found ??= []).push(...below(fieldElement(name), problems))
  }
  return found ?? none
}

function listProblems(
  items: readonly JsonValue[],
  list: ListType,
  options: CheckOptions,
): readonly TypeProblem[] {
  const found: TypeProblem[] = []
  const seen = new Set<PathElement>()
  for (const [index, item] of items.entries()) {
    let element: PathElement = `i:${index}`
    if (!list.atomic) {
      try {
        element = listItemElement(list, item)
      } catch (error) {
        found.push({ path: '', message: `element ${index}: ${(error as Error).message}` })
        return found
      }
      if (seen.has(element) && !options.allowDuplicates) {
        const message = `duplicate entries for key ${printPathElement(element)}`
        found.push({ path: '', message })
      }
      seen.add(element)
    }
    found.push(...below(element, problemsOf(item, list.element, options)))
  }
  return found
}
