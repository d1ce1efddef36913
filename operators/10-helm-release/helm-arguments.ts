import { durationMs } from 'setpoint/host'
import type { Next } from './decide.ts'
import type { HelmRelease } from './helm-release.ts'
import { digestLabel, ownerLabel } from './releases.ts'
import { placeOf } from './work.ts'

/** A step for which helm runs. */
export type HelmStep = Exclude<Next, { readonly do: 'wait' | 'nothing' | 'unlock' }>

/** The arguments of helm for a step. Values are in a file, because arguments are not secret. */
export function helmArguments(
  release: HelmRelease,
  next: HelmStep,
  { path, digest }: { readonly path: string; readonly digest: string },
): string[] {
  const { metadata, spec } = release
  const { name } = placeOf(release)
  const flags = [...placeFlags(release), '--history-max', String(Math.max(spec.maxHistory, 2))]
  if (next.do === 'test') return ['test', name, ...placeFlags(release)]
  if (next.do === 'uninstall') return uninstallArguments(release, { keepHistory: false })
  if ('revision' in next) {
    const { rollback } = spec
    return ['rollback', name, String(next.revision), ...flags, ...updateFlags(rollback)]
  }
  const labels = `${ownerLabel}=${metadata.uid},${digestLabel}=${digest}`
  const isInstall = next.do === 'install'
  return [
    'upgrade',
    '--install',
    name,
    path,
    '--values',
    'values.json',
    // Without it, helm would keep the values of the last revision if there are none any more.
    '--reset-values',
    '--labels',
    labels,
    ...flags,
    ...(isInstall ? waitFlags(spec.install) : updateFlags(spec.upgrade)),
    ...(spec.install.createNamespace ? ['--create-namespace'] : []),
  ]
}

/** The arguments of helm that remove the release. */
export function uninstallArguments(
  release: HelmRelease,
  { keepHistory }: { readonly keepHistory: boolean },
): string[] {
  return [
    'uninstall',
    placeOf(release).name,
    ...placeFlags(release),
    '--ignore-not-found',
    ...(release.spec.uninstall.disableWait ? [] : ['--wait']),
    ...(keepHistory ? ['--keep-history'] : []),
  ]
}

function placeFlags(release: HelmRelease): string[] {
  const timeoutMs = durationMs(release.spec.timeout, 'timeout')
  return ['--namespace', placeOf(release).namespace, '--timeout', `${timeoutMs}ms`]
}

function waitFlags({ disableWait }: { readonly disableWait: boolean }): string[] {
  return disableWait ? [] : ['--wait', '--wait-for-jobs']
}

function updateFlags(options: {
  readonly disableWait: boolean
  readonly force: boolean
  readonly cleanupOnFail: boolean
}): string[] {
  return [
    ...waitFlags(options),
    ...(options.force ? ['--force'] : []),
    ...(options.cleanupOnFail ? ['--cleanup-on-fail'] : []),
  ]
}
