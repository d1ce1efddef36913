import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'vitest'
import { documents, withPrograms } from './documents.ts'
import { runWalkthrough } from './run-walkthrough.ts'

/** Documents that start clusters are slow, and the machine may be shared. */
const documentMsMax = 240_000

test.concurrent.for(documents)(
  '%s: all commands have the documented output',
  { timeout: documentMsMax },
  async (document) => {
    await runWalkthrough(document)
  },
)

test.concurrent.for(withPrograms)(
  '%s: all commands have the documented output, where %s is installed',
  { timeout: documentMsMax },
  async ([document, program], { skip }) => {
    if (!isInstalled(program)) skip(`${program} is not installed`)
    await runWalkthrough(document)
  },
)

/**
 * Whether a program is on PATH, or among the PostgreSQL programs of Debian, which are in folders by
 * version.
 */
function isInstalled(program: string): boolean {
  const postgres = '/usr/lib/postgresql'
  const versions = existsSync(postgres) ? readdirSync(postgres) : []
  return [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(postgres, version, 'bin')),
  ].some((folder) => existsSync(join(folder, program)))
}
