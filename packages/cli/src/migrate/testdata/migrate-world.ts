/** A cluster in virtual time with disks that are stored as v1, whose CRD stores v2 now. */
import { fileURLToPath } from 'node:url'
import { createCluster } from '@setpoint/cluster'
import { isSetpointError, type PolicyRule, start } from 'setpoint'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import { ClusterRole, ClusterRoleBinding, CustomResourceDefinition } from 'setpoint/kinds'
import { CommandError, parseCommand } from '../../command/index.ts'
import { migrateCommand } from '../../commands/migrate-command.ts'
import { importModule } from '../../system/index.ts'
import { RecordingTerminal } from '../../system/testdata/recording-terminal.ts'
import { Disk, disks, FirstDisk, OldDisk } from './disks.ts'

const folder = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')

/** The name of the CRD. */
export const crdName = 'disks.example.com'

/** What differs between worlds. */
interface WorldOptions {
  /** The sizes of the stored disks, which are named `d0`, `d1`, ... */
  readonly sizes: readonly number[]
  /** Users besides the administrator. */
  readonly users?: readonly { readonly name: string }[]
}

/** A cluster after an upgrade of the operator: its process runs and converts. */
export async function migrateWorld({ sizes, users = [] }: WorldOptions) {
  // Loaded first: virtual time runs on while a module loads in real time.
  await import('../index.ts')
  await importModule(`${folder}/operators.mjs`)
  const host = virtualHost({
    seed: 5,
    env: { KUBECONFIG: '/kubeconfig' },
    files: { [`${folder}/package.json`]: '{}', [`${folder}/operators.mjs`]: '' },
  })
  const cluster = await createCluster({ host, workloads: 'off', users })
  await host.writeFile('/kubeconfig', cluster.kubeconfig())
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const client = new Client(host, connection)
  await client.create(CustomResourceDefinition, FirstDisk.crd())
  for (const [index, sizeGi] of sizes.entries()) {
    await client.create(OldDisk, { metadata: { name: `d${index}` }, spec: { sizeGi } })
  }
  const running = await start([disks], { host, connection, install: true, webhooks: {} })
  const call = async (words: readonly string[] = [], signal?: AbortSignal) => {
    const terminal = new RecordingTerminal()
    const line = parseCommand([migrateCommand], [migrateCommand.name, ...words])
    if (line.wants !== 'run') throw new Error('not a command to run')
    const run = await migrateCommand.load()
    const context = { host, terminal, folder, signal: signal ?? new AbortController().signal }
    const { lines, notes } = terminal
    try {
      return { exitCode: await run(context, line.input), lines, notes, error: '' }
    } catch (error) {
      if (!(error instanceof CommandError) && !isSetpointError(error)) throw error
      const exitCode = error instanceof CommandError ? error.exitCode : 1
      return { exitCode, lines, notes, error: error.message }
    }
  }
  return {
    host,
    cluster,
    client,
    running,
    call,
    /** Gives a user permissions. */
    allow: async (name: string, rules: readonly PolicyRule[]) => {
      const apiGroup = 'rbac.authorization.k8s.io'
      await client.create(ClusterRole, { metadata: { name }, rules })
      await client.create(ClusterRoleBinding, {
        metadata: { name },
        roleRef: { apiGroup, kind: 'ClusterRole', name },
        subjects: [{ kind: 'User', apiGroup, name }],
      })
    },
    /** The versions in which objects may be stored. */
    storedVersions: async () =>
      (await client.get(CustomResourceDefinition, crdName)).status?.storedVersions,
    /** The sizes of all disks in v2, by name. */
    sizes: async () =>
      Object.fromEntries(
        (await client.listAll(Disk)).map(({ metadata, spec }) => [metadata.name, spec.size]),
      ),
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await cluster.dispose()
      host.stop()
    },
  }
}
