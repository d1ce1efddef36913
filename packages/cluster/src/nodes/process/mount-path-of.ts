import type { Frozen } from 'setpoint'
import type { Pod } from 'setpoint/kinds'

/**
 * The only path at which the containers of a pod mount a volume, if no other volume is at this path,
 * below it or above it.
 */
export function mountPathOf({ spec }: Pick<Frozen<Pod>, 'spec'>, name: string): string | undefined {
  const { containers, initContainers = [] } = spec
  const mounts = [...containers, ...initContainers].flatMap(({ volumeMounts = [] }) => volumeMounts)
  const pathsOf = (isOwn: boolean): string[] =>
    mounts.filter((mount) => (mount.name === name) === isOwn).map(({ mountPath }) => mountPath)
  const [path = '', ...further] = [...new Set(pathsOf(true))]
  const isPlain = /^(\/[^/]+)+$/.test(path) && !path.split('/').includes('..')
  if (!isPlain || further.length > 0) return undefined
  const isApart = (other: string): boolean =>
    !`${other}/`.startsWith(`${path}/`) && !`${path}/`.startsWith(`${other}/`)
  return pathsOf(false).every(isApart) ? path : undefined
}
