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
  'operators/08-service-binding/README.md',
  'operators/09-failure-drill/README.md',
  'operators/11-monitoring/README.md',
  'operators/13-object-storage/README.md',
  'operators/14-leader/README.md',
  // They work only with the embedded cluster.
  ...(process.env['SETPOINT_TEST_WORLD'] === 'real'
    ? []
    : ['docs/tutorial/first-operator.md', 'operators/07-pod-usage/README.md']),
]

/** Documents that need an installed program. */
const withPrograms: readonly (readonly [document: string, program: string])[] = [
  ['operators/10-helm-release/README.md', 'helm'],
  // They work only with the embedded cluster.
  ...(process.env['SETPOINT_TEST_WORLD'] === 'real' ? [] : withProcesses()),
]

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

/** Documents whose pods are processes of this machine. */
function withProcesses(): (readonly [document: string, program: string])[] {
  return [
    ['operators/03-memcached/real-servers.md', 'memcached'],
    ['operators/05-sample-db/real-postgres.md', 'initdb'],
    ['operators/13-object-storage/real-minio.md', 'minio'],
    ['operators/11-monitoring/real-prometheus.md', 'prometheus'],
  ]
}
