import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'vitest'
import { runWalkthrough } from './run-walkthrough.ts'

/** The documents that are executed as written, from the root of the repository. */
const documents: readonly string[] = [
  'test/walkthroughs/testdata/conventions.md',
  'test/walkthroughs/testdata/notes/README.md',
  'operators/01-application/README.md',
  'operators/02-elevenst-app/README.md',
  'operators/03-memcached/README.md',
  'operators/04-crontab/README.md',
  'operators/05-sample-db/README.md',
  // It is about the embedded cluster, from its first line to its last.
  ...(process.env['SETPOINT_TEST_WORLD'] === 'real' ? [] : ['docs/tutorial/first-operator.md']),
]

/** Those that need a program which not every machine has, on a cluster of our own. */
const withPrograms: readonly (readonly [document: string, program: string])[] = [
  ['operators/03-memcached/real-servers.md', 'memcached'],
  ['operators/05-sample-db/real-postgres.md', 'initdb'],
]

/** Documents that start clusters take their time; the machine is shared. */
const documentMsMax = 240_000

test.concurrent.for(documents)(
  '%s says what happens',
  { timeout: documentMsMax },
  async (document) => {
    await runWalkthrough(document)
  },
)

test.concurrent.for(withPrograms)(
  '%s says what happens, where there is %s',
  { timeout: documentMsMax },
  async ([document, program], { skip }) => {
    if (!isInstalled(program)) skip(`${program} is not installed`)
    if (process.env['SETPOINT_TEST_WORLD'] === 'real') skip('it needs a cluster of our own')
    await runWalkthrough(document)
  },
)

/** Debian keeps the programs of PostgreSQL that are not for everybody's use apart, by version. */
function isInstalled(program: string): boolean {
  const postgres = '/usr/lib/postgresql'
  const versions = existsSync(postgres) ? readdirSync(postgres) : []
  return [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(postgres, version, 'bin')),
  ].some((folder) => existsSync(join(folder, program)))
}
