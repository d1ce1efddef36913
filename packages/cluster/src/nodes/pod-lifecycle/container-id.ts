import type { ContainerStatus } from 'setpoint/kinds'

/** The state that a kubelet keeps in a container's ID. */
interface ContainerMemory {
  /** When it was started, in milliseconds. The status has whole seconds. */
  readonly startedMs: number
  /** The number of restarts in a row, which determines the backoff of the next restart. */
  readonly backoffLevel: number
}

const scheme = 'containerd://'
const levelDigits = 2
const timeDigits = 12
const digestDigits = 64 - levelDigits - timeDigits

/**
 * The ID of a run of a container. It has the usual format and is unique. Its last digits encode the
 * kubelet's state, so that all state is in the pod's status and a restarted kubelet continues where
 * the last one stopped.
 */
export function containerId(seed: string, memory: ContainerMemory): string {
  const level = memory.backoffLevel.toString(16).padStart(levelDigits, '0')
  const time = memory.startedMs.toString(16).padStart(timeDigits, '0')
  return `${scheme}${hexDigest(`${seed}/${memory.startedMs}`, digestDigits)}${level}${time}`
}

/** Decodes the state in the ID of a container. */
export function memoryOf(id: string | undefined): ContainerMemory | undefined {
  if (id?.startsWith(scheme) !== true) return undefined
  const digits = id.slice(scheme.length + digestDigits)
  const backoffLevel = Number.parseInt(digits.slice(0, levelDigits), 16)
  const startedMs = Number.parseInt(digits.slice(levelDigits), 16)
  return Number.isNaN(startedMs) ? undefined : { backoffLevel, startedMs }
}

/** When a running container was started, as precisely as known. */
export function startOf({ containerID, state }: ContainerStatus): number {
  return memoryOf(containerID)?.startedMs ?? Date.parse(state?.running?.startedAt ?? '')
}

/** A deterministic hex digest of a text. It has no cryptographic strength. */
export function hexDigest(text: string, length: number): string {
  let digits = ''
  for (let round = 1; digits.length < length; round += 1) {
    let hash = 2_166_136_261 ^ (round * 40_503)
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619)
    }
    hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
    digits += ((hash ^ (hash >>> 13)) >>> 0).toString(16).padStart(8, '0')
  }
  return digits.slice(0, length)
}
