/** Looks up the names in expressions. */
import { typeType, type CelType } from './cel-type.ts'
import type { FunctionDeclaration } from './function-declaration.ts'
import type { FindMessageType } from './message-type.ts'

/** What expressions can use. */
export interface Declarations {
  readonly variables: ReadonlyMap<string, CelType>
  readonly functions: ReadonlyMap<string, FunctionDeclaration>
  /** The types with fields, by name. */
  readonly objectTypes: ReadonlyMap<string, CelType>
  /** The types with literals. */
  readonly findMessage: FindMessageType
  /** Before which the prefixes of this name are tried for every name, as in packages. */
  readonly container: string
}

/** The declarations and the variables of the loops around the current node. */
export class Names {
  readonly declarations: Declarations
  private readonly scopes: ReadonlyMap<string, CelType>[] = []

  constructor(declarations: Declarations) {
    this.declarations = declarations
  }

  /** Begins a scope with variables. */
  enter(variables: ReadonlyMap<string, CelType>): void {
    this.scopes.push(variables)
  }

  /** Ends the last scope. */
  leave(): void {
    this.scopes.pop()
  }

  /** The full names that a name can stand for, in the order of preference. */
  candidates(name: string): string[] {
    if (name.startsWith('.')) return [name.slice(1)]
    const { container } = this.declarations
    const parts = container === '' ? [] : container.split('.')
    const prefixes = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
    return [...prefixes.map((prefix) => `${prefix}.${name}`), name]
  }

  /** The variable that a name stands for. */
  lookupVariable(name: string): { name: string; type: CelType } | undefined {
    for (const candidate of this.candidates(name)) {
      for (let at = this.scopes.length - 1; at >= 0; at--) {
        const type = this.scopes[at]?.get(candidate)
        if (type !== undefined) return { name: candidate, type }
      }
      const type = this.declarations.variables.get(candidate)
      if (type !== undefined) return { name: candidate, type }
      const message = this.declarations.findMessage(candidate)
      if (message !== undefined) return { name: candidate, type: typeType(message.type) }
    }
    return undefined
  }

  /** The type with fields of this name. */
  objectType(name: string): CelType | undefined {
    return this.declarations.findMessage(name)?.type ?? this.declarations.objectTypes.get(name)
  }

  /** The type of a field of a type. */
  fieldType(name: string, field: string): CelType | undefined {
    const message = this.declarations.findMessage(name)
    if (message !== undefined) return message.fieldType(field)
    return this.declarations.objectTypes.get(name)?.fields?.get(field)
  }

  /** The function that a name stands for. */
  lookupFunction(name: string): FunctionDeclaration | undefined {
    for (const candidate of this.candidates(name)) {
      const found = this.declarations.functions.get(candidate)
      if (found !== undefined) return found
    }
    return undefined
  }
}
