import { operator } from 'setpoint'
import { durationMs } from 'setpoint/host'
import { conditionOf, ConfigMap, metadataOf, Secret } from 'setpoint/kinds'
import { advance } from './advance.ts'
import { Helm } from './helm.ts'
import { HelmRelease } from './helm-release.ts'
import { revisionsOf } from './releases.ts'
import { placeOf, ReleaseStatus } from './work.ts'

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
  .index('uses', ({ metadata: { namespace, name }, spec }) => [
    ...spec.valuesFrom.map(
      (source) => [`${source.kind} ${namespace}/${source.name}`, `${namespace}/${name}`] as const,
    ),
    ...spec.dependsOn.map(
      (other) =>
        [
          `HelmRelease ${other.namespace ?? namespace}/${other.name}`,
          `${namespace}/${name}`,
        ] as const,
    ),
  ])
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
      /** The dependencies that are not ready. */
      const missing = (): string[] => {
        const { metadata, spec } = current() ?? { metadata: {}, spec: { dependsOn: [] } }
        return spec.dependsOn
          .map(({ name, namespace = metadata.namespace ?? '' }) => `${namespace}/${name}`)
          .filter((key) => !isReady(get(HelmRelease, key)))
      }
      /** What the work depends on: when it changes, the work starts again. */
      const inputs = (): string => {
        const { metadata, spec } = current() ?? {}
        const revisions = spec?.valuesFrom.map(
          ({ kind, name }) =>
            get(kind === 'Secret' ? secrets : configMaps, name)?.metadata.resourceVersion,
        )
        const requested = metadata?.annotations?.[requestAnnotation]
        return JSON.stringify([metadata?.generation, requested, revisions, missing()])
      }
      for (;;) {
        const release = current()
        if (release === undefined) return
        const seen = inputs()
        const [dependency] = missing()
        let timeout = durationMs(release.spec.interval, 'interval')
        if (release.spec.suspend) timeout = Infinity
        else if (dependency === undefined) timeout = await advance(release, ctx)
        else {
          const status = new ReleaseStatus(release, ctx)
          const message = `waiting for HelmRelease ${dependency}`
          status.state('Ready', { status: 'False', reason: 'DependencyNotReady', message })
          await status.save(await revisionsOf(ctx.client, placeOf(release), ctx.signal))
        }
        await until(() => inputs() !== seen, { timeout })
      }
    },
    { backoff: { first: '5s', max: '5m' }, stopTimeout: '30s' },
  )
  .onDelete(async function uninstall(release, { client, signal, workspace, log }) {
    const { name, namespace } = placeOf(release)
    const [newest] = await revisionsOf(client, { name, namespace }, signal)
    const { suspend, uninstall: options, timeout } = release.spec
    // A release that a person made, or made again, is not ours.
    if (newest?.status === 'uninstalled' || newest?.owner !== release.metadata.uid) return
    if (suspend) {
      log.info({ release: name }, 'suspended: the release stays')
      return
    }
    await using work = await workspace()
    const helm = await Helm.in(work, await client.kubeconfig())
    await helm.run(
      ...['uninstall', name, '--namespace', namespace, '--ignore-not-found'],
      ...['--timeout', `${durationMs(timeout, 'timeout')}ms`],
      ...(options.disableWait ? [] : ['--wait']),
      ...(options.keepHistory ? ['--keep-history'] : []),
    )
  })

function isReady(release: HelmRelease | undefined): boolean {
  if (release === undefined) return false
  const ready = conditionOf(release, 'Ready')
  const { generation } = release.metadata
  return ready?.status === 'True' && ready.observedGeneration === generation
}
