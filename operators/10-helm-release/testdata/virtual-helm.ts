import { gzipSync } from 'node:zlib'
import { testWorld, type TestWorld } from '@setpoint/cluster'
import type { VirtualProgram } from 'setpoint/host'
import { Secret } from 'setpoint/kinds'
import releases from '../operator.ts'

/** A cluster in virtual time with the operator, and a program in the place where helm would be. */
export interface VirtualHelm {
  readonly world: TestWorld
  /** The first words of all calls of helm that change a release. */
  readonly calls: string[]
  /** The releases whose install waits until it gets a signal, by name. */
  readonly slow: Set<string>
}

/**
 * Starts the operator with a program that only stores and deletes the Secrets that helm would. It
 * tests when helm is called; real-helm.test.ts tests what the real one does.
 */
export async function virtualHelm(): Promise<VirtualHelm> {
  const calls: string[] = []
  const slow = new Set<string>()
  const running: { world?: TestWorld } = {}
  const helm: VirtualProgram = async (self) => {
    const { world } = running
    const { args = [], directory = '' } = self
    if (world === undefined) return 1
    const [command = '', ...words] = args
    if (command === 'pull') await world.host.writeFile(`${directory}/web-1.0.0.tgz`, 'web')
    if (command === 'show') self.print('name: web\nversion: 1.0.0\n')
    if (command !== 'upgrade' && command !== 'uninstall') return 0
    const name = words[command === 'upgrade' ? 1 : 0] ?? ''
    calls.push(`${command} ${name}`)
    if (command === 'uninstall') {
      for (const { metadata } of await secretsOf(world, name)) {
        await world.client.delete(Secret, metadata)
      }
      return 0
    }
    const labels = Object.fromEntries(
      (args[args.indexOf('--labels') + 1] ?? '').split(',').map((label) => label.split('=')),
    ) as Record<string, string>
    const version = (await secretsOf(world, name)).length + 1
    const revision = { name, version, labels }
    await store(world, { ...revision, status: 'pending-install' })
    if (slow.has(name)) {
      await new Promise<void>((resolve) => self.onSignal(() => resolve()))
      await store(world, { ...revision, status: 'failed' })
      self.printError('Error: context canceled')
      return 1
    }
    await store(world, { ...revision, status: 'deployed' })
    return 0
  }
  running.world = await testWorld({ operators: [releases], programs: { helm } })
  return { world: running.world, calls, slow }
}

async function secretsOf({ client }: TestWorld, name: string): Promise<Secret[]> {
  return client.listAll(Secret, { labelSelector: { owner: 'helm', name } })
}

interface StoredRevision {
  readonly name: string
  readonly version: number
  readonly labels: Readonly<Record<string, string>>
  readonly status: string
}

async function store({ client }: TestWorld, { name, version, labels, status }: StoredRevision) {
  const record = {
    version,
    info: { status, last_deployed: new Date(0).toISOString() },
    chart: { metadata: { name: 'web', version: '1.0.0' } },
  }
  const release = gzipSync(JSON.stringify(record)).toString('base64')
  await client.apply(
    Secret,
    {
      metadata: {
        name: `sh.helm.release.v1.${name}.v${version}`,
        labels: { ...labels, owner: 'helm', name, status },
      },
      type: 'helm.sh/release.v1',
      data: { release: Buffer.from(release).toString('base64') },
    },
    { fieldManager: 'helm', force: true },
  )
}
