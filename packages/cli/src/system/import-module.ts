import { pathToFileURL } from 'node:url'
import { register } from 'tsx/esm/api'

let isRegistered = false
const imported = new Set<string>()

/** Imports a module of the user's, TypeScript or JavaScript, by its path. */
export async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  if (!isRegistered) {
    isRegistered = true
    register({ onImport: (url) => imported.add(url) })
  }
  return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>
}

/** The files that importing modules has loaded until now. */
export function importedUrls(): string[] {
  return [...imported]
}
