import type { ContainerStatus } from 'setpoint/kinds'

/** What a container's ID tells its kubelet, and nobody else. */
interface ContainerMemory {
  /** When it was started, to the millisecond: a status has whole seconds. */
  readonly startedMs: number
  /** How often in a row it was restarted before; decides how long the next restart has to wait. */
  readonly backoffLevel: number
}

const scheme = 'containerd://'
const levelDigits = 2
const timeDigits = 12
const digestDigits = 64 - levelDigits - timeDigits

/**
 * The ID of a run of a container. It looks like any other and has to be unique; its last digits are what a kubelet has
 * to remember, so that all of it is in the pod's status and a restarted kubelet goes on where the last one stopped.
 */
export function containerId(seed: string, memory: ContainerMemory): string {
  const level = memory.backoffLevel.toString(16).padStart(levelDigits, '0')
  const time = memory.startedMs.toString(16).padStart(timeDigits, '0')
  return `${scheme}${hexDigest(`${seed}/${memory.startedMs}`, digestDigits)}${level}${time}`
}

/** What the ID of a container remembers. */
export function memoryOf(id: string | undefined): ContainerMemory | undefined {
  if (id?.startsWith(scheme) !== true) return undefined
  const digits = id.slice(scheme.length + digestDigits)
  const backoffLevel = Number.parseInt(digits.slice(0, levelDigits), 16)
  const startedMs = Number.parseInt(digits.slice(levelDigits), 16)
  return Number.isNaN(startedMs) ? undefined : { backoffLevel, startedMs }
}

/** When a running container was started, as exactly as is known. */
export function startOf({ containerID, state }: ContainerStatus): number {
  return memoryOf(containerID)?.startedMs ?? Date.parse(state?.running?.startedAt ?? '')
}

/** Digits that look random and follow from a text; nothing depends on their quality. */
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
