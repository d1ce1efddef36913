import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The folder of a package that modules of `folder` would import; `undefined` if it is missing. */
export function resolvePackage(name: string, folder: string): string | undefined {
  try {
    return dirname(createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
