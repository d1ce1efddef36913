/** All functions of Kubernetes 1.36. */
import type { FunctionDeclaration } from '../types/function-declaration.ts'
import { declare } from '../types/function-declaration.ts'
import { addresses } from './addresses.ts'
import { arithmetic } from './arithmetic.ts'
import { authorizers } from './authorizer.ts'
import { comparisons } from './comparisons.ts'
import { conversions } from './conversions.ts'
import { namedFormats } from './formats.ts'
import { listExtensions } from './list-extensions.ts'
import { lists } from './lists.ts'
import { optionals } from './optionals.ts'
import { patterns } from './patterns.ts'
import { quantities } from './quantity.ts'
import { semvers } from './semver.ts'
import { strings } from './strings.ts'
import { times } from './times.ts'
import { urls } from './urls.ts'

/** Overloads of the same function from different libraries, in the order of the libraries. */
function merged(
  libraries: readonly (readonly FunctionDeclaration[])[],
): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>()
  for (const declaration of libraries.flat()) {
    const { name, overloads } = declaration
    const known = functions.get(name)
    functions.set(
      name,
      known === undefined
        ? declaration
        : { ...known, overloads: [...known.overloads, ...overloads] },
    )
  }
  return functions
}

/** The functions that every expression of Kubernetes can call, by name. */
export const kubernetesFunctions: ReadonlyMap<string, FunctionDeclaration> = merged([
  arithmetic,
  comparisons,
  conversions,
  times,
  urls,
  patterns,
  lists,
  authorizers,
  optionals,
  quantities,
  strings,
  addresses,
  namedFormats,
  listExtensions,
  semvers,
])

/** The function of mutating policies that escapes a key of a JSON Patch. */
export const jsonPatchFunctions: readonly FunctionDeclaration[] = declare({
  'jsonpatch.escapeKey': [
    [
      'string_jsonpatch_escapeKey_string(string): string',
      (key) => (key as string).replace(/[/~]/g, (character) => (character === '/' ? '~1' : '~0')),
    ],
  ],
})
