import { createRequire } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { register as registerCommon } from 'tsx/cjs/api'
import { register } from 'tsx/esm/api'
import { onUnexpectedExit } from './own-process.ts'

/** The exports of a module, by name. */
type ImportedModule = Readonly<Record<string, unknown>>

let isRegistered = false
const imported = new Set<string>()

/** Imports a TypeScript or JavaScript module of the user by its path. */
export async function importModule(path: string): Promise<ImportedModule> {
  if (!isRegistered) {
    isRegistered = true
    // Without "type": "module" in package.json, TypeScript files are CommonJS modules.
    registerCommon()
    register({ onImport: (url) => imported.add(url) })
  }
  // A module that ends the process must not make the command succeed.
  const stopListening = onUnexpectedExit((isIdle) => {
    const what = isIdle ? 'has a top-level await that never resolves' : 'ended the process'
    process.stderr.write(`error: ${path} ${what} while it was loaded\n`)
    process.exitCode = 1
  })
  const restore = redirectStdout()
  try {
    const module = (await import(pathToFileURL(path).href)) as ImportedModule
    return isCommon(module['default']) ? module['default'] : module
  } finally {
    stopListening()
    restore()
  }
}

/**
 * Output of a module while it is loaded is not part of the result: it goes to the standard error.
 */
function redirectStdout(): () => void {
  const { stdout, stderr } = process
  const own = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  return () => {
    stdout.write = own
  }
}

/**
 * A CommonJS module that was compiled from ES module syntax: its exports are its default export
 * here.
 */
function isCommon(value: unknown): value is ImportedModule {
  return typeof value === 'object' && value !== null && '__esModule' in value
}

/** The URLs of all files that were loaded by importing modules. */
export function importedUrls(): string[] {
  const { cache } = createRequire(import.meta.url)
  return [...imported, ...Object.keys(cache).map((path) => pathToFileURL(path).href)]
}
