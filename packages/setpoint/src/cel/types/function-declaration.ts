/** The declarations of functions: which arguments a call can have, and what it returns. */
import type { CelResult, CelValue } from '../values/cel-value.ts'
import {
  celTypes,
  listType,
  mapType,
  objectType,
  opaqueType,
  optionalType,
  parameterType,
  typeType,
  type CelType,
} from './cel-type.ts'

/** The implementation of an overload; the target of a method is the first argument. */
export type CelFunction = (...args: CelValue[]) => CelResult

/** One signature of a function. */
export interface Overload {
  readonly id: string
  /** Whether it is called as a method of its first argument. */
  readonly isMember: boolean
  readonly args: readonly CelType[]
  readonly result: CelType
  readonly parameters: readonly string[]
  readonly run?: CelFunction
}

/** A function with its overloads. */
export interface FunctionDeclaration {
  readonly name: string
  readonly overloads: readonly Overload[]
  /**
   * One implementation for all overloads, which finds out the types itself. `accepts` is the check
   * of the first argument before it.
   */
  readonly singleton?: {
    readonly run: CelFunction
    readonly accepts?: (value: CelValue) => boolean
  }
}

/**
 * Declares functions. The key of an entry is the name of a function; its value has a line for each
 * overload, such as `add_string(string, string): string`, or `.size(string): int` for a method,
 * with the implementation.
 */
export function declare(
  functions: Readonly<
    Record<
      string,
      | readonly (readonly [signature: string, run: CelFunction])[]
      | {
          readonly signatures: readonly string[]
          readonly run: CelFunction
          readonly accepts?: (value: CelValue) => boolean
        }
    >
  >,
): FunctionDeclaration[] {
  return Object.entries(functions).map(([name, body]) => {
    if (!('signatures' in body)) {
      return { name, overloads: body.map(([signature, run]) => readSignature(signature, run)) }
    }
    const { run, accepts } = body
    const singleton = accepts === undefined ? { run } : { run, accepts }
    const overloads = body.signatures.map((signature) => readSignature(signature))
    return { name, overloads, singleton }
  })
}

const signaturePattern = /^(?<dot>\.?)(?<id>[\w.@-]+)\((?<args>.*)\): (?<result>.+)$/su

function readSignature(signature: string, run?: CelFunction): Overload {
  const groups = signaturePattern.exec(signature)?.groups ?? {}
  const args = new TypeReader(groups.args ?? '').list()
  const result = new TypeReader(groups.result ?? '').type()
  const parameters = [...new Set([...args, result].flatMap(parametersOf))]
  const overload = { id: groups.id ?? '', isMember: groups.dot === '.', args, result, parameters }
  return run === undefined ? overload : { ...overload, run }
}

function parametersOf(type: CelType): string[] {
  return type.kind === 'parameter' ? [type.name] : type.parameters.flatMap(parametersOf)
}

/** Reads types such as `map(string, list(A))`. */
class TypeReader {
  private readonly words: string[]

  constructor(text: string) {
    this.words = text.match(/[\w.]+|[(),]/gu) ?? []
  }

  list(): CelType[] {
    const types: CelType[] = []
    while (this.words.length > 0 && this.words[0] !== ')') {
      types.push(this.type())
      if (this.words[0] === ',') this.words.shift()
    }
    return types
  }

  type(): CelType {
    const name = this.words.shift() ?? ''
    if (this.words[0] !== '(') return namedType(name)
    this.words.shift()
    const [first = celTypes.dyn, second = celTypes.dyn] = this.list()
    this.words.shift()
    if (name === 'list') return listType(first)
    if (name === 'map') return mapType(first, second)
    return name === 'type' ? typeType(first) : optionalType(first)
  }
}

function namedType(name: string): CelType {
  if (/^[A-Z]$/.test(name)) return parameterType(name)
  const known = (celTypes as Readonly<Record<string, CelType>>)[name]
  if (known !== undefined) return known
  // The types of Kubernetes' libraries are object types without fields, except addresses.
  return name.startsWith('kubernetes.') ? objectType(name) : opaqueType(name)
}
