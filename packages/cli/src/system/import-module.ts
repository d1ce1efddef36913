import { createRequire } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { register as registerCommon } from 'tsx/cjs/api'
import { register } from 'tsx/esm/api'
import { onStrangeEnd } from './own-process.ts'

/** What a module exports, by name. */
type ImportedModule = Readonly<Record<string, unknown>>

let isRegistered = false
const imported = new Set<string>()

/** Imports a module of the user's, TypeScript or JavaScript, by its path. */
export async function importModule(path: string): Promise<ImportedModule> {
  if (!isRegistered) {
    isRegistered = true
    // Without "type": "module" in package.json, TypeScript becomes modules of the older format.
    registerCommon()
    register({ onImport: (url) => imported.add(url) })
  }
  // A module that ends the process would otherwise make every command a success.
  const stopListening = onStrangeEnd((isIdle) => {
    const what = isIdle ? 'awaits something that never comes' : 'ended the process'
    process.stderr.write(`error: ${path} ${what} while it was being loaded\n`)
    process.exitCode = 1
  })
  const giveBack = printedAside()
  try {
    const module = (await import(pathToFileURL(path).href)) as ImportedModule
    return isCommon(module['default']) ? module['default'] : module
  } finally {
    stopListening()
    giveBack()
  }
}

/** What a module prints while it is loaded is no part of a result: it goes to the standard error. */
function printedAside(): () => void {
  const { stdout, stderr } = process
  const own = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  return () => {
    stdout.write = own
  }
}

/** A module of the older format that was written in the newer one: what it exports is its default export, seen from here. */
function isCommon(value: unknown): value is ImportedModule {
  return typeof value === 'object' && value !== null && '__esModule' in value
}

/** The files that importing modules has loaded until now. */
export function importedUrls(): string[] {
  const { cache } = createRequire(import.meta.url)
  return [...imported, ...Object.keys(cache).map((path) => pathToFileURL(path).href)]
}
