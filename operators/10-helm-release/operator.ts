import { operator } from 'setpoint'
import { durationMs } from 'setpoint/host'
import { ConfigMap, metadataOf, Secret } from 'setpoint/kinds'
import { advance } from './advance.ts'
import { dependenciesOf, waitingOf } from './dependencies.ts'
import { Helm } from './helm.ts'
import { uninstallArguments } from './helm-arguments.ts'
import { HelmRelease } from './helm-release.ts'
import { revisionsOf } from './releases.ts'
import { placeOf, ReleaseStatus, resetAnnotation } from './work.ts'

/** Changes of values are noticed by their metadata; the values themselves are not kept. */
const configMaps = metadataOf(ConfigMap)
const secrets = metadataOf(Secret)

/** Another value of this annotation starts the work without a change of the spec. */
const requestAnnotation = 'helm.example.com/requestedAt'

/**
 * Keeps releases as their objects say. The work on an object is a daemon: an install may take an
 * hour, the others continue, and a deletion cancels it.
 */
export default operator(HelmRelease, { setsReady: false, concurrency: 50, timeout: '30m' })
  // Charts have any kinds: an administrator chooses the roles of helm by this label.
  .dynamicKinds({ roles: { 'helm.example.com/releases': 'true' } })
  .index('uses', (release) => {
    const { namespace, name } = release.metadata
    const values = release.spec.valuesFrom.map((from) => `${from.kind} ${namespace}/${from.name}`)
    const releases = dependenciesOf(release).map((key) => `HelmRelease ${key}`)
    return [...values, ...releases].map((used) => [used, `${namespace}/${name}`] as const)
  })
  .watch(configMaps, ({ metadata: { namespace, name } }, view) =>
    view.index('uses').get(`ConfigMap ${namespace}/${name}`),
  )
  .watch(secrets, ({ metadata: { namespace, name } }, view) =>
    view.index('uses').get(`Secret ${namespace}/${name}`),
  )
  .watch(HelmRelease, ({ metadata: { namespace, name } }, view) =>
    view.index('uses').get(`HelmRelease ${namespace}/${name}`),
  )
  .daemon(
    async function keep(_, ctx) {
      const { current, get, until } = ctx
      const find = (key: string): HelmRelease | undefined => get(HelmRelease, key)
      /** What the work depends on: when it changes, the work starts again. */
      const inputs = (): string => {
        const release = current()
        const { annotations, generation } = release?.metadata ?? {}
        const revisions = release?.spec.valuesFrom.map(
          ({ kind, name }) =>
            get(kind === 'Secret' ? secrets : configMaps, name)?.metadata.resourceVersion,
        )
        const requested = [annotations?.[requestAnnotation], annotations?.[resetAnnotation]]
        return JSON.stringify([
          generation,
          requested,
          revisions,
          release && waitingOf(release, find),
        ])
      }
      for (;;) {
        const release = current()
        if (release === undefined) return
        const seen = inputs()
        const waiting = waitingOf(release, find)
        let timeout = durationMs(release.spec.interval, 'interval')
        if (release.spec.suspend) timeout = Infinity
        else if (waiting === undefined) timeout = await advance(release, ctx)
        else {
          const status = new ReleaseStatus(release, ctx)
          status.state('Ready', { status: 'False', ...waiting })
          await status.save(await revisionsOf(ctx.client, placeOf(release), ctx.signal))
        }
        await until(() => inputs() !== seen, { timeout })
      }
    },
    { backoff: { first: '5s', max: '5m' }, stopTimeout: '30s' },
  )
  .onDelete(async function uninstall(release, { client, signal, workspace, log }) {
    const [newest] = await revisionsOf(client, placeOf(release), signal)
    const { suspend, uninstall } = release.spec
    // A release that a person made, or made again, is not ours.
    if (newest?.status === 'uninstalled' || newest?.owner !== release.metadata.uid) return
    if (suspend) {
      log.info({ release: placeOf(release).name }, 'suspended: the release stays')
      return
    }
    await using work = await workspace()
    const helm = await Helm.in(work, await client.kubeconfig())
    await helm.run(...uninstallArguments(release, uninstall))
  })
