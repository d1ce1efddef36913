/** Whether a type fits another one, and what that says about type parameters. */
import {
  celTypes,
  listType,
  mapType,
  opaqueType,
  sameType,
  typeType,
  type CelType,
} from './cel-type.ts'

/** What is known about type parameters, by name. */
export type Substitutions = Map<string, CelType>

/** Whether the type says nothing about values. */
export function isDynOrError(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error'
}

/** What is known after `one` was found to fit `other`; `undefined` if it does not. */
export function assign(
  known: Substitutions,
  one: readonly CelType[],
  other: readonly CelType[],
): Substitutions | undefined {
  const copy: Substitutions = new Map(known)
  return fitsAll(copy, one, other) ? copy : undefined
}

function fitsAll(known: Substitutions, one: readonly CelType[], other: readonly CelType[]) {
  if (one.length !== other.length) return false
  return one.every((type, index) => fits(known, type, other[index] ?? celTypes.error))
}

function fits(known: Substitutions, one: CelType, other: CelType): boolean {
  if (other.kind === 'parameter') {
    const { isValid, isKnown } = substituteFor(known, one, other)
    if (isValid) return true
    if (isKnown) return false
  }
  if (one.kind === 'parameter') return substituteFor(known, other, one).isValid
  if (isDynOrError(one) || isDynOrError(other)) return true
  if (one.kind === 'null') return isNullable(other)
  if (other.kind === 'null') return isNullable(one)
  switch (one.kind) {
    case 'type':
      return other.kind === 'type'
    case 'opaque':
    case 'list':
    case 'map':
      return (
        one.kind === other.kind &&
        one.name === other.name &&
        fitsAll(known, one.parameters, other.parameters)
      )
    default:
      return one.kind === other.kind && one.name === other.name
  }
}

function isNullable(type: CelType): boolean {
  return ['opaque', 'object', 'duration', 'timestamp', 'null'].includes(type.kind)
}

/** Tries to let a parameter stand for a type. */
function substituteFor(
  known: Substitutions,
  type: CelType,
  parameter: CelType,
): { readonly isValid: boolean; readonly isKnown: boolean } {
  if (sameType(type, parameter)) return { isValid: true, isKnown: true }
  const current = known.get(parameter.name)
  if (current === undefined) {
    if (!isFree(known, parameter, type)) return { isValid: false, isKnown: false }
    known.set(parameter.name, type)
    return { isValid: true, isKnown: false }
  }
  if (sameType(type, current)) return { isValid: true, isKnown: true }
  if (!fits(known, type, current)) return { isValid: false, isKnown: true }
  const general = mostGeneral(type, current)
  if (isFree(known, parameter, general)) known.set(parameter.name, general)
  return { isValid: true, isKnown: true }
}

/** Whether a type does not contain the parameter. */
function isFree(known: Substitutions, parameter: CelType, within: CelType): boolean {
  if (sameType(parameter, within)) return false
  if (within.kind === 'parameter') {
    const current = known.get(within.name)
    return current === undefined || isFree(known, parameter, current)
  }
  return within.parameters.every((part) => isFree(known, parameter, part))
}

/** The less specific one of two types that fit each other. */
export function mostGeneral(one: CelType, other: CelType): CelType {
  return isLessSpecific(one, other) ? one : other
}

function isLessSpecific(one: CelType, other: CelType): boolean {
  if (one.kind === 'dyn' || one.kind === 'parameter') return true
  if (other.kind === 'dyn' || other.kind === 'parameter') return false
  if (one.kind !== other.kind) return false
  if (one.kind === 'type') return true
  if (one.kind !== 'opaque' && one.kind !== 'list' && one.kind !== 'map') {
    return sameType(one, other)
  }
  return (
    one.name === other.name &&
    one.parameters.length === other.parameters.length &&
    one.parameters.every((part, index) =>
      isLessSpecific(part, other.parameters[index] ?? celTypes.error),
    )
  )
}

/** Replaces parameters by what is known; with `dyn` for unknown ones if `isFinal`. */
export function substitute(known: Substitutions, type: CelType, isFinal: boolean): CelType {
  if (type.kind === 'parameter') {
    const current = known.get(type.name)
    if (current !== undefined) return substitute(known, current, isFinal)
    return isFinal ? celTypes.dyn : type
  }
  if (type.parameters.length === 0) return type
  const [first = celTypes.dyn, second = celTypes.dyn] = type.parameters.map((part) =>
    substitute(known, part, isFinal),
  )
  switch (type.kind) {
    case 'list':
      return listType(first)
    case 'map':
      return mapType(first, second)
    case 'type':
      return typeType(first)
    default:
      return opaqueType(
        type.name,
        ...type.parameters.map((part) => substitute(known, part, isFinal)),
      )
  }
}
